import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("What a file is") struct MediaReaderTests {
  @Test("Every kind is known by its content, with its size", arguments: MediaSample.all)
  func kinds(sample: MediaSample) throws {
    let info = try mediaInfo(sample.bytes)
    #expect(info.type == sample.type)
    #expect(info.storedDimensions == sample.size)
    #expect(info.damage == nil)
  }

  static let foreign: [(String, [UInt8])] = [
    ("text", text("Big MMIIs and GIFs, BM and so on. ")),
    ("zeros", zeros(4096)),
    ("WAV", riffChunk("RIFF", text("WAVE"), riffChunk("fmt ", zeros(16)))),
    ("Ogg", text("OggS") + zeros(100)),
    ("MP3", text("ID3") + zeros(100)),
    ("M4A", VideoSample.file(brand: "M4A ", VideoSample.track("soun"))),
    ("MP4 of sound alone", VideoSample.file(VideoSample.track("soun"))),
    ("Matroska of sound alone", VideoSample.matroska("matroska", trackType: 2)),
    ("a text that begins like a bitmap", text("BM is the mark of bitmaps, not of this text.")),
    ("PDF", text("%PDF-1.7\n") + zeros(50)),
  ]

  @Test("What is neither picture nor video has no type", arguments: foreign)
  func others(name: String, bytes: [UInt8]) throws {
    #expect(try mediaInfo(bytes).type == nil, "\(name)")
  }

  @Test func anEmptyFileHasNoTypeAndSaysWhy() throws {
    let info = try mediaInfo([])
    #expect(info.type == nil)
    #expect(info.damage == "it is empty")
  }

  @Test func whatCannotBeOpenedThrows() {
    #expect(throws: PhotoLibraryError.cannotRead(path: "/nonexistent/a.jpg", code: ENOENT)) {
      try MediaReader.read(FileReader("/nonexistent/a.jpg"))
    }
  }

  @Test("Every JPEG frame header has the size", arguments: 0xc0...0xcf as ClosedRange<UInt8>)
  func frames(marker: UInt8) throws {
    let info = try mediaInfo(jpeg(20, 10, frame: marker))
    let isFrame = ![0xc4, 0xc8, 0xcc].contains(marker)
    #expect(info.type == .jpeg)
    #expect((info.storedDimensions == Dimensions(width: 20, height: 10)) == isFrame)
    #expect((info.damage == nil) == isFrame)
  }

  @Test func aJPEGWithoutItsEndIsWhole() throws {
    #expect(try mediaInfo(jpeg(20, 10).dropLast(2)).damage == nil)
  }

  @Test func exifIsFoundBehindOtherSegmentsAndFillBytes() throws {
    let others =
      jpegSegment(0xe0, text("JFIF\0") + zeros(9)) + jpegSegment(0xe1, text("http://ns.adobe.com/"))
      + [0xff, 0xff, 0xff]
    let info = try mediaInfo(jpeg(20, 10, others + exifSegment(MediaSample.exif)))
    #expect(info.orientation == .right)
    #expect(info.dimensions == Dimensions(width: 10, height: 20))
  }

  @Test func damageIsToldWithWhatIsKnown() throws {
    let cut = try mediaInfo(jpeg(20, 10, exifSegment(MediaSample.exif)).dropLast(26))
    #expect(cut.damage == "it has no frame header")
    #expect(cut.orientation == .right)
    #expect(try mediaInfo(jpeg(20, 0)).damage != nil)
    #expect(try mediaInfo(png(0, 9)).damage != nil)
    #expect(try mediaInfo(Array(png(5, 9).prefix(40))).damage == "it ends before the picture")
    let noIndex = try mediaInfo(Array(VideoSample.file().prefix(40)))
    #expect(noIndex.type == .mpeg4)
    #expect(noIndex.damage == "it has no index (moov)")
  }

  @Test func pngsExifMayFollowTheImageData() throws {
    let info = try mediaInfo(png(30, 20, after: pngChunk("eXIf", MediaSample.exif)))
    #expect(info.orientation == .right)
  }

  @Test func jpeg2000HasExifsDateAndIsNeverTurned() throws {
    let sample = try #require(MediaSample.all.first { $0.description == "JPEG 2000" })
    let info = try mediaInfo(
      sample.bytes + box("uuid", text("JpgTiffExif->JP2"), MediaSample.exif))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: -12_600))
    #expect(info.orientation == .up)
  }

  @Test("JPEG, PNG and WebP are turned by Exif", arguments: ["JPEG", "PNG", "WebP, extended"])
  func exif(name: String) throws {
    let sample = try #require(MediaSample.all.first { $0.description == name })
    let info = try mediaInfo(sample.bytes)
    #expect(info.orientation == .right)
    #expect(info.camera == "Canon EOS R5")
    #expect(info.captureDate?.offset == -12_600)
    #expect(info.position == GeoPosition(latitude: -33.5, longitude: -70.25))
    let preview = try #require(info.preview)
    #expect(Array(sample.bytes[preview]) == jpeg(160, 120))
    #expect(info.thumbnail == nil)
  }
}
