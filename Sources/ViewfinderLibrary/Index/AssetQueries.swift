import Foundation
import GRDB

/// The order in which to list assets.
public enum AssetOrder: String, Sendable, CaseIterable {
  /// By the time at which they were taken, or last written where that isn't known; oldest first.
  case oldestFirst
  /// By the same time, newest first.
  case newestFirst
  /// By the time at which the library first saw them, last first.
  case recentlyAddedFirst
  /// By file name.
  case name
  /// As the person arranged them; oldest first in albums without an order of their own.
  case manual
}

/// The index's questions.
enum AssetQueries {
  static let columns = "file.*, folder.path AS folderPath, folder.absent AS folderAbsent"
  private static let source = "file JOIN folder ON folder.id = file.folder"

  struct Located: FetchableRecord {
    var file: FileRow
    var folder: FilePath
    /// Whether the folder can't be reached now.
    var isAbsent: Bool
    var isFavorite: Bool
    /// The file's own, until those of other files of the asset are added.
    var facts: AssetFacts

    init(row: Row) throws {
      file = try FileRow(row: row)
      facts = AssetFacts(file)
      folder = try row.path("folderPath")
      isAbsent = try row.decode(Int64.self, forColumn: "folderAbsent") != 0
      isFavorite = row.hasColumn("isFavorite") ? try row.decode(forColumn: "isFavorite") : false
    }
  }

  /// `isFavorite`, as a column.
  private static let favorite =
    "EXISTS (SELECT 1 FROM member WHERE member.album = ?1 AND member.asset = file.asset) AS isFavorite"

  /// The files of an asset, the default one first.
  static func files(of asset: UUID, _ db: Database) throws -> [Located] {
    try Located.fetchAll(
      db,
      sql: """
        SELECT \(columns) FROM \(source) WHERE asset = ? AND removed = 0 AND isItem = 1
        ORDER BY isDefault DESC, role, name
        """, arguments: [asset])
  }

  /// The rows of an album's assets, in order; all, or the first ones.
  static func rows(_ wanted: AssetList.Query, limit: Int, _ db: Database) throws -> [Int64] {
    var query = AlbumQuery(wanted.album, wanted.filter)
    query.sort(wanted.order)
    return try Int64.fetchAll(
      db, sql: "SELECT file.row FROM \(query.sql) LIMIT \(limit)", arguments: query.arguments)
  }

  /// The rows of these assets' default files.
  static func rows(ofAssets ids: Set<UUID>, _ db: Database) throws -> Set<Int64> {
    let statement = try db.cachedStatement(
      sql: "SELECT row FROM file WHERE asset = ? AND isDefault = 1")
    return Set(try ids.compactMap { try Int64.fetchOne(statement, arguments: [$0]) })
  }

  /// For rows of files that stood for their assets and do no longer: the rows of those that do.
  static func replacements(for rows: [Int64], _ db: Database) throws -> [Int64: Int64] {
    let found = try Row.fetchAll(
      db,
      sql: """
        SELECT old.row AS old, new.row AS new FROM json_each(?) AS listed
        JOIN file AS old ON old.row = listed.value AND old.isDefault = 0
        JOIN file AS new ON new.asset = old.asset AND new.isDefault = 1
        """, arguments: ["[\(rows.map(String.init).joined(separator: ","))]"])
    return Dictionary(
      try found.map { (try $0.decode(forColumn: "old"), try $0.decode(forColumn: "new")) }
    ) { first, _ in first }
  }

  /// How many assets of each kind an album has.
  static func counts(of album: AlbumKey, _ filter: AssetFilter, _ db: Database) throws -> [String?:
    Int]
  {
    let query = AlbumQuery(album, filter)
    let rows = try Row.fetchAll(
      db, sql: "SELECT file.kind AS kind, COUNT(*) AS count FROM \(query.sql) GROUP BY file.kind",
      arguments: query.arguments)
    return Dictionary(
      try rows.map { (try $0.decode(forColumn: "kind"), try $0.decode(forColumn: "count")) },
      uniquingKeysWith: +)
  }

  /// How many assets one statement names.
  ///
  /// SQLite goes through all files instead, again and again, when a list is much longer (some 90,000).
  private static let batchSize = 500

  /// The assets in these rows, in their order; gone ones too.
  static func assets(rows: some Collection<Int64>, _ db: Database) throws -> [Located] {
    var assets: [Located] = []
    assets.reserveCapacity(rows.count)
    var rest = Array(rows)[...]
    while !rest.isEmpty {
      let batch = rest.prefix(batchSize)
      rest = rest.dropFirst(batchSize)
      let list = batch.map(String.init).joined(separator: ",")
      let found = try Located.fetchAll(
        db, sql: "SELECT \(columns), \(favorite) FROM \(source) WHERE file.row IN (\(list))",
        arguments: [AlbumKey.favorites])
      let byRow = Dictionary(found.map { ($0.file.row ?? 0, $0) }) { first, _ in first }
      assets += try completed(batch.compactMap { byRow[$0] }, db)
    }
    return assets
  }

