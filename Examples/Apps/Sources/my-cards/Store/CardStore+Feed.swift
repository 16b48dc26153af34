import CardModel
import FeedSync
import Foundation
import GRDB

/// A version of a card as a server has it.
public typealias CardVersion = FeedVersion<CardRecord>

extension CardRecord: FeedRecord {
  /// Takes a version from its JSON object; `nil` where that is none, or has no identifier.
  public init?(data: Data) {
    guard let json = try? JSONValue(parsing: data) else { return nil }
    self.init(json)
  }

  /// The version as one JSON object.
  public var data: Data { json.data }

  /// All pictures that the version names.
  public var blobs: Set<PictureHash> { pictures }
}

/// The wallet's policy in its exchange with others: cards are merged by their fields, and blobs are JPEGs.
extension CardStore: FeedStore {
  /// This wallet among those of the person.
  public var device: String { wallet }

  /// Looks into the database.
  public func read<T>(_ body: (Database) throws -> T) throws -> T { try database.read(body) }

  /// Changes the database: all of it or nothing.
  public func write<T>(_ body: (Database) throws -> T) throws -> T { try database.write(body) }

  /// Tells who watches that cards have changed.
  public func tell() { watchers.tell() }

  /// Merges a version that came from elsewhere with the present one.
  public func take(
    _ theirs: CardRecord, since base: CardRecord?, _ db: Database
  ) throws -> TakenRecord<CardRecord>? {
    let table = RecordTable(db: db, wallet: wallet)
    guard let mine = try table.record(theirs.id) else {
      try table.put(theirs)
      return TakenRecord(theirs)
    }
    // The present version comes from theirs: it is what waits to be sent, or theirs itself.
    if try table.hasSeen(theirs) { return nil }
    let merged = RecordMerge(base: base, mine: mine, theirs: theirs, date: now()).result
    if mine.isDeleted { try table.endSameUndo(mine.id) }
    try table.noteSeen(theirs)
    if merged.says(theirs) {
      try table.put(theirs)
      return TakenRecord(theirs)
    }
    let kept = merged.kept.subtracting(theirs.kept).subtracting(mine.kept).count
    return TakenRecord(try table.putSigned(merged), isMerged: true, kept: kept)
  }

  /// Notes that others may know of a delete from now on.
  public func willSend(_ record: CardRecord, _ db: Database) throws {
    if record.isDeleted { try RecordTable(db: db, wallet: wallet).endSameUndo(record.id) }
  }

  /// What pictures are.
  public var blobType: String { "image/jpeg" }

  /// Whether a picture is here, without reading it.
  public func hasBlob(_ name: PictureHash) -> Bool { hasPicture(name) }

  /// A picture's bytes; `nil` when it isn't here, or isn't whole any more.
  public func blob(_ name: PictureHash) throws -> Data? { try picture(name) }

  /// Keeps a picture; `false` when it is none.
  public func addBlob(_ data: Data) throws -> Bool {
    do { _ = try addPicture(data) } catch CardStoreError.notAPicture { return false }
    return true
  }
}
