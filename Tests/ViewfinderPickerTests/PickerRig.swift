import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

/// A picker over a simulated camera and a library of its own, which go at the end of a test.
final class PickerRig: Sendable {
  let folder: URL
  let camera: SimulatedCamera
  let second: SimulatedCamera

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-picker-test-\(UUID().uuidString)")
    var simulated = SimulatedCamera.Configuration()
    simulated.source = .scene(.steady)
    camera = try SimulatedCamera(simulated)
    second = try SimulatedCamera(simulated)
    for name in ["Pictures", "captures"] {
      try FileManager.default.createDirectory(
        at: folder.appending(component: name), withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var pictures: URL { folder.appending(component: "Pictures") }
  var captures: URL { folder.appending(component: "captures") }

  /// The names of the photos that were taken and are still there.
  var captured: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: captures.path)) ?? []).sorted()
  }

  var library: PhotoLibrary.Configuration {
    var library = PhotoLibrary.Configuration(roots: [pictures])
    library.indexFolder = folder.appending(component: "index")
    library.thumbnailFolder = folder.appending(component: "thumbnails")
    library.trashFolder = folder.appending(component: "Trash")
    return library
  }

  func configuration(_ change: (inout ImagePicker.Configuration) -> Void = { _ in })
    -> ImagePicker.Configuration
  {
    var configuration = ImagePicker.Configuration()
    configuration.sessionPreset = .low
    configuration.cameras = [camera.device]
    configuration.libraryConfiguration = library
    configuration.captureFolder = captures
    change(&configuration)
    return configuration
  }

  /// A picker that a script drives.
  func picker(
    _ change: (inout ImagePicker.Configuration) -> Void = { _ in },
    script: @escaping @Sendable (ImagePicker) async throws -> Void
  ) -> ImagePicker {
    ImagePicker(configuration(change), presenter: HeadlessPresenter(script))
  }

  /// Puts a picture into the library's folder.
  @discardableResult
  func add(_ name: String, _ data: Data) throws -> URL {
    let url = pictures.appending(component: name)
    try data.write(to: url)
    return url
  }
}

/// Collects values from any thread.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func append(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}

/// A picture with a colour in each quarter: red, green, blue and white, clockwise from the top left.
func quarters(_ width: Int, _ height: Int) throws -> PixelBuffer {
  var bytes: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      switch (2 * x < width, 2 * y < height) {
      case (true, true): bytes += [255, 0, 0, 255]
      case (false, true): bytes += [0, 255, 0, 255]
      case (false, false): bytes += [0, 0, 255, 255]
      case (true, false): bytes += [255, 255, 255, 255]
      }
    }
  }
  return try PixelBuffer(
    pixelFormat: .rgba32, dimensions: Dimensions(width: width, height: height), data: Data(bytes))
}

extension PixelBuffer {
  /// Red, green and blue at a point in units of the picture.
  func color(_ x: Double, _ y: Double) throws -> [Int] {
    let picture = try converted(to: .rgba32)
    let stride = picture.bytesPerRow()
    let column = min(Int(x * Double(dimensions.width)), dimensions.width - 1)
    let row = min(Int(y * Double(dimensions.height)), dimensions.height - 1)
    let bytes = picture.bytes()
    return (0..<3).map { Int(bytes[row * stride + 4 * column + $0]) }
  }

  /// Which of the colours of ``quarters(_:_:)`` is at a point.
  func quarter(_ x: Double, _ y: Double) throws -> String {
    let color = try color(x, y).map { $0 > 127 }
    return switch color {
    case [true, false, false]: "red"
    case [false, true, false]: "green"
    case [false, false, true]: "blue"
    case [true, true, true]: "white"
    default: "\(color)"
    }
  }
}
