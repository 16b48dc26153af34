import FaultInjection
import Foundation

/// A way in which frames arrive wrong, and what shall become of them.
struct FrameDamage: Sendable, CustomStringConvertible {
  enum Fate: Sendable {
    /// It doesn't arrive, and counts as corrupt.
    case withheld
    /// It arrives as good as any.
    case mended
    /// It arrives with the time of its arrival, and counts as restamped.
    case restamped
    /// It arrives with a number of its own.
    case renumbered
    /// It arrives, and those that the driver left out count as lost.
    case lost
    /// It doesn't arrive; what it came in is the driver's affair.
    case ignored
  }

  let name: String
  let isJPEG: Bool
  let fate: Fate
  let apply: @Sendable (inout DequeuedFrame) -> Void

  var description: String { "\(isJPEG ? "MJPEG" : "YUYV"), \(name)" }

  init(
    _ name: String, isJPEG: Bool, _ fate: Fate = .withheld,
    _ apply: @escaping @Sendable (inout DequeuedFrame) -> Void
  ) {
    self.name = name
    self.isJPEG = isJPEG
    self.fate = fate
    self.apply = apply
  }

  static let all = ofBytes + ofRows + ofBooks(isJPEG: true) + ofBooks(isJPEG: false)

  /// What happens to a JPEG's bytes.
  private static let ofBytes: [FrameDamage] = [
    jpeg("nothing") { $0.payload = [] },
    jpeg("one byte") { $0.payload = [0xFF] },
    jpeg("cut in its headers") { $0.payload = Array($0.payload.prefix(20)) },
    jpeg("cut after its headers") { $0.cut(behind: .scan) },
    jpeg("cut in half") { $0.payload = Array($0.payload.prefix($0.payload.count / 2)) },
    jpeg("cut before the last block's end") { $0.payload.removeLast(4) },
    jpeg("without start marker") { $0.payload.removeFirst(2) },
    jpeg("with another start marker") { $0.payload.replaceSubrange(0..<2, with: [0xFF, 0xE0]) },
    jpeg("with garbage in front") { $0.payload.insert(contentsOf: [UInt8](1...16), at: 0) },
    jpeg("zeros") { $0.payload = $0.payload.map { _ in 0 } },
    jpeg("ones") { $0.payload = $0.payload.map { _ in 0xFF } },
    jpeg("random bytes") { $0.payload = noise($0.payload.count) },
    jpeg("without frame header") { $0.remove(.frame) },
    jpeg("without quantization tables") { $0.remove(.quantization) },
    jpeg("without scan header") { $0.remove(.scan) },
    jpeg("of no width") { $0.setSize(0, 240) },
    jpeg("of a size beyond its data") { $0.setSize(60000, 60000) },
    jpeg("of a smaller size in its header") { $0.setSize(320, 200) },
    jpeg("of a larger size in its header") { $0.setSize(320, 248) },
    jpeg("with a segment beyond its end") { $0.setLength(of: .frame, 0xFFFF) },
    jpeg("with a segment of no length") { $0.setLength(of: .quantization, 0) },
    jpeg("torn: the half of one and another") {
      $0.payload = Array($0.payload.prefix($0.payload.count / 2)) + $0.payload
    },
    jpeg("with a hole of zeros over its headers") {
      let end = min(200, $0.payload.count)
      $0.payload.replaceSubrange(2..<end, with: [UInt8](repeating: 0, count: end - 2))
    },
    jpeg("cut before the last byte", .mended) { $0.payload.removeLast() },
    jpeg("without end marker", .mended) { $0.payload.removeLast(2) },
    jpeg("with zeros for its end marker", .mended) {
      $0.payload.replaceSubrange(($0.payload.count - 2)..., with: [UInt8](repeating: 0, count: 64))
    },
    jpeg("with half an end marker", .mended) {
      $0.payload.replaceSubrange(($0.payload.count - 2)..., with: [0xD9, 0])
    },
    jpeg("without end marker and Huffman tables", .mended) {
      $0.payload.removeLast(2)
      $0.remove(.huffman)
    },
    jpeg("without end marker before another", .mended) {
      $0.payload = $0.payload.dropLast(2) + $0.payload
    },
    jpeg("without Huffman tables", .mended) { $0.remove(.huffman) },
    jpeg("padded with zeros", .mended) { $0.payload += [UInt8](repeating: 0, count: 512) },
    jpeg("with the end of another behind", .mended) { $0.payload += $0.payload.suffix(300) },
    jpeg("two in one", .mended) { $0.payload += $0.payload },
  ]

