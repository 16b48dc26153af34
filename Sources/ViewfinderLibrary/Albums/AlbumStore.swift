import Foundation
import GRDB
import Viewfinder

/// The albums that people made: files beside the photos, mirrored in the index.
struct AlbumStore: Sendable {
  let writer: LibraryWriter
  let roots: [FilePath]

  private var index: IndexDatabase { writer.index }

  /// The folder of the library's own files in a root.
  static let folderName: FilePath = ".viewfinder"

  private static let favoritesName: FilePath = "favorites.json"

  /// The folders in which album files lie.
  static func folders(in root: FilePath) -> [FilePath] {
    [root.appending(folderName), root.appending(folderName).appending("albums")]
  }

  // MARK: Reading

  /// Brings the index up to date with the files that were added, written to or deleted, and with assets
  /// that only turned up after their albums were read.
  func reload() throws(PhotoLibraryError) {
    try writer.write { db in
      // Only now, when no other process writes: else an album that one has just made would count as deleted.
      let found = roots.flatMap(Self.files)
      var known = Dictionary(
        try Mirror.fetchAll(db, sql: "SELECT * FROM album").map { ($0.path, $0) }
      ) { first, _ in first }
      for (path, status) in found {
        let old = known.removeValue(forKey: path)
        if let old, old.isOf(status), old.missing == 0 { continue }
        // A damaged one shows nothing and is left for its owner to mend.
        guard let file = try? Self.read(path) else { continue }
        try mirror(file, at: path, status, old, db)
      }
      for gone in known.values where Self.isGone(gone.path) { try forget(gone.id, db) }
    }
  }

  /// The files that hold no album that can be read, with what is wrong.
  func damagedFiles() -> [(path: FilePath, error: PhotoLibraryError)] {
    roots.flatMap(Self.files).compactMap { path, _ in
      do throws(PhotoLibraryError) {
        _ = try Self.read(path)
        return nil
      } catch {
        return (path, error)
      }
    }
  }

