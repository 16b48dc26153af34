import CViewfinder
import Foundation
import Testing

/// A call that reported failure.
struct CallFailure: Error, CustomStringConvertible {
  let code: Int32
  let description: String
}

/// The sample nearest to a value; `UInt8(clamping:)` takes long without an optimiser.
func sample(_ value: Int) -> UInt8 { value < 0 ? 0 : value > 255 ? 255 : UInt8(value) }

/// An image that owns its memory.
final class Picture {
  typealias Image = UnsafeMutablePointer<vf_image>
  typealias FailurePointer = UnsafeMutablePointer<vf_failure>

  var image = vf_image()
  private var bytes: UnsafeMutablePointer<UInt8>?

  /// What a call makes.
  init(_ make: (Image, FailurePointer) -> Int32) throws {
    var failure = vf_failure()
    let code = make(&image, &failure)
    guard code == 0 else {
      precondition(code == -failure.code, "A call returned another code than it wrote")
      throw CallFailure(code: failure.code, description: words(failure))
    }
  }

  /// A planar, grey or packed image whose bytes are `fill(plane, x, y)`.
  convenience init(
    _ fourcc: UInt32, _ width: Int, _ height: Int, alpha: Bool = false,
    fill: (Int, Int, Int) -> Int = { _, _, _ in 0 }
  ) throws {
    try self.init {
      vf_image_create($0, fourcc, UInt32(width), UInt32(height), alpha ? 1 : 0, $1)
    }
    for index in 0..<4 {
      let plane = self.plane(index)
      guard let data = plane.data else { continue }
      let (columns, rows) = size(ofPlane: index)
      for y in 0..<rows {
        let row = data + y * plane.stride
        for x in 0..<columns { row[x] = sample(fill(index, x, y)) }
      }
    }
  }

  /// A view of bytes as V4L2 lays them out.
  init(viewing bytes: [UInt8], _ fourcc: UInt32, _ width: Int, _ height: Int, stride: Int = 0)
    throws
  {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    self.bytes = copy
    var failure = vf_failure()
    let code = vf_image_view(
      &image, fourcc, UInt32(width), UInt32(height), stride, copy, bytes.count, &failure)
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
  }

  deinit {
    vf_image_free(&image)
    bytes?.deallocate()
  }

  var width: Int { Int(image.width) }
  var height: Int { Int(image.height) }
  var layout: vf_layout { vf_layout_find(image.fourcc)!.pointee }
  var hasAlpha: Bool { image.alpha.data != nil }

  /// Planes 0 to 2; 3 stands for alpha.
  func plane(_ index: Int) -> vf_plane {
    switch index {
    case 0: image.planes.0
    case 1: image.planes.1
    case 2: image.planes.2
    default: image.alpha
    }
  }

  /// The bytes across and the rows of a plane.
  func size(ofPlane plane: Int) -> (Int, Int) {
    guard plane == 1 || plane == 2 else {
      return (plane == 0 ? width * Int(layout.bytes_per_pixel) : width, height)
    }
    let (x, y) = (layout.chroma_shift_x, layout.chroma_shift_y)
    let columns = (width + (1 << x) - 1) >> x
    return (layout.plane_count == 2 ? 2 * columns : columns, (height + (1 << y) - 1) >> y)
  }

  subscript(plane: Int, x: Int, y: Int) -> UInt8 {
    get {
      let plane = self.plane(plane)
      return plane.data![y * plane.stride + x]
    }
    set {
      let plane = self.plane(plane)
      plane.data![y * plane.stride + x] = newValue
    }
  }

  func bytes(ofPlane index: Int) -> [UInt8] {
    let (columns, rows) = size(ofPlane: index)
    let plane = self.plane(index)
    // Tests look at millions of samples, without an optimiser.
    return [UInt8](unsafeUninitializedCapacity: columns * rows) { bytes, count in
      for y in 0..<rows {
        memcpy(bytes.baseAddress! + y * columns, plane.data! + y * plane.stride, columns)
      }
      count = columns * rows
    }
  }

  /// All samples, plane after plane.
  var samples: [[UInt8]] {
    (0..<4).filter { plane($0).data != nil }.map(bytes(ofPlane:))
  }

  // MARK: - What the core makes of it

  func planar() throws -> Picture { try Picture { vf_image_to_planar($0, &image, $1) } }

  func rgb() throws -> Picture { try Picture { vf_image_to_rgb($0, &image, $1) } }

  func converted(to fourcc: UInt32) throws -> Picture {
    try Picture { vf_image_convert($0, fourcc, &image, $1) }
  }

  func oriented(_ orientation: Int) throws -> Picture {
    try Picture { vf_image_orient($0, &image, UInt32(orientation), $1) }
  }

  func cropped(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> Picture {
    try Picture {
      vf_image_crop($0, &image, UInt32(x), UInt32(y), UInt32(width), UInt32(height), $1)
    }
  }

  func scaled(_ width: Int, _ height: Int) throws -> Picture {
    try Picture { vf_image_scale($0, &image, UInt32(width), UInt32(height), $1) }
  }

  func rectified(
    _ corners: [vf_point], _ width: Int, _ height: Int, filter: UInt32 = VF_FILTER_BEST
  ) throws -> Picture {
    try Picture { vf_rectify($0, &image, corners, UInt32(width), UInt32(height), filter, $1) }
  }
}

/// The `errno` value that a call fails with, or nil when it succeeds.
func code(_ body: () throws -> Void) -> Int32? {
  do {
    try body()
    return nil
  } catch let failure as CallFailure {
    return failure.code
  } catch {
    return -1
  }
}

/// The largest difference between two rows of bytes.
func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard a.count == b.count else { return .max }
  return zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

/// Bytes that look random and are the same in every run.
struct Noise: RandomNumberGenerator {
  var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) ^ (state << 31)
  }

  static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var noise = Noise(state: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 20) }
  }
}

/// A layout by name, so that test cases read well.
struct Layout: CustomTestStringConvertible, Sendable {
  let fourcc: UInt32
  let testDescription: String

  init(_ fourcc: UInt32) {
    self.fourcc = fourcc
    testDescription = String(cString: vf_layout_find(fourcc)!.pointee.name)
  }

  static let planar = [VF_GREY, VF_I420, VF_I422, VF_I440, VF_I411, VF_I444].map(Layout.init)
  static let rgb = [VF_RGB24, VF_BGR24, VF_RGBX32, VF_RGBA32, VF_BGRX32, VF_BGRA32].map(Layout.init)
  static let all = planar + rgb + [VF_YUYV, VF_UYVY, VF_NV12, VF_NV21, VF_YV12].map(Layout.init)
}

/// The mean of a small grey picture of an image.
func meanLuma(_ image: inout vf_image) throws -> Double {
  let (width, height) = (min(image.width, 64), min(image.height, 64))
  var pixels = [UInt8](repeating: 0, count: Int(width * height))
  var failure = vf_failure()
  let code = vf_image_luminance(&pixels, width, height, &image, &failure)
  guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
  return Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count)
}
