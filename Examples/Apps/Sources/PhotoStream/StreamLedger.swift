import Checksums
import ErrorWords
import FeedClient
import Foundation
import GRDB
import SharedDatabase

/// What a device knows of each photo of a stream: one row for one photo, in one state.
struct StreamLedger: Sendable {
  /// Where a photo is.
  enum State: String {
    /// Here, and to be sent.
    case waiting
    /// Here, and in the stream.
    case here
    /// In the stream, and to be fetched.
    case wanted
    /// Here, and the server doesn't take it.
    case refused
    /// In the stream no more; it may be here.
    case gone
  }

  /// A photo that is here.
  struct Offer: Sendable {
    var photo: StreamPhoto
    var asset: UUID
    /// Whether a person wants it, whatever the settings say.
    var isAsked = false
    /// Whether a smaller copy is sent of it, whatever the settings say.
    var isCopy = false
  }

  private let queue: DatabaseQueue

  /// Opens the ledger of an account in a folder.
  init(_ account: FeedClient.Account, in folder: URL) throws {
    let digits = BlobName(of: Data(account.key.utf8)).text.prefix(16)
    let path = folder.appending(component: "photo-stream-\(digits).sqlite").path
    var configuration = Configuration()
    // Another program may offer photos meanwhile.
    configuration.busyMode = .timeout(10)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: Self.schema) }
    migrator.registerMigration("2") { db in
      try db.execute(sql: "ALTER TABLE photo ADD COLUMN preview TEXT")
      try db.execute(sql: "ALTER TABLE photo ADD COLUMN isAsked INTEGER NOT NULL DEFAULT 0")
    }
    // Whether the stream told of it; what was sent is told a moment later.
    migrator.registerMigration("3") {
      try $0.execute(sql: "ALTER TABLE photo ADD COLUMN isListed INTEGER NOT NULL DEFAULT 1")
    }
    migrator.registerMigration("4") {
      try $0.execute(sql: "ALTER TABLE photo ADD COLUMN isCopy INTEGER NOT NULL DEFAULT 0")
    }
    try SharedDatabase.prepare(queue, in: folder, isDurable: false, migrator)
  }

  private static let schema = """
    CREATE TABLE stream (cursor TEXT, album TEXT, scanned REAL);
    INSERT INTO stream VALUES (NULL, NULL, NULL);
    CREATE TABLE photo (
      name TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      device TEXT NOT NULL,
      fileName TEXT NOT NULL,
      type TEXT NOT NULL,
      size INTEGER NOT NULL,
      taken REAL,
      asset TEXT,
      etag TEXT,
      changed REAL,
      reason TEXT
    ) WITHOUT ROWID;
    CREATE INDEX photoByState ON photo (state);
    CREATE INDEX photoByAsset ON photo (asset);
    """

  // MARK: What is here

  /// Notes a photo of the library, which is to be sent unless the stream knows it.
  func offer(_ offer: Offer) async throws {
    try await queue.write { db in try Self.add(offer, db) }
  }

  private static func add(_ offer: Offer, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO photo (name, state, device, fileName, type, size, taken, asset, isAsked, isCopy)
          VALUES (?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET asset = excluded.asset,
          isAsked = isAsked OR (state = 'waiting' AND excluded.isAsked),
          state = CASE state WHEN 'wanted' THEN 'here' ELSE state END
        """,
      arguments: [
        offer.photo.name.text, offer.photo.device, offer.photo.fileName, offer.photo.type,
        offer.photo.size, offer.photo.taken?.timeIntervalSince1970, offer.asset.uuidString,
        offer.isAsked, offer.isCopy,
      ])
  }

  /// Puts a copy in the place of what was to be sent.
  ///
  /// - Parameters:
  ///   - name: What was to be sent.
  ///   - copy: What is to be sent now.
  /// - Returns: Whether it is to be sent; the stream may know it.
  /// - Throws: The database's error.
  func replace(_ name: BlobName, by copy: Offer) async throws -> Bool {
    try await queue.write { db in
      try db.execute(
        sql: "DELETE FROM photo WHERE name = ? AND state = 'waiting'", arguments: [name.text])
      // Another device may have sent it meanwhile.
      guard db.changesCount > 0 else { return false }
      try Self.add(copy, db)
      return try Bool.fetchOne(
        db, sql: "SELECT 1 FROM photo WHERE name = ? AND state = 'waiting'",
        arguments: [copy.photo.name.text]) ?? false
    }
  }

  /// Notes that a smaller copy is to be sent of a photo that the server doesn't take.
  func sendCopy(of name: BlobName) async throws {
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE photo SET state = 'waiting', isCopy = 1, reason = NULL
          WHERE name = ? AND state = 'refused'
          """, arguments: [name.text])
    }
  }

  /// Whether an asset is known.
  func knows(_ asset: UUID) async throws -> Bool {
    try await queue.read { db in
      try Row.fetchOne(
        db, sql: "SELECT 1 FROM photo WHERE asset = ?", arguments: [asset.uuidString]) != nil
    }
  }

  /// Up to when the library was looked through.
  func scanned() async throws -> Date? {
    try await queue.read { db in
      try Double.fetchOne(db, sql: "SELECT scanned FROM stream WHERE scanned IS NOT NULL")
        .map(Date.init(timeIntervalSince1970:))
    }
  }

  func setScanned(_ date: Date) async throws {
    try await queue.write { db in
      try db.execute(
        sql: "UPDATE stream SET scanned = ?", arguments: [date.timeIntervalSince1970])
    }
  }

  /// The photos of a state, the oldest first.
  func photos(_ state: State) async throws -> [Offer] {
    try await queue.read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM photo WHERE state = ? ORDER BY changed, taken",
        arguments: [state.rawValue]
      ).compactMap(Self.offer)
    }
  }

  /// A photo that is here.
  func photo(_ name: BlobName) async throws -> Offer? {
    try await queue.read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM photo WHERE name = ? AND asset IS NOT NULL", arguments: [name.text]
      ).flatMap(Self.offer)
    }
  }

  private static func offer(_ row: Row) -> Offer? {
    guard let name = BlobName(row["name"] as String) else { return nil }
    let photo = StreamPhoto(
      name: name, device: row["device"], fileName: row["fileName"], type: row["type"],
      size: row["size"],
      taken: (row["taken"] as Double?).map(Date.init(timeIntervalSince1970:)),
      preview: (row["preview"] as String?).flatMap(BlobName.init))
    let asset = (row["asset"] as String?).flatMap(UUID.init(uuidString:))
    return Offer(
      photo: photo, asset: asset ?? UUID(), isAsked: row["isAsked"], isCopy: row["isCopy"])
  }

  /// What a status counts.
  struct Counts {
    var waiting = 0, waitingBytes = 0, wanted = 0, offered = 0
    var problems: [ErrorWords] = []
    var devices: [StreamStatus.Share] = []

    func show(in status: inout StreamStatus) {
      (status.waiting, status.waitingBytes) = (waiting, waitingBytes)
      (status.wanted, status.offered) = (wanted, offered)
      (status.problems, status.devices) = (problems, devices)
      let isMoving = status.sending != nil || status.fetching != nil
      status.phase = waiting + wanted == 0 && !isMoving ? .idle : .working
    }
  }

  /// How many photos wait to be sent and fetched, how many aren't here, why some aren't taken, and what is in the stream.
  func counts(all: Bool) async throws -> Counts {
    try await queue.read { db in
      func count(_ state: State, _ condition: String = "", of what: String = "count(*)") throws
        -> Int
      {
        try Int.fetchOne(
          db, sql: "SELECT \(what) FROM photo WHERE state = ?\(condition)",
          arguments: [state.rawValue]) ?? 0
      }
      let devices = try Row.fetchAll(
        db,
        sql: """
          SELECT device, count(*) AS photos, max(changed) AS newest FROM photo
          WHERE etag IS NOT NULL GROUP BY device ORDER BY device
          """
      ).map { StreamStatus.Share(device: $0["device"], photos: $0["photos"], newest: $0["newest"]) }
      let reasons = try Row.fetchAll(
        db, sql: "SELECT fileName, reason FROM photo WHERE state = 'refused' LIMIT 20")
      let problems = reasons.map { row in
        let (name, reason) = (row["fileName"] as String, row["reason"] as String?)
        let words = ErrorWords(kept: reason ?? "")
        return ErrorWords("\(name): \(words)", Coded("ofPhoto", ["name": name], because: [words]))
      }
      return Counts(
        waiting: try count(.waiting), waitingBytes: try count(.waiting, of: "sum(size)"),
        wanted: try count(.wanted, all ? "" : " AND isAsked"), offered: try count(.wanted),
        problems: problems, devices: devices)
    }
  }

  /// Notes where a photo is from now on.
  func set(
    _ state: State, _ name: BlobName, etag: String? = nil, asset: UUID? = nil,
    reason: ErrorWords? = nil
  ) async throws {
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE photo SET state = ?, etag = ifnull(?, etag), asset = ifnull(?, asset), reason = ?
          WHERE name = ?
          """, arguments: [state.rawValue, etag, asset?.uuidString, reason?.keptText, name.text])
    }
  }

  /// Notes that a photo is in the stream, as its server says, which has to tell of it from now on, where it hasn't told
  /// of it before it answered.
  func didSend(_ name: BlobName, etag: String) async throws {
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE photo SET state = 'here', isListed = ifnull(isListed AND etag = ?, 0), etag = ?, reason = NULL
          WHERE name = ?
          """, arguments: [etag, etag, name.text])
    }
  }

  /// Notes that a person wants photos that are in the stream.
  func ask(for names: [BlobName]) async throws {
    try await queue.write { db in
      for name in names {
        try db.execute(
          sql: "UPDATE photo SET isAsked = 1 WHERE name = ?", arguments: [name.text])
      }
    }
  }

  /// Forgets a photo that was to be sent and is here no more; what was refused is tried again.
  func forget(_ name: BlobName) async throws {
    try await queue.write { db in
      try db.execute(
        sql: "DELETE FROM photo WHERE name = ? AND state = 'waiting'", arguments: [name.text])
    }
  }

  /// Tries again what was refused: the cause may be gone.
  func forgetRefusals() async throws {
    try await queue.write { db in
      try db.execute(sql: "UPDATE photo SET state = 'waiting' WHERE state = 'refused'")
    }
  }

  // MARK: What is in the stream

  func cursor() async throws -> String? {
    try await queue.read { try String.fetchOne($0, sql: "SELECT cursor FROM stream") }
  }

  /// Notes what has changed in the stream, and where it goes on.
  func receive(_ page: FeedClient.Page) async throws {
    try await queue.write { db in
      for entry in page.entries {
        guard let record = StreamRecord(entry.json) else { continue }
        if let photo = record.photo {
          try db.execute(
            sql: """
              INSERT INTO photo
                (name, state, device, fileName, type, size, taken, preview, etag, changed)
                VALUES (?, 'wanted', ?, ?, ?, ?, ?, ?, ?, ?)
              ON CONFLICT DO UPDATE SET etag = excluded.etag, changed = excluded.changed,
                preview = excluded.preview, isListed = 1,
                state = CASE WHEN state IN ('waiting', 'refused', 'gone') AND asset IS NOT NULL THEN 'here'
                  WHEN state = 'gone' THEN 'wanted' ELSE state END
              """,
            arguments: [
              photo.name.text, photo.device, photo.fileName, photo.type, photo.size,
              photo.taken?.timeIntervalSince1970, photo.preview?.text, entry.etag,
              entry.changed?.timeIntervalSince1970,
            ])
        } else {
          try db.execute(
            sql: "UPDATE photo SET state = 'gone', etag = NULL, isListed = 1 WHERE name = ?",
            arguments: [record.sha256])
        }
      }
      try db.execute(sql: "UPDATE stream SET cursor = ?", arguments: [page.cursor])
    }
  }

  /// Begins anew: the server has another database than before, or forgot what was long ago.
  func restart() async throws {
    try await queue.write { db in
      try db.execute(sql: "UPDATE stream SET cursor = NULL; UPDATE photo SET isListed = 0")
    }
  }

  /// The photos that should be in the stream and that it didn't tell of.
  func unlisted() async throws -> Set<BlobName> {
    try await queue.read { db in
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM photo WHERE NOT isListed AND state IN ('here', 'wanted')")
      return Set(names.compactMap(BlobName.init))
    }
  }

  /// Sends again what the stream has lost, and wants no more of it.
  ///
  /// - Parameter names: What it didn't tell of before it was asked for all that it has.
  /// - Returns: Whether there is something to send.
  /// - Throws: The database's error.
  func lose(_ names: Set<BlobName>) async throws -> Bool {
    try await queue.write { db in
      var isToSend = false
      for name in names {
        try db.execute(
          sql: """
            UPDATE photo SET state = 'waiting', etag = NULL, isListed = 1, isAsked = 1
            WHERE name = ? AND NOT isListed AND state = 'here' AND asset IS NOT NULL
            """, arguments: [name.text])
        isToSend = isToSend || db.changesCount > 0
        try db.execute(
          sql: "DELETE FROM photo WHERE name = ? AND NOT isListed AND state IN ('here', 'wanted')",
          arguments: [name.text])
      }
      return isToSend
    }
  }

  /// Photos that the stream has for too long, or that are too many; the oldest first.
  func surplus(
    beyond count: Int?, before date: Date?
  ) async throws -> [(name: BlobName, etag: String)] {
    try await queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, etag FROM (
            SELECT name, etag, changed, row_number() OVER (ORDER BY changed DESC, name) AS place
            FROM photo WHERE etag IS NOT NULL AND changed IS NOT NULL)
          WHERE place > ? OR changed < ? ORDER BY changed LIMIT 100
          """, arguments: [count ?? .max, date?.timeIntervalSince1970 ?? 0]
      ).compactMap { row in
        BlobName(row["name"] as String).map { ($0, row["etag"]) }
      }
    }
  }

  /// Notes that a photo isn't in the stream any more.
  func didRemove(_ name: BlobName) async throws {
    try await queue.write { db in
      try db.execute(
        sql: "UPDATE photo SET state = 'gone', etag = NULL WHERE name = ?", arguments: [name.text])
    }
  }

  // MARK: The album

  func album() async throws -> UUID? {
    try await queue.read { db in
      try String.fetchOne(db, sql: "SELECT album FROM stream").flatMap(UUID.init(uuidString:))
    }
  }

  func setAlbum(_ id: UUID) async throws {
    try await queue.write { db in
      try db.execute(sql: "UPDATE stream SET album = ?", arguments: [id.uuidString])
    }
  }
}
