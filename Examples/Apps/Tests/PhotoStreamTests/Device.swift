import Checksums
import FeedClient
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import PhotoStream

/// A server, and devices that share its stream.
struct StreamScene {
  let scratch: Scratch
  let server: FeedServerProcess

  init() async throws {
    scratch = try Scratch()
    server = try await FeedServerProcess(in: scratch.url.appending(component: "server"))
  }

  /// Makes a device.
  func device(_ name: String) async throws -> Device {
    try await Device(name, in: scratch, server.process.address, token: server.token)
  }
}

/// A device with a library, and the stream that it joined.
final class Device: Sendable {
  let pictures: URL
  let library: PhotoLibrary
  let folder: URL
  let settings: StreamSettings

  /// Makes a device; `pictures` are in its library before it joins, `disk` is where it keeps everything.
  init(
    _ name: String, in scratch: Scratch, _ address: String, token: String,
    pictures names: [String] = [], on disk: URL? = nil, fetchesAll: Bool = true
  ) async throws {
    folder = (disk ?? scratch.url).appending(component: name)
    pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    for name in names { try picture(name).write(to: pictures.appending(component: "\(name).jpg")) }
    var configuration = PhotoLibrary.Configuration()
    configuration.roots = [pictures]
    configuration.indexFolder = folder.appending(component: "index")
    library = try await PhotoLibrary.open(configuration)
    _ = try await library.update()
    settings = StreamSettings(
      url: try #require(URL(string: address)), token: token, device: name,
      // File systems tell times by their own ticks.
      since: names.isEmpty ? .distantPast : .now + 0.05, fetchesAll: fetchesAll)
    if !names.isEmpty { try await Task.sleep(for: .milliseconds(100)) }
  }

  /// Where the stream keeps what it knows.
  var place: URL { folder.appending(component: "stream") }

  /// Runs the stream, with other settings if given, while something is done.
  func run(
    _ settings: StreamSettings? = nil, _ body: (PhotoStream) async throws -> Void
  ) async throws {
    let stream = try PhotoStream(library, settings ?? self.settings, folder: place)
    let running = Task { await stream.run() }
    do { try await body(stream) } catch {
      running.cancel()
      await running.value
      throw error
    }
    running.cancel()
    await running.value
  }

  /// Puts a picture where the library finds it.
  @discardableResult
  func add(_ name: String, scale: Int = 1) async throws -> Data {
    let data = try picture(name, scale: scale)
    try await library.save([PhotoResource(.data(data))])
    return data
  }

  /// The files of the photos in the stream's album.
  func album() async throws -> Set<Data> {
    let album = try await library.albums().first { $0.name == PhotoStream.albumName }
    guard let album else { return [] }
    var files: Set<Data> = []
    for try await asset in try await album.assets() {
      files.insert(try await asset.defaultRepresentation.data())
    }
    return files
  }

  /// How many photos the library has.
  func count() async throws -> Int { try await library.album(.all).counts().all }
}

/// A JPEG that is another one for each name, and `scale` times larger than 64 × 48 pixels.
func picture(_ name: String, scale: Int = 1) throws -> Data {
  let digits = Array(BlobName(of: Data(name.utf8)).text.utf8)
  let size = Dimensions(width: 64 * scale, height: 48 * scale)
  let bytes = (0..<size.width * size.height * 3).map { (index: Int) -> UInt8 in
    // Large ones have noise, which takes room.
    digits[(index / 96) % 64] * 2
      ^ (scale > 1 ? UInt8(truncatingIfNeeded: index &* index >> 7) & 63 : 0)
  }
  return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: Data(bytes)).jpegData()
}