  /// How many of their assets albums have lost.
  func missingMembers(_ db: Database) throws -> [(album: UUID, name: String, count: Int)] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, name, missing + (
          SELECT COUNT(*) FROM member WHERE album = id
          AND NOT EXISTS (SELECT 1 FROM file WHERE asset = member.asset AND isDefault = 1)
        ) AS lost FROM album ORDER BY name
        """)
    return try rows.map {
      (
        try $0.decode(forColumn: "id"), try $0.decode(forColumn: "name"),
        try $0.decode(forColumn: "lost")
      )
    }.filter { $0.2 > 0 }
  }

  private static func files(in root: FilePath) -> [(path: FilePath, status: FileStatus)] {
    folders(in: root).flatMap { folder in
      let names = (try? folder.names()) ?? []
      return names.sorted().compactMap { name -> (path: FilePath, status: FileStatus)? in
        let path = folder.appending(name)
        guard name.pathExtension == "json", !name.isHidden, let status = FileStatus(of: path),
          status.kind == .file
        else { return nil }
        return (path, status)
      }
    }
  }

  /// Whether there is no such file, which is more than that it can't be reached now.
  private static func isGone(_ path: FilePath) -> Bool {
    FileStatus(of: path) == nil && (errno == ENOENT || errno == ENOTDIR)
  }

  private static func read(_ path: FilePath) throws(PhotoLibraryError) -> AlbumFile {
    try AlbumFile(FileReader(path).readAll(limit: 256 << 20), path: path)
  }

  private func mirror(
    _ file: AlbumFile, at path: FilePath, _ status: FileStatus, _ old: Mirror?, _ db: Database
  ) throws {
    let root = root(of: path)
    var assets: [UUID] = []
    var missing = 0
    for entry in file.entries {
      if let asset = try resolve(entry, root, isNew: old == nil, db) {
        assets.append(asset)
      } else {
        missing += 1
      }
    }
    if let old, old.missing > 0, old.missing == missing, old.isOf(status) { return }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO album (id, name, path, size, inode, modified, missing)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        file.id, file.name, Data(path.bytes), status.size, Int64(bitPattern: status.inode),
        status.modified, missing,
      ])
    let before = try UUID.fetchSet(
      db, sql: "SELECT asset FROM member WHERE album = ?", arguments: [file.id])
    try db.execute(sql: "DELETE FROM member WHERE album = ?", arguments: [file.id])
    var seen: Set<UUID> = []
    for (position, asset) in assets.enumerated() where seen.insert(asset).inserted {
      try db.cachedStatement(sql: "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)")
        .execute(arguments: [file.id, position, asset])
    }
    // Other lists show, too, which of their assets are favourites.
    if file.id == AlbumKey.favorites {
      for asset in before.symmetricDifference(seen) {
        try ChangeLog.append(.updated, asset, in: db)
      }
    }
    try ChangeLog.append(old == nil ? .albumInserted : .albumUpdated, file.id, in: db)
  }

  /// The asset that an entry means; `isNew` says that this index doesn't know the album yet.
  private func resolve(
    _ entry: AlbumFile.Entry, _ root: FilePath, isNew: Bool, _ db: Database
  ) throws -> UUID? {
    // Asked only where the identifier isn't enough: albums have thousands of entries.
    func there() throws -> FileRow? {
      try AssetQueries.asset(at: location(entry.path, root), db)?.file
    }
    let known = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE asset = ?)")
    if try Bool.fetchOne(known, arguments: [entry.id])! {
      // Copies of one file have identifiers in the order in which they were found: another one than before.
      if isNew, let there = try there(), there.content == entry.content, there.asset != entry.id {
        try swap(entry.id, there.asset, db)
      }
      return entry.id
    }
    let same = try db.cachedStatement(
      sql: "SELECT asset FROM file WHERE content = ? AND isItem = 1 ORDER BY removed, row LIMIT 1")
    let there = try there()
    let found =
      there?.content == entry.content
      ? there?.asset : try UUID.fetchOne(same, arguments: [entry.content]) ?? there?.asset
    guard let found else { return nil }
    // It was edited before the index was lost: it gets back the identifier that people knew.
    try db.execute(
      sql: "UPDATE file SET asset = ? WHERE asset = ?", arguments: [entry.id, found])
    try ChangeLog.append(.removed, found, in: db)
    try ChangeLog.append(.inserted, entry.id, in: db)
    return entry.id
  }

  /// Gives two assets each other's identifiers.
  private func swap(_ one: UUID, _ other: UUID, _ db: Database) throws {
    let aside = UUID()
    for (old, new) in [(one, aside), (other, one), (aside, other)] {
      for column in ["id", "asset"] {
        try db.execute(
          sql: "UPDATE file SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
      }
    }
    for asset in [one, other] { try ChangeLog.append(.moved, asset, in: db) }
  }

  private func location(_ path: String, _ root: FilePath) -> FilePath {
    if path.hasPrefix("file:"), let url = URL(string: path) { return FilePath(url) }
    guard let url = URL(string: "file:///\(path)") else { return root }
    return root.appending(FilePath(url).relative(to: "/"))
  }

  private func forget(_ album: UUID, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM album WHERE id = ?", arguments: [album])
    try db.execute(sql: "DELETE FROM member WHERE album = ?", arguments: [album])
    try ChangeLog.append(.albumRemoved, album, in: db)
  }

  // MARK: Writing

  /// The album of a name in the first root, which is made when there is none.
  ///
  /// Of several, it is the first one by its identifier, so that all programs find the same.
  func make(named name: String) throws(PhotoLibraryError) -> UUID {
    let folder = roots[0].appending(Self.folderName).appending("albums")
    try folder.makeFolder()
    let lock = try lock(of: folder)
    defer { lock.release() }
    let wanted = name.precomposedStringWithCanonicalMapping
    let there = Self.files(in: roots[0]).compactMap { path, _ in
      (try? Self.read(path)).map { (path: path, file: $0) }
    }.filter {
      $0.file.id != AlbumKey.favorites
        && $0.file.name.precomposedStringWithCanonicalMapping == wanted
    }
    if let found = there.min(by: { $0.file.id.uuidString < $1.file.id.uuidString }) {
      try mirror(found.file, at: found.path)
      return found.file.id
    }
    let file = AlbumFile(id: UUID(), name: name)
    try write(file, to: folder.appending("\(file.id.uuidString.lowercased()).json"))
    return file.id
  }

  /// What an album has, whether the index knows it or not.
  func entries(of album: UUID) throws(PhotoLibraryError) -> [AlbumFile.Entry] {
    try Self.read(path(of: album)).entries
  }

  /// Changes an album: its file first, then the index.
  func edit(
    _ album: UUID, _ change: (inout AlbumFile) throws(PhotoLibraryError) -> Void
  ) throws(PhotoLibraryError) {
    let path = try path(of: album)
    try path.folder.makeFolder()
    let lock = try lock(of: path)
    defer { lock.release() }
    let isThere = FileStatus(of: path) != nil
    if !isThere, album != AlbumKey.favorites {
      throw .notFound(what: "album any more; somebody deleted it")
    }
    var file = isThere ? try Self.read(path) : AlbumFile(id: album, name: "Favorites")
    try change(&file)
    try write(file, to: path)
  }

  private func write(_ file: AlbumFile, to path: FilePath) throws(PhotoLibraryError) {
    try FileDraft.replace(path, with: file.data())
    // The file says what is in the album. Where the index can't be written now, it follows later.
    try? mirror(file, at: path)
  }

  private func mirror(_ file: AlbumFile, at path: FilePath) throws(PhotoLibraryError) {
    guard let status = FileStatus(of: path) else {
      throw .cannotRead(path: path.description, code: errno)
    }
    try writer.write { db in
      let old = try Mirror.fetchOne(
        db, sql: "SELECT * FROM album WHERE id = ?", arguments: [file.id])
      if let old, old.isOf(status), old.path == path { return }
      try mirror(file, at: path, status, old.map { Mirror(id: $0.id, path: path) }, db)
    }
  }

  /// Keeps others from changing the albums in the same root.
  private func lock(of path: FilePath) throws(PhotoLibraryError) -> LibraryLock {
    try LibraryLock(root(of: path).appending(Self.folderName).appending("lock"))
  }

  /// Deletes an album; its photos stay.
  func delete(_ album: UUID) throws(PhotoLibraryError) {
    let path = try path(of: album)
    // Whoever is just changing it would write it again.
    let lock = try lock(of: path)
    defer { lock.release() }
    let code = path.unlink()
    guard code == 0 || code == ENOENT else {
      throw .cannotWrite(path: path.description, code: code)
    }
    // As with changes: what the index can't be told now, it finds out.
    try? writer.write { db in try forget(album, db) }
  }

  private func path(of album: UUID) throws(PhotoLibraryError) -> FilePath {
    if album == AlbumKey.favorites {
      return roots[0].appending(Self.folderName).appending(Self.favoritesName)
    }
    if let path = try knownPath(of: album) { return path }
    // The index may have been made anew just now.
    try reload()
    if let path = try knownPath(of: album) { return path }
    throw .notFound(what: "such album; somebody deleted it")
  }

  private func knownPath(of album: UUID) throws(PhotoLibraryError) -> FilePath? {
    try index.readNow { db in
      try Data.fetchOne(db, sql: "SELECT path FROM album WHERE id = ?", arguments: [album])
    }.map { FilePath(data: $0) }
  }

  private func root(of path: FilePath) -> FilePath {
    roots.first { path.isInside($0) } ?? roots[0]
  }

  /// What an album file says of assets.
  func entries(for assets: [Asset]) throws(PhotoLibraryError) -> [AlbumFile.Entry] {
    let root = roots[0]
    return try assets.map { asset throws(PhotoLibraryError) in
      var (content, path) = (asset.file.content, asset.path)
      // The index doesn't know a photo that was saved when it couldn't be written.
      if asset.file.row != nil {
        guard let found = try index.readNow({ db in try AssetQueries.asset(asset.id, db) }) else {
          throw .notFound(what: "asset \(asset.id.uuidString.lowercased()); it has vanished")
        }
        (content, path) = (found.file.content, found.folder.appending(found.file.name))
      }
      let text = path.isInside(root) ? path.relative(to: root).escaped : path.uri
      return AlbumFile.Entry(id: asset.id, content: content, path: text)
    }
  }

  /// A row of the table `album`.
  private struct Mirror: FetchableRecord {
    var id: UUID
    var path: FilePath
    var size: Int
    /// Another one after each change: times are too coarse to tell two changes apart.
    var inode: UInt64
    var modified: Int64
    /// How many of its assets the index doesn't have.
    var missing: Int

    init(id: UUID, path: FilePath) {
      (self.id, self.path) = (id, path)
      (size, inode, modified, missing) = (0, 0, 0, 0)
    }

    init(row: Row) throws {
      id = try row.decode(forColumn: "id")
      path = try row.path("path")
      size = try row.decode(forColumn: "size")
      inode = try row.unsigned("inode")
      modified = try row.decode(forColumn: "modified")
      missing = try row.decode(forColumn: "missing")
    }

    /// Whether the file is the one that was read.
    func isOf(_ status: FileStatus) -> Bool {
      (size, inode, modified) == (status.size, status.inode, status.modified)
    }
  }
}
