import Checksums
import Foundation
import GRDB
import SharedDatabase
import ViewfinderLibrary

/// What a service has of a library, as far as was asked: it saves questions, the service decides.
struct ExportLedger: Sendable {
  private let queue: DatabaseQueue

  /// Opens the ledger of an account in a folder.
  init(_ account: String, in folder: URL) throws {
    let path = folder.appending(component: "\(Self.name(account)).sqlite").path
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(
        sql: """
          CREATE TABLE sent (
            asset TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, name TEXT NOT NULL
          ) WITHOUT ROWID
          """)
    }
    try SharedDatabase.prepare(queue, in: folder, isDurable: false, migrator)
  }

  /// What the files of an account's ledger are called.
  static func name(_ account: String) -> String {
    "export-\(BlobName(of: Data(account.utf8)).text.prefix(16))"
  }

  /// An asset's file as it was sent; after a change it is another one.
  struct Version: Hashable, Sendable {
    var asset: UUID
    var size: Int
    /// In milliseconds since 1970.
    var modified: Int

    init(_ asset: Asset) {
      (self.asset, size) = (asset.id, asset.defaultRepresentation.size)
      modified = Int((asset.modificationDate.timeIntervalSince1970 * 1000).rounded())
    }

    fileprivate init?(_ row: Row) {
      guard let asset = UUID(uuidString: row["asset"]) else { return nil }
      (self.asset, size, modified) = (asset, row["size"], row["modified"])
    }
  }

  func sent() async throws -> Set<Version> {
    try await queue.read { db in
      Set(try Row.fetchAll(db, sql: "SELECT * FROM sent").compactMap(Version.init))
    }
  }

  func add(_ version: Version, as name: BlobName) async throws {
    try await queue.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?)",
        arguments: [
          version.asset.uuidString, version.size, version.modified, name.text,
        ])
    }
  }
}
