import Foundation

/// What a file is, by its first and last bytes.
struct MediaType: Hashable, Sendable {
  /// As the field `Content-Type` has it.
  let name: String

  /// How many first bytes tell.
  static let headSize = 16
  /// How many last bytes tell.
  static let tailSize = 2

  /// Looks at a file's first and last bytes; what is cut off isn't what it begins as.
  init(head: Data, tail: Data) {
    let bytes = [UInt8](head)
    func text(_ range: Range<Int>) -> String {
      bytes.count < range.upperBound ? "" : String(decoding: bytes[range], as: UTF8.self)
    }
    switch bytes {
    case _ where bytes.starts(with: [0xff, 0xd8, 0xff]) && [UInt8](tail) == [0xff, 0xd9]:
      name = "image/jpeg"
    case _ where bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]):
      name = "image/png"
    case _ where text(0..<4) == "GIF8": name = "image/gif"
    case _ where text(0..<4) == "RIFF" && text(8..<12) == "WEBP": name = "image/webp"
    case _ where text(0..<4) == "RIFF" && text(8..<12) == "AVI ": name = "video/x-msvideo"
    case _ where bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]): name = "video/x-matroska"
    case _ where [[0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a]].contains(Array(bytes.prefix(4))):
      name = "image/tiff"
    case _ where text(4..<8) == "ftyp": name = Self.brands[text(8..<12)] ?? "video/mp4"
    default: name = "application/octet-stream"
    }
  }

  /// Brands of ISO base media files (ISO/IEC 14496-12) that aren't MP4.
  private static let brands = [
    "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
    "mif1": "image/heif", "msf1": "image/heif", "avif": "image/avif", "avis": "image/avif",
    "qt  ": "video/quicktime",
  ]
}
