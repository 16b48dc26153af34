import Foundation

/// The texts (tEXt chunks) of a PNG file, which say what a thumbnail shows.
///
/// libpng isn't asked for them: it would unpack compressed text of any size.
enum PNGText {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The signature, and a chunk of 13 bytes with its length, type and checksum.
  private static let headerEnd = 8 + 4 + 4 + 13 + 4

  /// What a PNG file says of itself without its pixels.
  struct Header {
    var width: Int
    var height: Int
    /// By keyword; of equal keywords the first counts.
    var texts: [String: String]
  }

  /// Reads all chunks' headers; `nil` for what is no whole PNG file.
  static func read(_ file: [UInt8]) -> Header? {
    guard let size = dimensions(file) else { return nil }
    var header = Header(width: size.width, height: size.height, texts: [:])
    var offset = signature.count
    while let chunk = Chunk(in: file, at: offset) {
      if chunk.type == Array("IEND".utf8) { return header }
      if chunk.type == Array("tEXt".utf8), let (keyword, text) = chunk.text {
        if header.texts[keyword] == nil { header.texts[keyword] = text }
      }
      offset = chunk.end
    }
    return nil
  }

  /// The width and height that a PNG file's first bytes tell.
  static func dimensions(_ file: some Collection<UInt8>) -> (width: Int, height: Int)? {
    let start = Array(file.prefix(headerEnd))
    guard start.starts(with: signature), let chunk = Chunk(in: start, at: signature.count),
      chunk.type == Array("IHDR".utf8), chunk.data.count == 13
    else { return nil }
    return (Int(number(chunk.data.prefix(4))), Int(number(chunk.data.dropFirst(4).prefix(4))))
  }

  /// The file with texts after its header; empty ones, and what isn't Latin-1, are left out.
  static func inserting(_ texts: KeyValuePairs<String, String>, into png: Data) -> Data {
    var chunks = Data()
    for (keyword, text) in texts {
      guard let keyword = latin1(keyword), let text = latin1(text), !text.isEmpty,
        (1...79).contains(keyword.count)
      else { continue }
      chunks += chunk("tEXt", keyword + [0] + text)
    }
    return png.prefix(headerEnd) + chunks + png.dropFirst(headerEnd)
  }

  /// A chunk with its length and its checksum.
  static func chunk(_ type: String, _ data: [UInt8]) -> Data {
    let body = Array(type.utf8) + data
    return Data(bytes(UInt32(clamping: data.count)) + body + bytes(crc32(body[...])))
  }

  private static func latin1(_ text: String) -> [UInt8]? {
    let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    return bytes.count == text.unicodeScalars.count && !bytes.contains(0) ? bytes : nil
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The checksum of PNG, zlib and Ethernet.
  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
  }

  /// A chunk that lies wholly in the file.
  private struct Chunk {
    let type: [UInt8]
    let data: ArraySlice<UInt8>
    /// Where the next one begins.
    let end: Int
    private let isIntact: Bool

    init?(in file: [UInt8], at offset: Int) {
      guard file.count - offset >= 12 else { return nil }
      let count = Int(number(file[offset..<offset + 4]))
      guard count <= file.count - offset - 12 else { return nil }
      type = Array(file[offset + 4..<offset + 8])
      data = file[offset + 8..<offset + 8 + count]
      end = offset + 12 + count
      // Pixels have libpng to check them.
      isIntact =
        type == Array("IDAT".utf8)
        || crc32(file[offset + 4..<end - 4]) == number(file[end - 4..<end])
    }

    /// The keyword and the text of a tEXt chunk.
    var text: (String, String)? {
      guard isIntact, let zero = data.firstIndex(of: 0) else { return nil }
      return (string(data[..<zero]), string(data[(zero + 1)...]))
    }

    private func string(_ bytes: ArraySlice<UInt8>) -> String {
      String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }
}
