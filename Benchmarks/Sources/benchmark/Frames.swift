import CViewfinder
import Foundation

/// A call of the C core that failed.
struct CoreFailure: Error, CustomStringConvertible {
  let description: String

  init(_ failure: vf_failure) {
    let step = failure.step.map { String(cString: $0) } ?? "a call"
    description = "\(step) failed: \(String(cString: strerror(failure.code)))"
  }
}

/// Calls the C core and throws what it reports.
@discardableResult
func call(_ body: (inout vf_failure) -> Int32) throws -> Int32 {
  var failure = vf_failure()
  let result = body(&failure)
  if result < 0 { throw CoreFailure(failure) }
  return result
}

/// A simulated camera that streams as fast as frames are taken.
final class Stream {
  let simulator: OpaquePointer
  let grabber: OpaquePointer
  private(set) var format: vf_format

  init(scene: String, fourcc: UInt32, width: Int, height: Int) throws {
    var failure = vf_failure()
    let simulator = scene.withCString { scene in
      var options = vf_simulator_options()
      options.scene = scene
      options.full_speed = 1
      options.seed = 1
      return vf_simulator_create(&options, &failure)
    }
    guard let simulator else { throw CoreFailure(failure) }
    guard
      let grabber = vf_grabber_open(
        vf_simulator_system(simulator), VF_SIMULATOR_PATH, &failure)
    else {
      vf_simulator_destroy(simulator)
      throw CoreFailure(failure)
    }
    self.simulator = simulator
    self.grabber = grabber
    format = vf_format()
    format.fourcc = fourcc
    format.width = UInt32(width)
    format.height = UInt32(height)
    format.interval = vf_interval(numerator: 1, denominator: 30)
    var options = vf_stream_options()
    options.keeps_late_frames = 1
    try call { vf_grabber_start(grabber, &format, &options, &$0) }
  }

  deinit {
    vf_grabber_close(grabber)
    vf_simulator_destroy(simulator)
  }

  /// Takes a frame, hands it to `body` and gives it back.
  @inline(__always)
  func next<R>(_ body: (UnsafeMutablePointer<vf_frame>) throws -> R) throws -> R {
    var frame: UnsafeMutablePointer<vf_frame>?
    try call { vf_grabber_next(grabber, 1000, &frame, &$0) }
    guard let frame else { throw POSIXError(.ETIMEDOUT) }
    defer { vf_frame_release(frame) }
    return try body(frame)
  }

  /// A frame as an image, without a copy.
  func view(of frame: UnsafeMutablePointer<vf_frame>) throws -> vf_image {
    var view = vf_image()
    try call {
      vf_image_view(
        &view, format.fourcc, format.width, format.height, Int(format.stride),
        frame.pointee.planes.0!, frame.pointee.counts.0, &$0)
    }
    return view
  }

  /// The corners of the card in a frame.
  func card(inFrame sequence: UInt32) throws -> [vf_point] {
    var corners = Array(repeating: vf_point(), count: 4)
    try call { vf_simulator_card(simulator, sequence, format.width, format.height, &corners, &$0) }
    return corners
  }
}

/// A picture that the C core allocated.
final class Picture {
  var image = vf_image()

  init(_ make: (inout vf_image, inout vf_failure) -> Int32) throws {
    try call { make(&image, &$0) }
  }

  deinit { vf_image_free(&image) }

  /// The first plane's rows without what pads them.
  func packedRows(bytesPerRow: Int) -> Data {
    let plane = image.planes.0
    return (0..<height).reduce(into: Data(capacity: bytesPerRow * height)) {
      $0.append(plane.data! + $1 * plane.stride, count: bytesPerRow)
    }
  }

  var width: Int { Int(image.width) }
  var height: Int { Int(image.height) }
}

/// A frame of the card scene (noise, light and shake), as YUYV and as planes.
struct Scene {
  let yuyv: Picture
  let planes422: Picture
  let planes420: Picture

  /// `count` frames of this size.
  static func frames(width: Int, height: Int, count: Int) throws -> [Scene] {
    let stream = try Stream(scene: "card", fourcc: VF_YUYV, width: width, height: height)
    return try (0..<count).map { _ in
      let yuyv = try stream.next { frame in
        var view = try stream.view(of: frame)
        return try Picture { vf_image_convert(&$0, VF_YUYV, &view, &$1) }
      }
      return try Scene(yuyv: yuyv)
    }
  }

  init(yuyv: Picture) throws {
    self.yuyv = yuyv
    planes422 = try Picture { vf_image_convert(&$0, VF_I422, &yuyv.image, &$1) }
    planes420 = try Picture { vf_image_convert(&$0, VF_I420, &yuyv.image, &$1) }
  }

  /// A picture larger than the simulated camera's: one of its frames enlarged, with noise put back.
  static func enlarged(width: Int, height: Int) throws -> Scene {
    let source = try frames(width: 3840, height: 2160, count: 1)[0]
    let large = try Picture {
      vf_image_scale(&$0, &source.planes422.image, UInt32(width), UInt32(height), &$1)
    }
    return try Scene(yuyv: Picture { vf_image_convert(&$0, VF_YUYV, &large.image, &$1) })
      .adding(noise: 2)
  }

  /// The same with the luma of each pixel moved by up to `noise` levels either way.
  func adding(noise: Int) throws -> Scene {
    let planes = planes422
    let luma = planes.image.planes.0
    var random = UInt32(1)
    for row in 0..<planes.height {
      let line = luma.data! + row * luma.stride
      for x in 0..<planes.width {
        random = random &* 1_664_525 &+ 1_013_904_223
        line[x] = UInt8(clamping: Int(line[x]) + Int(random >> 16) % (2 * noise + 1) - noise)
      }
    }
    return try Scene(yuyv: Picture { vf_image_convert(&$0, VF_YUYV, &planes.image, &$1) })
  }
}
