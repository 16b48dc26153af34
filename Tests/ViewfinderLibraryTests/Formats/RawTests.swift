import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("Raw files") struct RawTests {
  static func sample(_ name: String) throws -> MediaSample {
    try #require(MediaSample.raws.first { $0.description == name })
  }

  @Test(
    "The largest and the smallest JPEG are found",
    arguments: ["NEF", "ARW", "PEF", "SRW", "3FR", "DNG", "another raw", "CR2", "CR3"])
  func previews(name: String) throws {
    let sample = try Self.sample(name)
    let info = try mediaInfo(sample.bytes)
    #expect(Array(sample.bytes[try #require(info.preview)]) == MediaSample.preview)
    #expect(Array(sample.bytes[try #require(info.thumbnail)]) == MediaSample.thumbnail)
  }

  @Test func orientationAndDateComeFromTheFirstDirectory() throws {
    let info = try mediaInfo(try Self.sample("NEF").bytes)
    #expect(info.orientation == .left)
    #expect(info.dimensions == Dimensions(width: 4000, height: 6000))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_577_934_245))
    #expect(info.camera == "NIKON CORPORATION")
  }

  @Test func canonsBlocksAreExif() throws {
    let info = try mediaInfo(MediaSample.cr3)
    #expect(info.orientation == .left)
    #expect(info.camera == "EOS R")
    #expect(info.captureDate == CaptureDate(localSeconds: 1_612_325_106))
  }

  @Test func olympusPreviewIsInItsNote() throws {
    let sample = try Self.sample("ORF")
    let info = try mediaInfo(sample.bytes)
    #expect(Array(sample.bytes[try #require(info.preview)]) == MediaSample.preview)
  }

  @Test("Panasonic's and Fujifilm's JPEGs know what the rest doesn't", arguments: ["RW2", "RAF"])
  func inner(name: String) throws {
    let sample = try Self.sample(name)
    let info = try mediaInfo(sample.bytes)
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: -12_600))
    let preview = Array(sample.bytes[try #require(info.preview)])
    #expect(preview.starts(with: [0xff, 0xd8]) && preview.suffix(2) == [0xff, 0xd9])
    #expect(preview.count > MediaSample.exif.count)
  }

  @Test func aTIFFOfACameraMakerIsNoRaw() throws {
    let bytes = TIFFBuilder.file([
      [0x100: .short(40), 0x101: .short(30), 0x106: .short(2), 0x10f: .ascii("NIKON")]
    ])
    #expect(try mediaInfo(bytes).type == .tiff)
  }
}