  /// Adds what only other files of a batch of assets say.
  private static func completed(_ assets: [Located], _ db: Database) throws -> [Located] {
    let list = assets.compactMap(\.file.row).map(String.init).joined(separator: ",")
    let others = try FileRow.fetchAll(
      db,
      sql: """
        SELECT other.* FROM file AS shown CROSS JOIN file AS other ON other.asset = shown.asset
        WHERE shown.row IN (\(list)) AND other.row <> shown.row AND other.removed = 0
        AND other.isItem = 1
        """)
    guard !others.isEmpty else { return assets }
    let byAsset = Dictionary(grouping: others, by: \.asset)
    return assets.map { asset in
      var asset = asset
      asset.facts = AssetFacts(asset.file, byAsset[asset.file.asset] ?? [])
      return asset
    }
  }

  /// The assets with these identifiers, in that order; those that are gone are left out.
  static func assets(_ ids: [UUID], _ db: Database) throws -> [Located] {
    let statement = try db.cachedStatement(
      sql: "SELECT file.row FROM file WHERE asset = ? AND isDefault = 1")
    let rows = try ids.compactMap { try Int64.fetchOne(statement, arguments: [$0]) }
    return try assets(rows: rows, db)
  }

  static func asset(_ id: UUID, _ db: Database) throws -> Located? {
    try assets([id], db).first
  }

  /// The asset that a file belongs to.
  static func asset(at path: FilePath, _ db: Database) throws -> Located? {
    let id = try UUID.fetchOne(
      db,
      sql: """
        SELECT asset FROM file JOIN folder ON folder.id = file.folder
        WHERE folder.path = ? AND name = ? AND removed = 0 AND isItem = 1
        """, arguments: [Data(path.folder.bytes), Data(path.name.bytes)])
    return try id.flatMap { try asset($0, db) }
  }

  /// The folders that can't be reached, since when, and how many assets they have.
  static func absentFolders(_ db: Database) throws -> [AbsentFolder] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT path, absent, COUNT(file.row) AS count FROM folder
        LEFT JOIN file ON file.folder = folder.id AND file.isDefault = 1
        WHERE absent <> 0 GROUP BY folder.id ORDER BY path
        """)
    return try rows.map { row in
      AbsentFolder(
        url: try row.path("path").url,
        since: Date(
          timeIntervalSince1970: Double(try row.decode(Int64.self, forColumn: "absent")) / 1e9),
        assetCount: try row.decode(forColumn: "count"))
    }
  }

  /// The folders with something to show.
  static func folders(_ db: Database) throws -> [FilePath] {
    try Data.fetchAll(
      db,
      sql: """
        SELECT path FROM folder
        WHERE EXISTS (SELECT 1 FROM file WHERE file.folder = folder.id AND isDefault = 1) ORDER BY path
        """
    ).map { FilePath(data: $0) }
  }
}

/// A query for the assets of an album: what comes after FROM.
private struct AlbumQuery {
  private var source = "file"
  private var conditions = ["file.isDefault = 1"]
  private var order = ""
  private let album: AlbumKey
  private(set) var arguments: StatementArguments = []

  var sql: String {
    "\(source) WHERE \(conditions.joined(separator: " AND "))"
      + (order.isEmpty ? "" : " ORDER BY \(order)")
  }

  init(_ album: AlbumKey, _ filter: AssetFilter) {
    self.album = album
    switch album {
    case .smart(.all), .smart(.recents): break
    case .smart(.videos): add("file.kind = ?", ["video"])
    // Left to itself, SQLite counts by going through all files in the order of their kinds.
    case .smart(.bursts):
      source = "file INDEXED BY assetByBurst"
      add("file.isBurst = 1", [])
    case .smart(.screenshots):
      source = "file INDEXED BY assetByScreenshot"
      add("file.isScreenshot = 1", [])
    case .smart(.cameraRoll):
      add("file.folder IN (SELECT id FROM folder WHERE inCameraRoll = 1)", [])
    case .smart(.favorites), .made:
      source = "member JOIN file ON file.asset = member.asset"
      add("member.album = ?", [album.id])
    case .folder(let path):
      add("file.folder = (SELECT id FROM folder WHERE path = ?)", [Data(path.bytes)])
    }
    if let kinds = filter.kinds {
      let names = kinds.map(\.rawValue).sorted()
      add(
        "file.kind IN (\(names.map { _ in "?" }.joined(separator: ",")))", StatementArguments(names)
      )
    }
    if filter.onlyFavorites {
      add("file.asset IN (SELECT asset FROM member WHERE album = ?)", [AlbumKey.favorites])
    }
    if let captured = filter.captured {
      add(
        "file.date >= ? AND file.date < ?", [captured.lowerBound.local, captured.upperBound.local])
    }
    for (condition, arguments) in filter.searchConditions { add(condition, arguments) }
  }

  private mutating func add(_ condition: String, _ arguments: StatementArguments) {
    conditions.append(condition)
    self.arguments += arguments
  }

  mutating func sort(_ wanted: AssetOrder) {
    order =
      switch wanted {
      case .oldestFirst: "file.date, file.row"
      case .newestFirst: "file.date DESC, file.row DESC"
      case .recentlyAddedFirst: "file.added DESC, file.row DESC"
      case .name: "file.name, file.row"
      case .manual: album.isFilledByHand ? "member.position" : "file.date, file.row"
      }
  }
}

extension Date {
  /// The local time, in nanoseconds since 1970 of that clock, as files are sorted by it.
  fileprivate var local: Int64 {
    let seconds = timeIntervalSince1970 + Double(TimeZone.current.secondsFromGMT(for: self))
    return Int64(min(max(seconds, -9e9), 9e9) * 1_000_000_000)
  }
}
