import Foundation
import GRDB
import Viewfinder

/// What the index knows of a file.
struct FileRow: Sendable {
  /// The key in the table; `nil` before it is inserted.
  var row: Int64?
  var folder: Int64
  var name: FilePath
  var status: FileStatus
  var content: ContentID
  /// The file's own identifier, which follows it wherever it goes.
  var id: UUID
  /// The asset to which it belongs: the identifier of one of its files, present or past.
  var asset: UUID
  /// What files of one asset have in common.
  var stem: FilePath
  var role: AssetRepresentation.Role
  var isItem: Bool
  var isDefault = false
  var isBurst = false
  /// When the library first saw it, in nanoseconds since 1970.
  var added: Int64
  /// When it vanished, likewise; 0 for a file that is there.
  var removed: Int64 = 0
  /// Whether all that the index says of it may be wrong: it comes from an index that was given up.
  private(set) var isStale = false
  /// Which state of its sidecar it was read with; `nil` without one.
  var sidecar: Int64?
  var info: MediaInfo
  /// For sorting, in the table: of an asset's default file, the asset's.
  private(set) var date: Int64 = 0

  /// A file that the index doesn't know.
  init(_ file: ExaminedFile, in folder: Int64, id: UUID, added: Int64) {
    let name = AssetName(file.found.name)
    self.folder = folder
    (self.name, status, content) = (file.found.name, file.found.status, file.content)
    (self.id, asset, stem, role) = (id, id, name.stem, name.role)
    (isItem, self.added, info) = (file.isItem, added, file.info)
    sidecar = file.found.sidecar?.state
  }

  /// The local time at which a photo was taken, else at which the file was last changed, in nanoseconds since 1970 of
  /// that clock.
  func date(takenAt date: CaptureDate?) -> Int64 {
    if let date {
      let (nanoseconds, overflow) = date.localSeconds.multipliedReportingOverflow(by: 1_000_000_000)
      if !overflow { return nanoseconds &+ Int64(date.nanoseconds ?? 0) }
    }
    let moment = Date(timeIntervalSince1970: Double(status.modified) / 1_000_000_000)
    return status.modified &+ Int64(TimeZone.current.secondsFromGMT(for: moment)) * 1_000_000_000
  }

  private static let columns = """
    folder, name, size, device, inode, modified, changed, content, id, asset, stem, role, isItem, isDefault, \
    isBurst, added, removed, stale, isIncomplete, mimeType, kind, extension, width, height, orientation, date, localSeconds, \
    nanoseconds, offset, dateSource, latitude, longitude, altitude, duration, previewStart, previewEnd, \
    thumbnailStart, thumbnailEnd, motionStart, motionEnd, contentIdentifier, sidecar, camera, damage, isScreenshot
    """

  private static let insertion =
    "INSERT INTO file (\(columns)) VALUES (\(columns.split(separator: ",").map { _ in "?" }.joined(separator: ",")))"
  private static let update =
    "UPDATE file SET \(columns.split(separator: ",").map { "\($0) = ?" }.joined(separator: ",")) WHERE row = ?"

  /// Inserts or updates the row.
  mutating func save(in db: Database) throws {
    date = date(takenAt: info.captureDate)
    var arguments: StatementArguments = [
      folder, Data(name.bytes), status.size, Int64(bitPattern: status.device),
      Int64(bitPattern: status.inode), status.modified, status.changed, content, id, asset,
      Data(stem.bytes), role.rawValue, isItem, isDefault, isBurst, added, removed,
      false, info.isIncomplete,
    ]
    arguments += [
      info.type?.mimeType, info.type?.kind.rawValue, info.type?.pathExtension,
      info.storedDimensions?.width, info.storedDimensions?.height, info.orientation.rawValue, date,
      info.captureDate?.localSeconds, info.captureDate?.nanoseconds, info.captureDate?.offset,
      info.captureDateSource?.rawValue,
    ]
    arguments += [
      info.position?.latitude, info.position?.longitude, info.position?.altitude, info.duration,
      info.preview?.lowerBound, info.preview?.upperBound, info.thumbnail?.lowerBound,
      info.thumbnail?.upperBound, info.motion?.lowerBound, info.motion?.upperBound,
      info.contentIdentifier, sidecar, info.camera, info.damage, ScreenshotNames.match(name),
    ]
    if let row {
      arguments += [row]
      try db.cachedStatement(sql: Self.update).execute(arguments: arguments)
    } else {
      try db.cachedStatement(sql: Self.insertion).execute(arguments: arguments)
      row = db.lastInsertedRowID
    }
  }
}

