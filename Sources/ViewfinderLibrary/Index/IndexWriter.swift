import Foundation
import GRDB

/// Changes files in the index within one transaction, keeps them grouped as assets, and writes down what
/// became of each asset.
struct IndexWriter {
  private let db: Database
  private let now: Int64
  /// How assets were before, `nil` for those that were not there.
  private var before: [UUID: AssetState?] = [:]
  private var touched: Set<Group> = []

  private struct Group: Hashable {
    var folder: Int64
    var stem: FilePath
  }

  init(_ db: Database, now: Int64 = .now) {
    self.db = db
    self.now = now
  }

  // MARK: Folders

  /// Notes that a folder can't be reached, or can again; its assets then look otherwise.
  func setAbsent(_ isAbsent: Bool, _ path: FilePath) throws {
    guard
      let folder = try Int64.fetchOne(
        db, sql: "SELECT id FROM folder WHERE path = ?", arguments: [Data(path.bytes)])
    else { return }
    try db.execute(
      sql: "UPDATE folder SET absent = ? WHERE id = ?", arguments: [isAbsent ? now : 0, folder])
    try db.execute(
      sql:
        "INSERT INTO change (subject, kind) SELECT asset, ? FROM file WHERE folder = ? AND isDefault = 1",
      arguments: [LoggedChange.Kind.updated.rawValue, folder])
  }

  /// Counts the files of a folder that can't be reached as gone.
  mutating func forget(absentFolder path: FilePath) throws {
    let folder = try Int64.fetchOne(
      db, sql: "SELECT id FROM folder WHERE path = ? AND absent <> 0",
      arguments: [Data(path.bytes)])
    guard let folder else { throw PhotoLibraryError.notFound(what: "absent folder \(path)") }
    let rows = try FileRow.fetchAll(
      db, sql: "SELECT * FROM file WHERE folder = ? AND removed = 0", arguments: [folder])
    for row in rows { try remove(row) }
    try db.execute(sql: "DELETE FROM folder WHERE id = ?", arguments: [folder])
  }

  /// The folder's key.
  func folder(_ path: FilePath, device: UInt64, inCameraRoll: Bool) throws -> Int64 {
    let data = Data(path.bytes)
    if let id = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM folder WHERE path = ?"), arguments: [data])
    {
      return id
    }
    try db.execute(
      sql: "INSERT INTO folder (path, device, inCameraRoll) VALUES (?, ?, ?)",
      arguments: [data, Int64(bitPattern: device), inCameraRoll])
    return db.lastInsertedRowID
  }

  // MARK: Files

  func file(row: Int64) throws -> FileRow? {
    try FileRow.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM file WHERE row = ?"), arguments: [row])
  }

