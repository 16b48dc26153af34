import Foundation

/// Looks at the markers of a JPEG, so that nothing else is kept as a picture.
enum JPEGCheck {
  /// In bytes.
  static let largest = 16 << 20

  /// What keeps bytes from being a whole JPEG; `nil` for one.
  static func problem(of data: Data) -> String? {
    guard data.count <= largest else { return "it is larger than 16 MB" }
    let bytes = [UInt8](data)
    guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { return "it isn't a JPEG" }
    guard hasFrame(bytes) else { return "it is a JPEG without a picture" }
    guard bytes.suffix(2) == [0xff, 0xd9] else { return "its end is missing" }
    return nil
  }

  /// Whether a frame header with a size comes before the scan.
  private static func hasFrame(_ bytes: [UInt8]) -> Bool {
    var position = 2
    while position + 9 < bytes.count, bytes[position] == 0xff {
      let marker = bytes[position + 1]
      // Bytes that fill up.
      if marker == 0xff {
        position += 1
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2, marker != 0xda else { return false }
      let isFrame = (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
      if isFrame {
        // Height and width.
        return bytes[position + 5] | bytes[position + 6] != 0
          && bytes[position + 7] | bytes[position + 8] != 0
      }
      position += 2 + length
    }
    return false
  }
}
