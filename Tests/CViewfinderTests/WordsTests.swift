import CViewfinder
import Foundation
import Testing

/// What people read about files that can't be decoded: our words, never those of libjpeg and libpng.
@Suite("Words about damage") struct WordsTests {
  /// What a decoder says; `nil` when it decodes.
  private func said(_ bytes: [UInt8], as kind: String) -> (code: Int32, words: String)? {
    var image = vf_image()
    var failure = vf_failure()
    defer { vf_image_free(&image) }
    let result =
      kind == "PNG"
      ? vf_png_decode(&image, bytes, bytes.count, nil, &failure)
      : vf_jpeg_decode(&image, bytes, bytes.count, nil, nil, &failure)
    return result < 0 ? (failure.code, words(failure)) : nil
  }

  private func jpeg() throws -> [UInt8] {
    try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 24, 16))
  }

  private func place(of marker: UInt8, in bytes: [UInt8]) throws -> Int {
    try #require(bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == marker })
  }

  @Test("A JPEG that can't be decoded is told of in words, with what to do")
  func jpegs() throws {
    let whole = try jpeg()
    let (frame, tables, scan) = (
      try place(of: 0xc0, in: whole), try place(of: 0xc4, in: whole), try place(of: 0xda, in: whole)
    )
    func with(_ changes: (inout [UInt8]) -> Void) -> [UInt8] {
      var bytes = whole
      changes(&bytes)
      return bytes
    }
    let cases: [([UInt8], Int32, String)] = [
      (Array("GIF89a, not a JPEG".utf8), EBADMSG, "it is no JPEG"),
      ([], EBADMSG, "it is empty; copy it again"),
      (Array(whole[..<frame]), EBADMSG, "before the picture begins; copy it again"),
      (Array(whole[..<scan]) + [0xff, 0xd9], EBADMSG, "before the picture begins"),
      (with { $0[frame + 1] = 0xc3 }, ENOTSUP, "lossless or hierarchical; save it as an ordinary"),
      (with { $0[frame + 4] = 12 }, ENOTSUP, "8 bits, as usual; save it as an ordinary JPEG"),
      (with { $0[tables + 5] = 255 }, EBADMSG, "the tables that decode it are damaged"),
      (with { $0[scan + 5] = 99 }, EBADMSG, "its header is damaged; copy it again"),
      (
        with { $0.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xdc, 0xff, 0xdc]) }, EFBIG,
        "too large: 65500 x 65500 pixels; make it smaller"
      ),
    ]
    for (bytes, code, text) in cases {
      let told = try #require(said(bytes, as: "JPEG"), "\(text)")
      #expect(told.code == code && told.words.contains(text), "\(told)")
    }
  }

  @Test("A PNG that can't be decoded is told of in words, with what to do")
  func pngs() throws {
    func file(
      depth: UInt8 = 8, type: UInt8 = 0, rows: [UInt8] = [0, 1, 2, 0, 3, 4],
      chunks: [(String, [UInt8])] = []
    ) -> [UInt8] {
      PNGTests.file(width: 2, height: 2, depth: depth, type: type, rows: rows, chunks: chunks)
    }
    var sum = file()
    sum[sum.count - 14] ^= 1
    let signature = Array(file()[..<8])
    let header = Array(file()[8..<33])
    let cases: [([UInt8], Int32, String)] = [
      (Array("JFIF".utf8), EBADMSG, "it is no PNG"),
      (Array(file().dropLast(20)), EBADMSG, "it ends too early; copy it again"),
      (file(rows: [0, 1, 2]), EBADMSG, "it ends too early; copy it again"),
      (sum, EBADMSG, "a check sum in it is wrong"),
      (
        signature + header + PNGTests.chunk("IDAT", [0x78, 1, 7, 7, 7, 7]), EBADMSG,
        "its compressed data are damaged"
      ),
      (
        signature + header + PNGTests.chunk("IDAT", [1, 2, 3, 4]), EBADMSG,
        "its compressed data are damaged"
      ),
      (file(rows: [9, 1, 2, 9, 3, 4]), EBADMSG, "its compressed data are damaged"),
      (file(type: 3), EBADMSG, "its header is damaged; copy it again"),
      (file(depth: 3), EBADMSG, "its header is damaged; copy it again"),
      (file(chunks: [("ABCD", [1])]), ENOTSUP, "it needs an extension of PNG"),
      (
        PNGTests.file(width: 60000, height: 60000, depth: 8, type: 0, rows: []), EFBIG,
        "too large: 60000 x 60000 pixels; make it smaller"
      ),
    ]
    for (bytes, code, text) in cases {
      let told = try #require(said(bytes, as: "PNG"), "\(text)")
      #expect(told.code == code && told.words.contains(text), "\(told)")
    }
  }

  @Test("A scan that is cut short, or whose codes are wrong, is told of in words")
  func scans() throws {
    let whole = try jpeg()
    let scan = try place(of: 0xda, in: whole)
    func checked(_ bytes: [UInt8]) -> String? {
      var info = vf_jpeg_info()
      var failure = vf_failure()
      return vf_jpeg_verify(bytes, bytes.count, &info, &failure) < 0 ? words(failure) : nil
    }
    #expect(checked(whole) == nil)
    let cut = Array(whole[..<(whole.count - 20)]) + [0xff, 0xd9]
    #expect(checked(cut)?.contains("it is damaged: the scan is cut short") == true)
    var wrong = whole
    for place in scan + 16..<whole.count - 4 where wrong[place - 1] != 0xff && wrong[place] != 0xff
    {
      wrong[place] = 0xfe
    }
    #expect(checked(wrong)?.contains("it is damaged: ") == true)
  }

  @Test("Whatever byte is wrong or missing, the words are ours", arguments: ["JPEG", "PNG"])
  func anyByte(kind: String) throws {
    let whole =
      kind == "JPEG" ? try jpeg() : try PNGTests.encode(CodecPicture.scene(VF_RGB24, 24, 16))
    var told: Set<String> = []
    for place in whole.indices {
      var cases = [Array(whole[..<place])]
      // Among them all kinds of frames: lossless, hierarchical, arithmetic.
      let frames: [UInt8] = whole[place] == 0xc0 ? Array(0xc1...0xcf) : []
      for value in frames + [0, 0xff, whole[place] ^ 1, whole[place] ^ 0x80] {
        var bytes = whole
        bytes[place] = value
        cases.append(bytes)
        if kind == "PNG" { cases.append(Self.summedAgain(bytes)) }
      }
      for bytes in cases { if let said = said(bytes, as: kind) { told.insert(said.words) } }
    }
    #expect(told.count > 4)
    for words in told {
      #expect(words.contains(#/\b(it|its|tables) /#), "\(words)")
      #expect(
        !words.contains(#/lib(jpeg|png)|Bogus|Invalid|Unsupported|Premature|CRC|IHDR|SO[FS]/#),
        "\(words)")
    }
  }

  /// A PNG whose chunks have the check sums of what they hold, however wrong that is.
  private static func summedAgain(_ png: [UInt8]) -> [UInt8] {
    var result = Array(png[..<8])
    var rest = png[8...]
    while rest.count >= 12 {
      let bytes = Array(rest.prefix(8))
      let count = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard count <= rest.count - 12, let name = String(validating: bytes[4...], as: UTF8.self),
        name.utf8.count == 4
      else { return png }
      result += PNGTests.chunk(name, Array(rest.dropFirst(8).prefix(count)))
      rest = rest.dropFirst(count + 12)
    }
    return result
  }
}
