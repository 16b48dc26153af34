import Foundation
import Testing

@testable import Viewfinder

/// A session over a simulated camera, stopped at the end of a test.
struct Rig: ~Copyable {
  let camera: SimulatedCamera
  let session: CaptureSession

  /// Limits that a machine under load keeps, with sanitizers and all: a slow camera is none that
  /// stalls.
  static let patience: CaptureLimits = {
    var limits = CaptureLimits()
    limits.firstFrame = 60
    limits.stall = 60
    limits.start = 120
    limits.still = 120
    return limits
  }()

  init(
    limits: CaptureLimits = patience,
    _ change: (inout SimulatedCamera.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    change(&configuration)
    let session = try CaptureSession(limits: limits, preset: .low)
    camera = try SimulatedCamera(configuration)
    self.session = session
  }

  var device: CaptureDevice { camera.device }

  /// Connects the camera with outputs and starts.
  func start(_ outputs: CaptureOutput...) async throws {
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera.device))
      for output in outputs { try session.addOutput(output) }
    }
    try await session.startRunning()
  }

  /// Makes the camera deliver one layout and size.
  func choose(_ format: PixelFormat, _ size: Dimensions) throws {
    let wanted = try #require(
      device.formats.first { $0.pixelFormat == format && $0.dimensions == size })
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(wanted) }
  }

  deinit { session.stopRunningAndWait() }
}

extension Dimensions {
  static let vga = Dimensions(width: 640, height: 480)
  static let qvga = Dimensions(width: 320, height: 240)
}

/// Photos and settings for tests.
extension CapturePhotoSettings {
  static func make(_ change: (inout CapturePhotoSettings) -> Void) -> CapturePhotoSettings {
    var settings = CapturePhotoSettings()
    settings.embedsThumbnail = false
    change(&settings)
    return settings
  }
}

/// Collects values from any thread.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func append(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}

/// A value that closures on any thread share.
final class Shared<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  init(_ value: Value) { storage = Mutex(value) }

  var value: Value {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  func withLock<R: Sendable>(_ body: (inout Value) -> R) -> R { storage.withLock { body(&$0) } }
}

/// Waits until a condition holds; `false` when it still doesn't after a minute.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<6000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return condition()
}

/// The first event that `match` takes, or `nil` when none comes within a minute.
func firstEvent<R: Sendable>(
  _ events: AsyncStream<CaptureSession.Event>,
  _ match: @escaping @Sendable (CaptureSession.Event) -> R?
) async -> R? {
  await withTaskGroup(of: R?.self) { group in
    group.addTask {
      for await event in events {
        if let result = match(event) { return result }
      }
      return nil
    }
    group.addTask {
      try? await Task.sleep(for: .seconds(60))
      return nil
    }
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
}

/// Mean luma of the cells of an 8 × 8 grid over a picture.
func lumaGrid(_ buffer: PixelBuffer) throws -> [Double] {
  let grey = try buffer.converted(to: .grey)
  let size = grey.dimensions
  let stride = grey.bytesPerRow()
  let bytes = grey.bytes()
  return (0..<64).map { cell in
    let columns = (cell % 8) * size.width / 8..<(cell % 8 + 1) * size.width / 8
    let rows = (cell / 8) * size.height / 8..<(cell / 8 + 1) * size.height / 8
    var sum = 0
    for y in rows {
      for x in columns {
        sum += Int(bytes[y * stride + x])
      }
    }
    return Double(sum) / Double(max(rows.count * columns.count, 1))
  }
}

/// The pixel at a point as red, green, blue and alpha.
func pixel(_ buffer: PixelBuffer, x: Int, y: Int) throws -> [Int] {
  let rgba = try buffer.converted(to: .rgba32)
  let offset = y * rgba.bytesPerRow() + 4 * x
  let bytes = rgba.bytes()
  return (0..<4).map { Int(bytes[offset + $0]) }
}

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "viewfinder-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Photos with known content, which are not part of the project.
enum TestData {
  static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["VIEWFINDER_TEST_DATA"]
    let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../shared/data").standardizedFileURL
    let url = environment.map { URL(fileURLWithPath: $0) } ?? beside
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  static let isPresent = folder != nil

  struct Card: Sendable, CustomTestStringConvertible {
    let file: String
    let size: Dimensions
    let corners: [CGPoint]
    var testDescription: String { file }
  }

  /// The photos of cards, with their corners in units of the upright picture.
  static let cards: [Card] = {
    guard let folder,
      let data = try? Data(contentsOf: folder.appendingPathComponent("cards/corners.json")),
      let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let images = root["images"] as? [[String: Any]]
    else { return [] }
    return images.compactMap { image in
      guard let file = image["file"] as? String, let width = image["width"] as? Int,
        let height = image["height"] as? Int,
        let quad = (image["objects"] as? [[String: Any]])?.first?["quad"] as? [[Double]]
      else { return nil }
      // Integers are pixel centres there.
      let corners = quad.map {
        CGPoint(x: ($0[0] + 0.5) / Double(width), y: ($0[1] + 0.5) / Double(height))
      }
      return Card(file: file, size: Dimensions(width: width, height: height), corners: corners)
    }
  }()

  static func file(_ path: String) throws -> Data {
    try Data(contentsOf: #require(folder).appendingPathComponent(path))
  }
}

extension PixelBuffer {
  /// A grey picture that gets brighter to the right and, more so, downwards.
  static func gradient(_ size: Dimensions) throws -> PixelBuffer {
    var bytes = Data(capacity: size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        bytes.append(UInt8(60 * x / size.width + 180 * y / size.height))
      }
    }
    return try PixelBuffer(pixelFormat: .grey, dimensions: size, data: bytes)
  }
}

extension CaptureSession {
  convenience init(limits: CaptureLimits, preset: Preset) throws {
    self.init(limits: limits)
    try setSessionPreset(preset)
  }
}

extension CaptureLimits {
  /// The same for a camera that stalls while a test waits for it.
  var soonStalled: CaptureLimits {
    var limits = self
    limits.stall = 1
    return limits
  }
}
