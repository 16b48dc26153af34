import CViewfinder
import Foundation

/// A call of the simulated camera, or of a grabber over it, that failed.
struct SimulatorFailure: Error, CustomStringConvertible {
  var code: Int32
  var description: String

  init(_ failure: vf_failure) {
    code = failure.code
    description = words(failure)
  }
}

/// A simulated camera of any kind.
///
/// Its calls may come from any thread.
final class SimulatorRig: @unchecked Sendable {
  let handle: OpaquePointer

  init(
    scene: String? = nil, replay: String? = nil, rate: Double = 0, once: Bool = false,
    fullSpeed: Bool = true, seed: UInt32 = 1, faults: String? = nil
  ) throws {
    let strings = [scene, replay, faults].map { $0.flatMap { strdup($0) } }
    defer { strings.forEach { free($0) } }
    var options = vf_simulator_options()
    options.scene = strings[0].map { UnsafePointer($0) }
    options.replay = strings[1].map { UnsafePointer($0) }
    options.faults = strings[2].map { UnsafePointer($0) }
    options.replay_rate = rate
    options.replays_once = once ? 1 : 0
    options.full_speed = fullSpeed ? 1 : 0
    options.seed = seed
    var failure = vf_failure()
    guard let handle = vf_simulator_create(&options, &failure) else {
      throw SimulatorFailure(failure)
    }
    self.handle = handle
  }

  deinit { vf_simulator_destroy(handle) }

  /// The code that making a camera fails with, and what it says; 0 when it works.
  static func refusal(scene: String? = nil, replay: String? = nil, faults: String? = nil) -> (
    code: Int32, words: String
  ) {
    do {
      _ = try SimulatorRig(scene: scene, replay: replay, faults: faults)
      return (0, "")
    } catch let failure as SimulatorFailure {
      return (failure.code, failure.description)
    } catch { return (-1, "") }
  }

  func inject(_ faults: String) throws {
    var failure = vf_failure()
    guard vf_simulator_inject(handle, faults, &failure) == 0 else {
      throw SimulatorFailure(failure)
    }
  }

  func corners(_ sequence: UInt32, _ width: UInt32, _ height: UInt32) throws -> [vf_point] {
    var corners = [vf_point](repeating: vf_point(), count: 4)
    var failure = vf_failure()
    guard vf_simulator_card(handle, sequence, width, height, &corners, &failure) == 0 else {
      throw SimulatorFailure(failure)
    }
    return corners
  }

  var leaks: [UInt32] {
    var mapped: UInt32 = 0
    var open: UInt32 = 0
    vf_simulator_leaks(handle, &mapped, &open)
    return [mapped, open]
  }

  /// Opens a grabber for the time of `body`.
  func open(_ body: (SimulatorGrabber) throws -> Void) throws {
    try body(SimulatorGrabber(self))
  }
}

/// A grabber over a simulated camera.
final class SimulatorGrabber {
  /// The camera must outlive its grabbers.
  private let camera: SimulatorRig
  let handle: OpaquePointer
  private(set) var format = vf_format()

  init(_ camera: SimulatorRig) throws {
    var failure = vf_failure()
    let system = vf_simulator_system(camera.handle)
    guard let handle = vf_grabber_open(system, VF_SIMULATOR_PATH, &failure) else {
      throw SimulatorFailure(failure)
    }
    self.camera = camera
    self.handle = handle
  }

  deinit { vf_grabber_close(handle) }

