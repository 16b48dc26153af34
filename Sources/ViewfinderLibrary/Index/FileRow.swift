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
  var info: MediaInfo
  /// For sorting, in the table: of an asset's default file, the asset's.
  private(set) var date: Int64 = 0

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
    isBurst, added, removed, mimeType, kind, extension, width, height, orientation, date, localSeconds, \
    nanoseconds, offset, latitude, longitude, altitude, duration, previewStart, previewEnd, \
    thumbnailStart, thumbnailEnd, camera, damage, isScreenshot
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
    ]
    arguments += [
      info.type?.mimeType, info.type?.kind.rawValue, info.type?.pathExtension,
      info.storedDimensions?.width, info.storedDimensions?.height, info.orientation.rawValue, date,
      info.captureDate?.localSeconds, info.captureDate?.nanoseconds, info.captureDate?.offset,
    ]
    arguments += [
      info.position?.latitude, info.position?.longitude, info.position?.altitude, info.duration,
      info.preview?.lowerBound, info.preview?.upperBound, info.thumbnail?.lowerBound,
      info.thumbnail?.upperBound, info.camera, info.damage, ScreenshotNames.match(name),
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
    self.row = row["row"]
    folder = row["folder"]
    name = FilePath(data: row["name"])
    status = FileStatus(row)
    content = row["content"]
    id = row["id"]
    asset = row["asset"]
    stem = FilePath(data: row["stem"])
    role = AssetRepresentation.Role(rawValue: row["role"]) ?? .original
    isItem = row["isItem"]
    isDefault = row["isDefault"]
    isBurst = row["isBurst"]
    added = row["added"]
    removed = row["removed"]
    info = MediaInfo(row)
    date = row["date"]
  }
}

extension FilePath {
  init(data: Data) { self.init(bytes: Array(data)) }
}

extension FileStatus {
  /// A regular file's, from the index.
  init(_ row: Row) {
    kind = .file
    size = row["size"]
    device = UInt64(bitPattern: row["device"] as Int64)
    inode = UInt64(bitPattern: row["inode"] as Int64)
    modified = row["modified"]
    changed = row["changed"]
  }
}

extension MediaInfo {
  fileprivate init(_ row: Row) {
    if let mimeType: String = row["mimeType"], let kind: String = row["kind"] {
      type = ContentType(
        mimeType: mimeType, kind: ContentType.Kind(rawValue: kind) ?? .image,
        pathExtension: row["extension"] ?? "")
    }
    if let width: Int = row["width"], let height: Int = row["height"] {
      storedDimensions = Dimensions(width: width, height: height)
    }
    orientation = ImageOrientation(rawValue: row["orientation"]) ?? .up
    if let seconds: Int64 = row["localSeconds"] {
      captureDate = CaptureDate(
        localSeconds: seconds, nanoseconds: row["nanoseconds"], offset: row["offset"])
    }
    if let latitude: Double = row["latitude"], let longitude: Double = row["longitude"] {
      position = GeoPosition(latitude: latitude, longitude: longitude, altitude: row["altitude"])
    }
    duration = row["duration"]
    preview = Self.range(row["previewStart"], row["previewEnd"])
    thumbnail = Self.range(row["thumbnailStart"], row["thumbnailEnd"])
    camera = row["camera"]
    damage = row["damage"]
  }

  private static func range(_ start: Int?, _ end: Int?) -> Range<Int>? {
    guard let start, let end, start <= end else { return nil }
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
