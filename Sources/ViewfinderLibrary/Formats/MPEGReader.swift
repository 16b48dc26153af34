/// MPEG transport and program streams, which are only recognised: their headers come with the pictures.
enum MPEGReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    if isTransportStream(bytes) { return MediaInfo(type: .mpegTransportStream) }
    // A pack header with the marker bits of MPEG-2 or MPEG-1.
    guard bytes.hasBytes([0, 0, 1, 0xba]), let next = bytes.uint8(at: 4) else { return nil }
    return next & 0xc4 == 0x44 || next & 0xf1 == 0x21 ? MediaInfo(type: .mpegProgramStream) : nil
  }

  /// Packets of 188 bytes that begin with 0x47, or of 192 (AVCHD) where a time comes before it.
  private static func isTransportStream(_ bytes: ByteReader) -> Bool {
    [(188, 0), (192, 4)].contains { length, first in
      (0..<5).allSatisfy { bytes.uint8(at: first + $0 * length) == 0x47 }
    }
  }
}