  /// What happens to rows of pixels.
  private static let ofRows: [FrameDamage] = [
    FrameDamage("nothing", isJPEG: false) { $0.payload = [] },
    FrameDamage("one byte short", isJPEG: false) { $0.payload.removeLast() },
    FrameDamage("half of it", isJPEG: false) { $0.bytesUsed = $0.payload.count / 2 },
    FrameDamage("one byte", isJPEG: false) { $0.bytesUsed = 1 },
  ]

  /// What a driver says about its buffers.
  private static func ofBooks(isJPEG: Bool) -> [FrameDamage] {
    [
      FrameDamage("flagged", isJPEG: isJPEG) { $0.flags |= 0x40 },
      FrameDamage("larger than its buffer", isJPEG: isJPEG) { $0.bytesUsed = $0.capacity + 1 },
      FrameDamage("of 4 GB", isJPEG: isJPEG) { $0.bytesUsed = .max },
      FrameDamage("numbered 7", isJPEG: isJPEG, .renumbered) { $0.sequence = 7 },
      FrameDamage("numbered backwards", isJPEG: isJPEG, .renumbered) {
        $0.sequence = 1000 &- $0.sequence
      },
      FrameDamage("after a gap", isJPEG: isJPEG, .lost) { $0.sequence *= $0.sequence },
      FrameDamage("without time stamp", isJPEG: isJPEG, .restamped) { $0.seconds = 0 },
      FrameDamage("from before the stream", isJPEG: isJPEG, .restamped) { $0.seconds -= 3600 },
      FrameDamage("from the future", isJPEG: isJPEG, .restamped) { $0.seconds += 3600 },
      FrameDamage("stamped by another clock", isJPEG: isJPEG, .restamped) { $0.flags &= ~0xE000 },
      FrameDamage("in a buffer that there isn't", isJPEG: isJPEG, .ignored) { $0.index = 77 },
      FrameDamage("in one buffer all of them", isJPEG: isJPEG, .ignored) { $0.index = 0 },
    ]
  }

  private static func jpeg(
    _ name: String, _ fate: Fate = .withheld,
    _ apply: @escaping @Sendable (inout DequeuedFrame) -> Void
  ) -> FrameDamage {
    FrameDamage(name, isJPEG: true, fate, apply)
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 12345
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }
}

/// A JPEG's segments.
private enum Segment: UInt8 {
  case frame = 0xC0
  case huffman = 0xC4
  case quantization = 0xDB
  case scan = 0xDA
}

extension DequeuedFrame {
  /// Where the segments of a kind are, markers included.
  private func ranges(of segment: Segment) -> [Range<Int>] {
    var (at, result): (Int, [Range<Int>]) = (2, [])
    while at + 4 <= payload.count, payload[at] == 0xFF {
      let end = at + 2 + Int(payload[at + 2]) << 8 + Int(payload[at + 3])
      if payload[at + 1] == segment.rawValue { result.append(at..<end) }
      guard payload[at + 1] != Segment.scan.rawValue else { break }
      at = end
    }
    return result
  }

  fileprivate mutating func remove(_ segment: Segment) {
    for range in ranges(of: segment).reversed() { payload.removeSubrange(range) }
  }

  fileprivate mutating func cut(behind segment: Segment) {
    if let last = ranges(of: segment).last { payload = Array(payload.prefix(last.upperBound)) }
  }

  fileprivate mutating func setLength(of segment: Segment, _ length: UInt16) {
    guard let first = ranges(of: segment).first else { return }
    payload[first.lowerBound + 2] = UInt8(length >> 8)
    payload[first.lowerBound + 3] = UInt8(length & 0xFF)
  }

  fileprivate mutating func setSize(_ width: UInt16, _ height: UInt16) {
    guard let frame = ranges(of: .frame).first else { return }
    let bytes = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    payload.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 9, with: bytes)
  }
}