  func file(in folder: Int64, named name: FilePath) throws -> FileRow? {
    try FileRow.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM file WHERE folder = ? AND name = ? AND removed = 0"),
      arguments: [folder, Data(name.bytes)])
  }

  /// The files that the index has with this content, and where.
  func files(with content: ContentID) throws -> [(row: FileRow, path: FilePath)] {
    try AssetQueries.Located.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(AssetQueries.columns) FROM file JOIN folder ON folder.id = file.folder
          WHERE content = ? AND removed = 0
          """), arguments: [content]
    ).map { ($0.file, $0.folder.appending($0.file.name)) }
  }

  /// The file that vanished with this content: that very file, as when it comes back from the trash, else the last copy.
  func removedFile(_ file: ExaminedFile) throws -> FileRow? {
    let status = file.found.status
    return try FileRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT * FROM file WHERE content = ? AND removed <> 0
          ORDER BY (device = ? AND inode = ?) DESC, removed DESC LIMIT 1
          """),
      arguments: [
        file.content, Int64(bitPattern: status.device), Int64(bitPattern: status.inode),
      ])
  }

  /// Adds a file that the index doesn't know; under an identifier that was promised, where that is still free.
  mutating func insert(_ file: ExaminedFile, in folder: Int64, id promised: UUID? = nil) throws {
    let id =
      if let promised, try isFree(promised) { promised } else { try freeID(for: file.content) }
    var row = FileRow(file, in: folder, id: id, added: now)
    try makeRoom(for: row.name, in: folder, besides: nil)
    try row.save(in: db)
    guard row.isItem else { return }
    before[id] = .some(nil)
    touched.insert(Group(folder: folder, stem: row.stem))
  }

  /// Notes where a known file is now and what it holds.
  mutating func update(_ row: FileRow, with file: ExaminedFile, in folder: Int64) throws {
    var row = row
    try remember(row)
    row.content = file.content
    row.info = file.info
    row.isItem = file.isItem
    row.sidecar = file.found.sidecar?.state
    try place(&row, at: file.found, in: folder)
  }

  /// Notes where a known file is now; its content is what it was.
  mutating func move(_ row: FileRow, to found: FoundFile, in folder: Int64) throws {
    var row = row
    try remember(row)
    try place(&row, at: found, in: folder)
  }

  private mutating func place(_ row: inout FileRow, at found: FoundFile, in folder: Int64) throws {
    try makeRoom(for: found.name, in: folder, besides: row.row)
    let name = AssetName(found.name)
    (row.folder, row.name, row.status) = (folder, found.name, found.status)
    (row.stem, row.role, row.removed) = (name.stem, name.role, 0)
    try row.save(in: db)
    touched.insert(Group(folder: folder, stem: row.stem))
  }

  /// A row of another process may be where a file is now.
  private mutating func makeRoom(for name: FilePath, in folder: Int64, besides row: Int64?) throws {
    if let other = try file(in: folder, named: name), other.row != row { try remove(other) }
  }

  /// Notes that a file is gone.
  mutating func remove(_ row: FileRow) throws {
    guard row.removed == 0 else { return }
    try remember(row)
    try db.cachedStatement(sql: "UPDATE file SET removed = ?, isDefault = 0 WHERE row = ?")
      .execute(arguments: [now, row.row])
  }

  /// Forgets files that are gone for long.
  ///
  /// Those of which an album speaks are kept, so that they are known when they come back, and those after which
  /// another file's asset is called.
  func forget(removedBefore limit: Int64) throws {
    try db.execute(
      sql: """
        DELETE FROM file WHERE removed <> 0 AND removed < ?
        AND NOT EXISTS (SELECT 1 FROM member WHERE member.asset = file.asset)
        AND NOT EXISTS (
          SELECT 1 FROM file AS other WHERE other.asset = file.id AND other.row <> file.row)
        """, arguments: [limit])
  }

  /// An identifier that no other file has.
  func freeID(for content: ContentID, besides taken: Set<UUID> = []) throws -> UUID {
    for copy in 0... {
      let id = content.fileID(copy: copy)
      if !taken.contains(id), try isFree(id) { return id }
    }
    fatalError("unreachable")
  }

  private func isFree(_ id: UUID) throws -> Bool {
    try !Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE id = ?)"), arguments: [id])!
  }

  /// Whether somebody put the file's asset into an album.
  func isInAlbum(_ row: FileRow) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM member WHERE asset = ?)"),
      arguments: [row.asset])!
  }

  // MARK: Assets

  /// Keeps in mind how the file's asset and the files around it are, before one of them changes.
  private mutating func remember(_ row: FileRow) throws {
    if row.removed == 0 { touched.insert(Group(folder: row.folder, stem: row.stem)) }
    try remember(asset: row.asset)
  }

  private mutating func remember(asset: UUID) throws {
    guard before[asset] == nil else { return }
    before[asset] = .some(try state(of: asset))
  }

  private func state(of asset: UUID) throws -> AssetState? {
    let rows = try FileRow.fetchAll(
      db.cachedStatement(sql: "SELECT * FROM file WHERE asset = ? AND removed = 0 AND isItem = 1"),
      arguments: [asset])
    return rows.isEmpty ? nil : AssetState(rows)
  }

  /// Groups again what was touched, and logs what became of the assets.
  mutating func finish() throws {
    for group in touched { try regroup(group) }
    for (asset, old) in before { try log(asset, old, try state(of: asset)) }
  }

  private mutating func regroup(_ group: Group) throws {
    let rows = try FileRow.fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM file WHERE folder = ? AND stem = ? AND removed = 0 AND isItem = 1"),
      arguments: [group.folder, Data(group.stem.bytes)])
    for row in rows { try remember(asset: row.asset) }
    for files in AssetGrouping.groups(of: rows) {
      let own = Set(files.compactMap(\.row))
      let asset = try AssetGrouping.identifier(of: files) { try isTaken($0, outside: own) }
      guard let asset else { continue }
      try remember(asset: asset)
      let isBurst = files.count > 1 && files[0].role == .burstMember
      let captureDate = AssetFacts(files[0], files.dropFirst()).captureDate
      for (index, file) in files.enumerated() {
        let isDefault = index == 0
        let date = file.date(takenAt: isDefault ? captureDate : file.info.captureDate)
        guard
          file.asset != asset || file.isDefault != isDefault || file.isBurst != isBurst
            || file.date != date
        else { continue }
        try db.cachedStatement(
          sql: "UPDATE file SET asset = ?, isDefault = ?, isBurst = ?, date = ? WHERE row = ?"
        ).execute(arguments: [asset, isDefault, isBurst, date, file.row])
      }
    }
  }

  private func isTaken(_ asset: UUID, outside group: Set<Int64>) throws -> Bool {
    let rows = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT row FROM file WHERE (asset = ?1 OR id = ?1) AND removed = 0"),
      arguments: [asset])
    return rows.contains { !group.contains($0) }
  }

  private func log(_ asset: UUID, _ old: AssetState?, _ new: AssetState?) throws {
    var kinds: [LoggedChange.Kind] = []
    switch (old, new) {
    case (nil, nil): break
    case (nil, .some): kinds = [.inserted]
    case (.some, nil): kinds = [.removed]
    case (let old?, let new?):
      if old.place != new.place { kinds.append(.moved) }
      if old.content != new.content { kinds.append(.updated) }
    }
    for kind in kinds { try ChangeLog.append(kind, asset, in: db) }
  }
}

/// An asset as far as others notice changes of it.
private struct AssetState: Equatable {
  /// Folder and name of the default file.
  var place: [FilePath]
  /// What the files hold.
  var content: Set<UUID>

  init(_ rows: [FileRow]) {
    let shown = rows.first(where: \.isDefault) ?? rows.first
    place = shown.map { [FilePath("\($0.folder)"), $0.name] } ?? []
    content = Set(rows.map(\.content))
  }
}

extension Int64 {
  /// The time, in nanoseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return time.nanoseconds
  }
}
