import Foundation
import GRDB

extension UUID {
  /// The identifier as the tables and the wire have it.
  package var key: String { uuidString.lowercased() }
}

extension FeedRecord {
  /// Reads what a table has.
  package static func parse(_ json: Data) throws -> Self {
    guard let record = Self(data: json) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return record
  }

  /// A record as it is here.
  package static func find(_ id: UUID, _ db: Database) throws -> Self? {
    try Data.fetchOne(db, sql: "SELECT json FROM record WHERE id = ?", arguments: [id.key])
      .map(parse)
  }

  /// The blobs that the records in tables name.
  package static func blobs(in tables: [String], _ db: Database) throws -> Set<String> {
    let all = tables.map { "SELECT json FROM \($0)" }.joined(separator: " UNION ALL ")
    let texts = try Data.fetchCursor(db, sql: all)
    var names: Set<String> = []
    while let json = try texts.next() { names.formUnion(try parse(json).blobs.map(\.text)) }
    return names
  }
}
