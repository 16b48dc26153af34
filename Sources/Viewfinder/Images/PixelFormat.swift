/// How a frame's bytes are laid out: V4L2's four-character code.
public struct PixelFormat: RawRepresentable, Hashable, Sendable {
  /// The code, first character in the lowest byte (`V4L2_PIX_FMT_…`).
  public let rawValue: UInt32

  /// Creates a format from V4L2's code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a format from one to four characters such as "YUYV"; `nil` for other lengths.
  ///
  /// Blanks fill up shorter codes, as V4L2 does.
  public init?(_ characters: some StringProtocol) {
    let bytes = Array(characters.utf8)
    guard (1...4).contains(bytes.count) else { return nil }
    rawValue = (0..<4).reduce(0) { code, index in
      code | UInt32(index < bytes.count ? bytes[index] : 0x20) << (8 * UInt32(index))
    }
  }

  /// 4:2:2, packed as Y0 Cb Y1 Cr.
  public static let yuyv = PixelFormat(rawValue: 0x5659_5559)
  /// 4:2:2, packed as Cb Y0 Cr Y1.
  public static let uyvy = PixelFormat(rawValue: 0x5956_5955)
  /// 4:2:0: a Y plane, then interleaved Cb Cr.
  public static let nv12 = PixelFormat(rawValue: 0x3231_564e)
  /// 4:2:0: a Y plane, then interleaved Cr Cb.
  public static let nv21 = PixelFormat(rawValue: 0x3132_564e)
  /// 4:2:0: planes Y, Cb, Cr ("YU12").
  public static let i420 = PixelFormat(rawValue: 0x3231_5559)
  /// 4:2:0: planes Y, Cr, Cb.
  public static let yv12 = PixelFormat(rawValue: 0x3231_5659)
  /// Bytes R, G, B.
  public static let rgb24 = PixelFormat(rawValue: 0x3342_4752)
  /// Bytes B, G, R.
  public static let bgr24 = PixelFormat(rawValue: 0x3352_4742)
  /// Bytes R, G, B, A.
  public static let rgba32 = PixelFormat(rawValue: 0x3432_4241)
  /// Bytes B, G, R, A; Apple's `kCVPixelFormatType_32BGRA`.
  public static let bgra32 = PixelFormat(rawValue: 0x3432_5241)
  /// Y alone.
  public static let grey = PixelFormat(rawValue: 0x5945_5247)
  /// Motion-JPEG: each frame is a JPEG picture.
  public static let mjpeg = PixelFormat(rawValue: 0x4750_4a4d)
  /// JFIF JPEG: each frame is a JPEG picture.
  public static let jpeg = PixelFormat(rawValue: 0x4745_504a)
}

extension PixelFormat: CustomStringConvertible {
  /// The four characters, such as "YUYV", without blanks at the end.
  public var description: String {
    let characters = (0..<4).map { Character(UnicodeScalar(UInt8(rawValue >> (8 * $0) & 0x7f))) }
    return String(characters).trimmingSuffix(while: { $0 == " " || $0 == "\0" })
  }
}

extension String {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, predicate(last) { text.removeLast() }
    return String(text)
  }
}
