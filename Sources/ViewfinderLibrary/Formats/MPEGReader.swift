import Viewfinder

/// MPEG transport streams, as AVCHD cameras write them, and program streams.
enum MPEGReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    if let stream = TransportStream(bytes) { return stream.info() }
    // A pack header with the marker bits of MPEG-2 or MPEG-1.
    guard bytes.hasBytes([0, 0, 1, 0xba]), let next = bytes.uint8(at: 4) else { return nil }
    guard next & 0xc4 == 0x44 || next & 0xf1 == 0x21 else { return nil }
    var info = MediaInfo(type: .mpegProgramStream)
    info.readMPEGSequence(bytes.bytes(at: 0, count: 64 << 10))
    return info
  }
}

/// An MPEG transport stream (ISO/IEC 13818-1), of which the beginning and the end are read.
struct TransportStream {
  /// Bytes at the beginning with the first picture.
  private static let beginning = 256 << 10
  /// Bytes of one read.
  private static let step = 64 << 10
  /// The first picture's headers come before its data.
  private static let headerLimit = 16 << 10
  private static let packetSize = 188

  private let bytes: ByteReader
  /// Distance from one packet to the next: 188 bytes, or 192 (AVCHD) where a time comes before each.
  private let stride: Int
  /// Where the first packet begins.
  private let first: Int

  init?(_ bytes: ByteReader) {
    let layout = [(188, 0), (192, 4)].first { length, first in
      (0..<5).allSatisfy { bytes.uint8(at: first + $0 * length) == 0x47 }
    }
    guard let layout else { return nil }
    self.bytes = bytes.ordered(.big)
    (stride, first) = layout
  }

  /// A packet of 188 bytes.
  private struct Packet {
    private let bytes: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count == packetSize, bytes.first == 0x47 else { return nil }
      self.bytes = bytes
    }

    private subscript(index: Int) -> Int { Int(bytes[bytes.startIndex + index]) }

    /// Which of the streams it belongs to.
    var stream: Int { (self[1] & 0x1f) << 8 | self[2] }
    /// Whether something begins in it.
    var isStart: Bool { self[1] & 0x40 != 0 }
    private var hasField: Bool { self[3] & 0x20 != 0 }

    var payload: ArraySlice<UInt8> {
      guard self[3] & 0x10 != 0 else { return [] }
      return bytes.dropFirst(hasField ? 5 + self[4] : 4)
    }

    /// The stream's clock (PCR), in ticks of 27 MHz.
    var clock: Int? {
      guard hasField, self[4] >= 7, self[5] & 0x10 != 0 else { return nil }
      let base = (6..<10).reduce(0) { $0 << 8 | self[$1] } << 1 | self[10] >> 7
      return base * 300 + ((self[10] & 1) << 8 | self[11])
    }
  }

  /// The packets that lie whole in a part of the file, one after the other.
  private func forEachPacket(from start: Int, count: Int, _ body: (Packet) -> Bool) {
    let skipped = max(start - first, 0) / stride
    var at = first + skipped * stride
    let end = min(max(start, 0) + count, bytes.count)
    while at < end {
      let packets = max(min(Self.step, end - at) / stride, 1)
      let chunk = bytes.bytes(at: at, count: packets * stride)
      if chunk.isEmpty { return }
      for index in 0..<packets {
        let part = chunk.dropFirst(index * stride).prefix(Self.packetSize)
        if let packet = Packet(part), !body(packet) { return }
      }
      at += packets * stride
    }
  }

  func info() -> MediaInfo {
    var info = MediaInfo(type: .mpegTransportStream)
    var start: (stream: Int, clock: Int)?
    var video: (stream: Int, bytes: [UInt8])?
    forEachPacket(from: 0, count: Self.beginning) { packet in
      if start == nil, let clock = packet.clock { start = (packet.stream, clock) }
      if video == nil, packet.isStart, packet.payload.isVideo { video = (packet.stream, []) }
      if packet.stream == video?.stream { video?.bytes += packet.payload }
      return start == nil || (video?.bytes.count ?? 0) < Self.headerLimit
    }
    if let video { info.readH264(video.bytes) }
    if info.storedDimensions == nil, let video { info.readMPEGSequence(video.bytes) }
    if let start { info.duration = duration(since: start) }
    return info
  }

  /// From a stream's first clock to its last, in seconds.
  private func duration(since start: (stream: Int, clock: Int)) -> Double? {
    var last: Int?
    // It comes every tenth of a second, which may be 400 kB.
    for part in 1...4 where last == nil {
      let length = 2 * Self.step
      forEachPacket(from: bytes.count - part * length, count: length) { packet in
        if packet.stream == start.stream, let clock = packet.clock { last = clock }
        return true
      }
    }
    guard var last else { return nil }
    // The clock begins anew after a day and two hours.
    if last < start.clock { last += 300 << 33 }
    return last == start.clock ? nil : Double(last - start.clock) / 27_000_000
  }
}

extension ArraySlice<UInt8> {
  /// Whether a packet of pictures (PES) begins here.
  fileprivate var isVideo: Bool {
    starts(with: [0, 0, 1]) && count > 3 && (0xe0...0xef).contains(self[startIndex + 3])
  }
}

extension MediaInfo {
  /// Reads the size in the first sequence header of MPEG-1 or MPEG-2.
  mutating func readMPEGSequence(_ bytes: [UInt8]) {
    for unit in StartCodes(bytes) where unit.first == 0xb3 && unit.count > 3 {
      let numbers = unit.dropFirst().prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let (width, height) = (numbers >> 12, numbers & 0xfff)
      if width > 0, height > 0 { setSize(width: width, height: height) }
      return
    }
  }
}

/// What follows each start code (00 00 01) in a stream, up to the next.
struct StartCodes: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    skip()
  }

  /// Goes behind the next start code; returns what comes before it.
  @discardableResult
  private mutating func skip() -> ArraySlice<UInt8> {
    var index = rest.startIndex
    while index + 2 < rest.endIndex {
      if rest[index] == 0, rest[index + 1] == 0, rest[index + 2] == 1 {
        defer { rest = rest[(index + 3)...] }
        return rest[..<index]
      }
      index += 1
    }
    defer { rest = rest[rest.endIndex...] }
    return rest
  }

  mutating func next() -> ArraySlice<UInt8>? { rest.isEmpty ? nil : skip() }
}
