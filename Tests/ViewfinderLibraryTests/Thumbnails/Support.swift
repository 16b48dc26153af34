import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

extension ThumbnailMaker {
  /// Makes a thumbnail and keeps it.
  func thumbnail(
    of item: ThumbnailItem, size: ThumbnailSize, shape: ThumbnailShape = .whole,
    isCancelled: () -> Bool = { false }
  ) throws(PhotoLibraryError) -> PixelBuffer {
    let made = try make(item, size: size, shape: shape, isCancelled: isCancelled)
    made.keep?()
    return made.picture
  }
}

/// A folder with pictures and a cache, which goes away with the object.
final class ThumbnailRig: Sendable {
  let folder: URL
  let cache: ThumbnailCache

  init() throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("viewfinder-thumbnails-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    cache = ThumbnailCache(folder: FilePath(folder).appending("cache/thumbnails"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var maker: ThumbnailMaker { ThumbnailMaker(cache: cache) }

  /// Writes a file that was changed in 2020.
  func write(_ data: Data, name: FilePath = "picture.jpg", age: Int = 1_600_000_000) throws
    -> FilePath
  {
    let path = FilePath(folder).appending(name)
    try data.write(to: path.url)
    setTime(path, age)
    return path
  }

  func setTime(_ path: FilePath, _ seconds: Int) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 123)]
    _ = unsafe path.withCString { unsafe utimensat(AT_FDCWD, $0, times, 0) }
  }

  func item(_ path: FilePath, _ dimensions: Dimensions? = nil) throws -> ThumbnailItem {
    var info = MediaInfo()
    info.type = ContentType(mimeType: "image/jpeg", kind: .image, pathExtension: "jpg")
    info.storedDimensions = dimensions
    return ThumbnailItem(path: path, status: try #require(FileStatus(of: path)), info: info)
  }

  /// A picture of four colours in a file.
  func photo(_ size: Dimensions = .photo, name: FilePath = "picture.jpg") throws -> ThumbnailItem {
    try item(write(PixelBuffer.quadrants(size).jpegData(), name: name), size)
  }

  /// The names below the cache.
  var cached: [String] {
    let path = cache.folder.description
    return (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".png") }.sorted()
  }

  func bytes(_ item: ThumbnailItem, in folderName: String) throws -> Data {
    try Data(contentsOf: cache.path(of: item, in: folderName).url)
  }

  /// Replaces a thumbnail in the cache.
  func replace(_ item: ThumbnailItem, in folderName: String, by data: Data) throws {
    let path = cache.path(of: item, in: folderName)
    try FileManager.default.createDirectory(at: path.folder.url, withIntermediateDirectories: true)
    try data.write(to: path.url)
  }
}

extension Dimensions {
  static let photo = Dimensions(width: 640, height: 480)
}

extension PixelBuffer {
  /// Red and green over blue and white.
  static func quadrants(_ size: Dimensions) throws -> PixelBuffer {
    let colors: [[UInt8]] = [[230, 20, 20], [20, 200, 20], [20, 20, 230], [240, 240, 240]]
    var bytes = Data(capacity: size.area * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        bytes += colors[(y < size.height / 2 ? 0 : 2) + (x < size.width / 2 ? 0 : 1)]
      }
    }
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: bytes)
  }

  static func plain(_ size: Dimensions, _ color: [UInt8]) throws -> PixelBuffer {
    let bytes = Data((0..<size.area).flatMap { _ in color })
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: bytes)
  }

  /// The letters of the colours in the four quadrants' middles, such as "rgbw".
  var letters: String {
    get throws {
      let rgb = try converted(to: .rgb24)
      let (width, height) = (dimensions.width, dimensions.height)
      let bytes = rgb.bytes()
      return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
        let offset = y * height / 4 * rgb.bytesPerRow() + x * width / 4 * 3
        let color = (0..<3).map {
          bytes[offset + $0] > 128
        }
        return switch color {
        case [true, true, true]: "w"
        case [true, false, false]: "r"
        case [false, true, false]: "g"
        case [false, false, true]: "b"
        default: "k"
        }
      }.joined()
    }
  }
}

/// Another program's output; throws when it fails.
func output(
  _ program: String, _ arguments: [String], environment: [String: String] = [:],
  input: Data = Data()
)
  throws -> String
{
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let folder = FileManager.default.temporaryDirectory
  let file = folder.appendingPathComponent("viewfinder-input-\(UUID().uuidString)")
  try input.write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  process.standardInput = try FileHandle(forReadingFrom: file)
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProgramFailure(status: process.terminationStatus)
  }
  return String(decoding: data, as: UTF8.self)
}

struct ProgramFailure: Error {
  var status: Int32
}

/// What of a desktop is there to compare with.
enum Desktop {
  static let python = "/usr/bin/python3"
  static let hasGLib = canImport("from gi.repository import GLib")
  static let hasGNOME = canImport(
    "gi.require_version('GnomeDesktop', '3.0'); from gi.repository import GnomeDesktop, GdkPixbuf")

  private static func canImport(_ line: String) -> Bool {
    (try? output(python, ["-c", "import gi; " + line])) != nil
  }
}
