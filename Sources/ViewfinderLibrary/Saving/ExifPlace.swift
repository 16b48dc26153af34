import Foundation

/// Where a picture's Exif data are, or are to be.
struct ExifPlace {
  /// The segment or chunk with the data; empty where there is none yet.
  let range: Range<Int>
  /// The TIFF data; empty where there are none.
  var tiff: Range<Int>

  init(range: Range<Int>, tiff: Range<Int>? = nil) {
    self.range = range
    self.tiff = tiff ?? range.upperBound..<range.upperBound
  }

  /// The Exif segment that readers take: the first that can be read, else the first at all; or right
  /// behind the start marker, as DCF has it.
  static func inJPEG(_ windows: FileWindows) throws(PhotoLibraryError) -> ExifPlace {
    var place: ExifPlace?
    for segment in JPEGSegments(ByteReader(windows)) {
      let content = segment.content
      guard segment.marker == 0xe1, content.hasText("Exif\0") else { continue }
      let tiff = content.part(from: 6)
      let found = ExifPlace(
        range: content.range.lowerBound - 4..<content.range.upperBound, tiff: tiff.range)
      if TIFFBlock(tiff) != nil {
        place = found
        break
      }
      place = place ?? found
    }
    if let failure = windows.failure { throw failure }
    guard !windows.isExhausted else {
      throw .damaged(what: "The JPEG", reason: "it has too many segments")
    }
    return place ?? ExifPlace(range: 2..<2)
  }

  /// Chunks that are passed to find the image data and Exif's chunk: those of a file of gigabytes.
  private static let chunkLimit = 1 << 20

  /// The Exif chunk, which may also stand behind the image data; or right before them.
  static func inPNG(_ windows: FileWindows) throws(PhotoLibraryError) -> ExifPlace {
    var firstData: Int?
    var offset = 8
    for _ in 0..<chunkLimit {
      let header = ByteReader(FileWindows(Data(try windows.read(offset, 8))))
      guard let length = header.uint32(at: 0), let type = header.fourCC(at: 4), type != "IEND",
        length <= windows.size - offset - 12
      else { break }
      let end = offset + 12 + length
      if type == "eXIf" { return ExifPlace(range: offset..<end, tiff: offset + 8..<end - 4) }
      if type == "IDAT", firstData == nil { firstData = offset }
      offset = end
    }
    guard let firstData else {
      throw .damaged(what: "The PNG", reason: "it ends before the picture")
    }
    return ExifPlace(range: firstData..<firstData)
  }
}
