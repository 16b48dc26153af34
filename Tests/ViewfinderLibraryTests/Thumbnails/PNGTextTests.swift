import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct PNGTextTests {
  private func png() throws -> Data {
    try PixelBuffer.plain(Dimensions(width: 6, height: 4), [9, 9, 9]).pngData()
  }

  private func chunk(_ type: String, _ data: [UInt8], count: UInt32? = nil) -> Data {
    let body = Array(type.utf8) + data
    let words = [count ?? UInt32(data.count), PNGText.crc32(body[...])]
      .map { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    return Data(words[0] + body + words[1])
  }

  private func inserted(_ chunks: Data) throws -> [UInt8] {
    Array(try png().prefix(33) + chunks + png().dropFirst(33))
  }

  @Test func checksumIsTheOneOfTheSpecification() {
    #expect(PNGText.crc32(Array("123456789".utf8)[...]) == 0xcbf4_3926)
    #expect(PNGText.crc32([]) == 0)
  }

  @Test func textsComeBackAndThePictureStays() throws {
    let file = PNGText.inserting(
      ["Thumb::URI": "file:///a", "Comment": "caf\u{e9}", "Empty": "", "No": "\u{20ac}"],
      into: try png())
    let header = try #require(PNGText.read(Array(file)))
    #expect(header.texts == ["Thumb::URI": "file:///a", "Comment": "caf\u{e9}"])
    #expect((header.width, header.height) == (6, 4))
    #expect(try PixelBuffer(decoding: file).dimensions == Dimensions(width: 6, height: 4))
  }

  @Test func fileCutAnywhereIsNoPNG() throws {
    let file = Array(PNGText.inserting(["Thumb::URI": "file:///a"], into: try png()))
    for count in 0..<file.count { #expect(PNGText.read(Array(file.prefix(count))) == nil) }
    #expect(PNGText.read(file) != nil)
  }

  @Test func anyByteMayBeWrong() throws {
    let file = Array(PNGText.inserting(["Thumb::URI": "file:///a"], into: try png()))
    for index in file.indices {
      for value: UInt8 in [0, 0x7f, 0x80, 0xff] {
        var other = file
        other[index] = value
        // Whatever it says, a text with a wrong checksum isn't believed.
        let texts = PNGText.read(other)?.texts ?? [:]
        #expect(texts.isEmpty || texts == ["Thumb::URI": "file:///a"])
      }
    }
  }

  @Test func hostileTextsAreLeftOut() throws {
    let good = chunk("tEXt", Array("Key\0first".utf8))
    let again = chunk("tEXt", Array("Key\0second".utf8))
    let noZero = chunk("tEXt", Array("Keyword".utf8))
    let file = try inserted(good + again + noZero + chunk("tEXt", []) + chunk("zTXt", [1, 0, 0]))
    #expect(PNGText.read(file)?.texts == ["Key": "first"])
    #expect(PNGText.read(try inserted(chunk("tEXt", [1], count: .max))) == nil)
    #expect(PNGText.read(try inserted(chunk("tEXt", [1], count: 0x7fff_ffff))) == nil)
  }
}
