/// Whether a file has all of what it holds, by its last bytes and the sizes in its headers.
///
/// A program that copies or downloads a file writes it from the front: what is there then looks like a
/// picture, but isn't one yet.
enum Completeness: Sendable {
  case complete
  /// An end is missing that every whole file of this kind has.
  case incomplete
  /// Files of this kind don't tell.
  case unknown

  /// Files of no known kind that are no larger may be the beginning of anything.
  private static let smallest = 4096

  init(of file: FileReader, _ info: MediaInfo, _ ends: FileEnds) {
    let bytes = ByteReader(FileWindows(file))
    guard let type = info.type else {
      self = bytes.count < Self.smallest ? .incomplete : .unknown
      return
    }
    let isWhole: Bool? =
      switch type {
      case .jpeg: Self.hasEndOfImage(file, bytes, ends)
      case .png: ends.last.bytes.suffix(4096).contains(Array("IEND".utf8))
      case .gif: ends.last.bytes.last { $0 != 0 } == 0x3b
      case .webP, .avi: (bytes.ordered(.little).uint32(at: 4) ?? 0) <= bytes.count - 8
      case .bmp: (bytes.ordered(.little).uint32(at: 2) ?? 0) <= bytes.count
      case .heic, .heif, .avif: Self.hasBoxes(bytes, with: "meta")
      case .cr3, .mpeg4, .m4v, .quickTime, .threeGP: Self.hasBoxes(bytes, with: "moov")
      default: nil
      }
    self = isWhole.map { $0 ? .complete : .incomplete } ?? .unknown
  }

  /// Whether all boxes are whole, and one of them tells of what is in the others.
  private static func hasBoxes(_ bytes: ByteReader, with index: String) -> Bool {
    var hasIndex = false
    for box in ISOBoxes(bytes) {
      if box.isCut { return false }
      hasIndex = hasIndex || box.type == index
    }
    return hasIndex
  }

  /// The most that is searched for the end of a JPEG that something follows, such as further pictures.
  private static let searchLimit = 64 << 20

  /// Whether there is an end-of-image marker behind the beginning of the first scan: thumbnails before it have one, too.
  private static func hasEndOfImage(_ file: FileReader, _ bytes: ByteReader, _ ends: FileEnds)
    -> Bool
  {
    let scan = JPEGSegments(bytes).first { $0.marker == JPEGSegments.startOfScan }
    guard let scan else { return false }
    let start = scan.content.range.lowerBound
    let (last, offset) = ends.last
    if hasMarker(last.dropFirst(max(start - offset, 0))) { return true }
    // It may be followed by much.
    var end = offset
    while end > start, bytes.count - end < searchLimit {
      let part = max(start, end - (1 << 20))
      guard let found = try? file.read(at: part, count: end - part + 1) else { return true }
      if hasMarker(found[...]) { return true }
      end = part
    }
    return end > start
  }

  private static func hasMarker(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let place = rest.lastIndex(of: 0xd9) {
      if place > rest.startIndex, rest[place - 1] == 0xff { return true }
      rest = rest[..<place]
    }
    return false
  }
}

extension Collection where Element: Equatable {
  /// Whether these elements are somewhere in it, one after the other.
  fileprivate func contains(_ wanted: [Element]) -> Bool {
    indices.contains { self[$0...].starts(with: wanted) }
  }
}
