import CViewfinder
import Foundation
import Testing

/// A file of the corpus, and what a robust reader does with it.
struct CorpusFile: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var format: String
  var expect: String
  var status: String
  var width: Int?
  var height: Int?
  var uprightWidth: UInt32?
  var uprightHeight: UInt32?
  var effectiveOrientation: UInt32?
  var components: Int?
  var hasDht: Bool?
  var uprightLuma8X8: [[Double]]?

  var testDescription: String { file }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: Corpus.folder.appending(path: file)))
  }
}

/// Pictures from many cameras and programs, and hostile ones, which aren't part of the package.
enum Corpus {
  static let folder: URL = {
    let root =
      ProcessInfo.processInfo.environment["VIEWFINDER_TEST_DATA"].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/data").standardized
    return root.appending(path: "jpeg")
  }()

  static let files: [CorpusFile] = {
    struct Manifest: Decodable { var images: [CorpusFile] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? Data(contentsOf: folder.appending(path: "manifest.json")) else {
      return []
    }
    do { return try decoder.decode(Manifest.self, from: data).images } catch {
      fatalError("the manifest can't be read: \(error)")
    }
  }()
}

@Suite("Pictures of the corpus", .enabled(if: !Corpus.files.isEmpty, "The test data isn't there."))
struct JPEGCorpusTests {
  /// The mean luma over a grid of 8 × 8.
  static func luma(_ picture: CodecPicture) -> [[Double]] {
    let samples = picture.samples(plane: 0)
    let (width, height) = (Int(picture.width), Int(picture.height))
    return (0..<8).map { row in
      (0..<8).map { column in
        let rows = row * height / 8..<max(row * height / 8 + 1, (row + 1) * height / 8)
        let columns = column * width / 8..<max(column * width / 8 + 1, (column + 1) * width / 8)
        var sum = 0
        for y in rows { for x in columns { sum += Int(samples[y * width + x]) } }
        return Double(sum) / Double(rows.count * columns.count)
      }
    }
  }

  static func upright(_ file: CorpusFile, _ bytes: [UInt8]) throws -> CodecPicture {
    if file.format == "png" { return try PNGTests.decode(bytes).picture.oriented(1) }
    let info = JPEG.inspect(bytes).info
    let orientation = bytes.withUnsafeBufferPointer {
      info.exif_length > 0
        ? vf_exif_orientation($0.baseAddress! + info.exif_offset, info.exif_length) : 1
    }
    #expect(orientation == file.effectiveOrientation)
    return try JPEG.decode(bytes).picture.oriented(orientation)
  }

  @Test(
    "What must decode has the size and the looks that are known",
    arguments: Corpus.files.filter { $0.expect == "decode" })
  func decodes(file: CorpusFile) throws {
    let picture = try Self.upright(file, try file.bytes())
    #expect(picture.width == file.uprightWidth && picture.height == file.uprightHeight)
    guard let known = file.uprightLuma8X8 else { return }
    let tolerance = file.components == 4 ? 16.0 : 8.0
    for (row, knownRow) in zip(Self.luma(picture), known) {
      for (value, expected) in zip(row, knownRow) { #expect(abs(value - expected) <= tolerance) }
    }
  }

  @Test(
    "What can't be decoded fails with words",
    arguments: Corpus.files.filter { $0.expect == "clean error" })
  func fails(file: CorpusFile) throws {
    do {
      _ = try JPEG.decode(file.bytes())
      Issue.record("decoded")
    } catch let failure as CodecFailure {
      #expect([EBADMSG, ENOTSUP, EFBIG].contains(failure.code))
      #expect(failure.description.count > 20, "\(failure)")
    }
  }

  @Test(
    "What may fail does so with a code, or has the size that is known",
    arguments: Corpus.files.filter { $0.expect.contains("or clean") })
  func either(file: CorpusFile) throws {
    do {
      let (picture, _) = try JPEG.decode(file.bytes())
      #expect(Int(picture.width) == file.width && Int(picture.height) == file.height)
    } catch let failure as CodecFailure {
      #expect([EBADMSG, ENOTSUP].contains(failure.code))
    }
  }

  @Test("Lossless JPEG isn't supported, and the error says so")
  func lossless() throws {
    let file = try #require(Corpus.files.first { $0.file.contains("lossless") })
    #expect(failureCode { _ = try JPEG.decode(file.bytes()) } == ENOTSUP)
  }

  @Test(
    "Valid pictures pass the inspection, others don't",
    arguments: Corpus.files.filter {
      $0.format == "jpeg" && ["valid", "truncated", "undecodable"].contains($0.status)
    })
  func verdicts(file: CorpusFile) throws {
    let (damage, info) = JPEG.inspect(try file.bytes())
    #expect((damage == nil) == (file.status == "valid"), "\(damage ?? "")")
    guard file.status == "valid" else { return }
    #expect(Int(info.width) == file.width && Int(info.height) == file.height)
    #expect(Int(info.components) == file.components)
    #expect(file.hasDht == (info.has_huffman_tables == 1) || info.process > 0xC8)
  }

  @Test(
    "The codes of sequential pictures are read as libjpeg reads them",
    arguments: Corpus.files.filter { $0.format == "jpeg" && $0.status == "valid" })
  func codes(file: CorpusFile) throws {
    let bytes = try file.bytes()
    let (damage, info) = JPEG.inspect(bytes, readingCodes: true)
    guard info.process <= 0xC1 else { return }
    #expect(damage == nil)
    let data = JPEG.entropyData(bytes).count
    guard data > 400, let picture = try? JPEG.decode(bytes), picture.warnings == 0 else { return }
    // What was cut out of the middle isn't missed by the markers alone.
    var cut = bytes
    cut.removeSubrange((bytes.count - data / 2 - 32)..<(bytes.count - data / 2))
    guard JPEG.inspect(cut).damage == nil else { return }
    let warnings = try JPEG.decode(cut).warnings
    #expect((JPEG.inspect(cut, readingCodes: true).damage != nil) || warnings == 0)
  }

  @Test(
    "Rewritten pictures decode to the same pixels",
    arguments: Corpus.files.filter { $0.format == "jpeg" && $0.status == "valid" })
  func rewritten(file: CorpusFile) throws {
    let bytes = try file.bytes()
    let exif = try EXIFTests.withFacts(EXIFTests.write)
    let result = try JPEG.rewrite(bytes, segments: [(0xE1, exif)])
    #expect(JPEG.inspect(result).damage == nil)
    #expect(try JPEG.decode(result).picture.samples == JPEG.decode(bytes).picture.samples)
  }

  @Test(
    "EXIF of every file can be carried over",
    arguments: Corpus.files.filter { $0.format == "jpeg" })
  func carriedOver(file: CorpusFile) throws {
    let bytes = try file.bytes()
    let info = JPEG.inspect(bytes).info
    let tiff = Array(bytes[info.exif_offset..<(info.exif_offset + info.exif_length)])
    let payload = try EXIFTests.withFacts(orientation: 5, width: 77) {
      try EXIFTests.update(tiff, &$0)
    }
    let tags = TIFFTags(EXIFTests.tiff(payload))
    #expect(tags.integer("0", 0x0112) == 5 && tags.integer("Exif", 0xA002) == 77)
    #expect(payload.count <= 65_533)
  }
}