extension FileRow: FetchableRecord {
  init(row: Row) throws {
    self.row = try row.decode(forColumn: "row")
    folder = try row.decode(forColumn: "folder")
    name = try row.path("name")
    status = try FileStatus(row)
    content = try row.decode(forColumn: "content")
    id = try row.decode(forColumn: "id")
    asset = try row.decode(forColumn: "asset")
    stem = try row.path("stem")
    role = AssetRepresentation.Role(rawValue: try row.decode(forColumn: "role")) ?? .original
    isItem = try row.decode(forColumn: "isItem")
    isDefault = try row.decode(forColumn: "isDefault")
    isBurst = try row.decode(forColumn: "isBurst")
    added = try row.decode(forColumn: "added")
    removed = try row.decode(forColumn: "removed")
    isStale = try row.decode(forColumn: "stale")
    sidecar = try row.decode(forColumn: "sidecar")
    info = try MediaInfo(row)
    date = try row.decode(forColumn: "date")
  }
}

// What can't be in a column is an error, and no trap: the file may be damaged.
extension Row {
  /// A path or name.
  func path(_ column: String) throws -> FilePath {
    FilePath(data: try decode(forColumn: column))
  }

  /// A number without a sign, which SQLite doesn't have.
  func unsigned(_ column: String) throws -> UInt64 {
    UInt64(bitPattern: try decode(Int64.self, forColumn: column))
  }
}

extension FilePath {
  init(data: Data) { self.init(bytes: Array(data)) }
}

extension FileStatus {
  /// A regular file's, from the index.
  init(_ row: Row) throws {
    kind = .file
    size = try row.decode(forColumn: "size")
    guard size >= 0 else { throw NonsenseInIndex() }
    device = try row.unsigned("device")
    inode = try row.unsigned("inode")
    modified = try row.decode(forColumn: "modified")
    changed = try row.decode(forColumn: "changed")
  }
}

extension MediaInfo {
  fileprivate init(_ row: Row) throws {
    if let mimeType: String = try row.decode(forColumn: "mimeType"),
      let kind: String = try row.decode(forColumn: "kind")
    {
      type = ContentType(
        mimeType: mimeType, kind: ContentType.Kind(rawValue: kind) ?? .image,
        pathExtension: try row.decode(forColumn: "extension") ?? "")
    }
    if let width: Int = try row.decode(forColumn: "width"),
      let height: Int = try row.decode(forColumn: "height")
    {
      setSize(width: width, height: height)
      guard damage == nil else { throw NonsenseInIndex() }
    }
    orientation = ImageOrientation(rawValue: try row.decode(forColumn: "orientation")) ?? .up
    if let seconds: Int64 = try row.decode(forColumn: "localSeconds") {
      captureDate = CaptureDate(
        localSeconds: seconds, nanoseconds: try row.decode(forColumn: "nanoseconds"),
        offset: try row.decode(forColumn: "offset"))
      let source: String? = try row.decode(forColumn: "dateSource")
      captureDateSource = source.flatMap(CaptureDate.Source.init)
    }
    if let latitude: Double = try row.decode(forColumn: "latitude"),
      let longitude: Double = try row.decode(forColumn: "longitude")
    {
      position = GeoPosition(
        latitude: latitude, longitude: longitude, altitude: try row.decode(forColumn: "altitude"))
    }
    duration = try row.decode(forColumn: "duration")
    preview = try Self.range(row, "previewStart", "previewEnd")
    thumbnail = try Self.range(row, "thumbnailStart", "thumbnailEnd")
    motion = try Self.range(row, "motionStart", "motionEnd")
    contentIdentifier = try row.decode(forColumn: "contentIdentifier")
    camera = try row.decode(forColumn: "camera")
    damage = try row.decode(forColumn: "damage")
    isIncomplete = try row.decode(forColumn: "isIncomplete")
  }

  private static func range(_ row: Row, _ start: String, _ end: String) throws -> Range<Int>? {
    guard let start: Int = try row.decode(forColumn: start),
      let end: Int = try row.decode(forColumn: end), 0 <= start, start <= end
    else { return nil }
    return start..<end
  }
}

/// Names that desktops and phones give to pictures of the screen.
enum ScreenshotNames {
  private static let beginnings = [
    "screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "capture d'écran",
    "captura de pantalla",
    "captura de tela", "schermafbeelding", "schermata", "zrzut ekranu", "skärmbild", "skjermbilde",
    "снимок экрана", "屏幕截图", "截图", "スクリーンショット",
  ]

  static func match(_ name: FilePath) -> Bool {
    let text = name.description.lowercased()
    return beginnings.contains { text.hasPrefix($0) }
  }
}
