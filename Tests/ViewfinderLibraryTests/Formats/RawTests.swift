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

@Suite("Raw files older than Exif") struct OldRawTests {
  @Test("They have a preview", arguments: ["CRW", "X3F"])
  func previews(name: String) throws {
    let sample = try #require(MediaSample.oldRaws.first { $0.description == name })
    let info = try mediaInfo(sample.bytes)
    #expect(Array(sample.bytes[try #require(info.preview)]) == MediaSample.preview)
    if name == "CRW" {
      #expect(Array(sample.bytes[try #require(info.thumbnail)]) == MediaSample.thumbnail)
    }
  }

  @Test func canonsHeapsTellTheDateTheCameraAndTheTurn() throws {
    let info = try mediaInfo(MediaSample.crw())
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .container)
    #expect(info.camera == "Canon EOS 10D")
    #expect(info.orientation == .right)
    #expect(info.damage == nil)
    let other = try mediaInfo(MediaSample.crw(hasZone: false, rotation: 45))
    #expect(other.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    #expect(other.orientation == .up)
    #expect(try mediaInfo(MediaSample.crw(zone: 1 << 20)).captureDate?.offset == nil)
  }

  @Test func minoltasBlockIsExif() throws {
    let info = try mediaInfo(MediaSample.mrw)
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: -12_600))
    #expect(info.captureDateSource == .exif)
    #expect(info.orientation == .right)
  }

  @Test func sigmasPropertiesTellTheDateAndTheCamera() throws {
    let info = try mediaInfo(MediaSample.x3f)
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    #expect(info.camera == "SIGMA SD10")
    #expect(info.orientation == .left)
  }

  @Test func heapsInACircleEnd() throws {
    // An entry that holds the heap itself, once and once again.
    let entry = little(0x300a, 2) + little(26, 4) + little(0, 4)
    let heap = little(2, 2) + entry + entry + little(0, 4)
    let file = try MediaFile(text("II") + little(26, 4) + text("HEAPCCDR") + zeros(12) + heap)
    let info = try HostileMediaTests.expectWithinLimits(file)
    #expect(info.type == .crw && info.damage != nil)
  }
}