  func modes() throws -> [vf_mode] {
    var rows: UnsafeMutablePointer<vf_mode>?
    var failure = vf_failure()
    let count = vf_grabber_modes(handle, &rows, &failure)
    defer { free(rows) }
    guard count >= 0 else { throw SimulatorFailure(failure) }
    return Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  func controls() throws -> [vf_control] {
    var rows: UnsafeMutablePointer<vf_control>?
    var failure = vf_failure()
    let count = vf_grabber_controls(handle, &rows, &failure)
    defer { free(rows) }
    guard count >= 0 else { throw SimulatorFailure(failure) }
    return Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  @discardableResult func set(_ control: SimulatorControl, _ value: Int64) throws -> Int64 {
    var value = value
    var failure = vf_failure()
    guard vf_grabber_set_control(handle, control.rawValue, &value, &failure) == 0 else {
      throw SimulatorFailure(failure)
    }
    return value
  }

  func start(
    _ fourcc: UInt32 = VF_YUYV, _ width: UInt32 = 640, _ height: UInt32 = 480, rate: UInt32 = 30,
    damaged: Bool = false
  ) throws {
    var format = vf_format()
    var options = vf_stream_options()
    var failure = vf_failure()
    (format.fourcc, format.width, format.height) = (fourcc, width, height)
    format.interval = vf_interval(numerator: 1, denominator: rate)
    options.buffer_count = 4
    options.keeps_late_frames = 1
    options.delivers_damaged_frames = damaged ? 1 : 0
    guard vf_grabber_start(handle, &format, &options, &failure) == 0 else {
      throw SimulatorFailure(failure)
    }
    self.format = format
  }

  func stop() { vf_grabber_stop(handle) }

  var statistics: vf_statistics { vf_grabber_statistics(handle) }

  /// Looks at the next frame.
  func next<Result>(_ body: (vf_frame) throws -> Result) throws -> Result {
    var frame: UnsafeMutablePointer<vf_frame>?
    var failure = vf_failure()
    let code = vf_grabber_next(handle, 20_000, &frame, &failure)
    if code == 0 { failure.code = ETIMEDOUT }
    guard code == 1, let frame else { throw SimulatorFailure(failure) }
    defer { vf_frame_release(frame) }
    return try body(frame.pointee)
  }

  /// The next frame as a picture of its own.
  func picture() throws -> SimulatorPicture {
    try next { try SimulatorPicture($0, format) }
  }

  /// Frame `sequence`, by when automatic exposure has settled.
  func picture(_ sequence: UInt32) throws -> SimulatorPicture {
    while true {
      let picture = try picture()
      if picture.sequence >= sequence { return picture }
    }
  }
}

/// A copy of a frame.
struct SimulatorPicture: Equatable {
  var sequence: UInt32
  var damaged: Bool
  var bytes: [UInt8]
  var width = 0, height = 0
  /// Three bytes a pixel: red, green, blue.
  var pixels: [UInt8] = []
  /// The mean luma, over a grid of samples.
  var brightness = 0.0
  var warnings: UInt32 = 0

  init(_ frame: vf_frame, _ format: vf_format) throws {
    sequence = frame.sequence
    damaged = frame.damaged != 0
    bytes = Array(UnsafeBufferPointer(start: frame.planes.0, count: frame.counts.0))
    guard !damaged else { return }
    var image = vf_image()
    var failure = vf_failure()
    let code =
      format.fourcc == VF_MJPEG
      ? vf_jpeg_decode(&image, bytes, bytes.count, nil, &warnings, &failure)
      : vf_image_view(
        &image, format.fourcc, format.width, format.height, Int(format.stride), frame.planes.0!,
        frame.counts.0, &failure)
    guard code == 0 else { throw SimulatorFailure(failure) }
    defer { vf_image_free(&image) }
    var rgb = vf_image()
    guard vf_image_to_rgb(&rgb, &image, &failure) == 0 else { throw SimulatorFailure(failure) }
    defer { vf_image_free(&rgb) }
    (width, height) = (Int(rgb.width), Int(rgb.height))
    brightness = try meanLuma(&image)
    pixels = Array(unsafeUninitializedCapacity: width * height * 3) { pixels, count in
      for row in 0..<height {
        memcpy(
          pixels.baseAddress! + row * width * 3, rgb.planes.0.data! + row * rgb.planes.0.stride,
          width * 3)
      }
      count = width * height * 3
    }
  }

  /// The mean of red, green and blue, over every seventh pixel.
  var means: [Double] {
    var sums = [0, 0, 0]
    var count = 0
    for i in stride(from: 0, to: pixels.count - 2, by: 21) {
      for channel in 0..<3 { sums[channel] += Int(pixels[i + channel]) }
      count += 1
    }
    return sums.map { Double($0) / Double(count) }
  }

  /// How much neighbours differ in green, over every third pair: noise and sharpness.
  var detail: Double {
    var sum = 0
    var count = 0
    for i in stride(from: 1, to: pixels.count - 3, by: 9) {
      sum += abs(Int(pixels[i]) - Int(pixels[i + 3]))
      count += 1
    }
    return Double(sum) / Double(count)
  }

  /// The mean colour around a point.
  func color(_ x: Double, _ y: Double, radius: Int = 2) -> [Double] {
    var sums = [0, 0, 0]
    var count = 0
    for row in (Int(y) - radius)...(Int(y) + radius) where (0..<height).contains(row) {
      for column in (Int(x) - radius)...(Int(x) + radius) where (0..<width).contains(column) {
        for i in 0..<3 { sums[i] += Int(pixels[(row * width + column) * 3 + i]) }
        count += 1
      }
    }
    return sums.map { Double($0) / Double(max(count, 1)) }
  }
}

/// The controls that the simulated camera has, by their `V4L2_CID_…`.
enum SimulatorControl: UInt32, CaseIterable {
  case brightness = 0x980900
  case contrast = 0x980901
  case saturation = 0x980902
  case whiteBalanceAutomatic = 0x98090c
  case gain = 0x980913
  case horizontalFlip = 0x980914
  case verticalFlip = 0x980915
  case powerLine = 0x980918
  case whiteBalance = 0x98091a
  case exposureAutomatic = 0x9a0901
  case exposure = 0x9a0902
  case exposureDynamic = 0x9a0903
  case focus = 0x9a090a
  case focusAutomatic = 0x9a090c
  case zoom = 0x9a090d
  case flash = 0x9c0901
}

/// A folder that goes away with it.
final class SimulatorFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/viewfinder-simulator-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// A picture of one grey, as JPEG or PNG.
func simulatorPicture(
  _ width: UInt32, _ height: UInt32, grey: UInt8, png: Bool = false
) throws -> [UInt8] {
  var image = vf_image()
  var failure = vf_failure()
  guard vf_image_create(&image, VF_GREY, width, height, 0, &failure) == 0 else {
    throw SimulatorFailure(failure)
  }
  defer { vf_image_free(&image) }
  for row in 0..<Int(height) {
    memset(image.planes.0.data! + row * image.planes.0.stride, Int32(grey), Int(width))
  }
  if png {
    var buffer = vf_buffer()
    guard vf_png_encode(&image, nil, 0, 0, 0, &buffer, &failure) == 0 else {
      throw SimulatorFailure(failure)
    }
    defer { vf_buffer_free(&buffer) }
    return Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
  }
  guard let encoder = vf_encoder_create(&failure) else { throw SimulatorFailure(failure) }
  defer { vf_encoder_destroy(encoder) }
  var options = vf_encode_options()
  var bytes: UnsafePointer<UInt8>?
  var count = 0
  options.quality = 90
  guard vf_encoder_encode(encoder, &image, &options, &bytes, &count, &failure) == 0 else {
    throw SimulatorFailure(failure)
  }
  return Array(UnsafeBufferPointer(start: bytes, count: count))
}
