import Viewfinder

/// The elements of EBML (RFC 8794), one after the other without those inside.
private struct EBMLElements: Sequence, IteratorProtocol {
  struct Element {
    let id: Int
    let content: ByteReader
    /// Whether the file ends before the element does.
    let isCut: Bool
  }

  private let bytes: ByteReader
  private var offset = 0
  private var elementsLeft = 256

  init(_ bytes: ByteReader) { self.bytes = bytes }

  mutating func next() -> Element? {
    guard elementsLeft > 0, let idLength = length(at: offset), idLength <= 4,
      let id = bytes.unsigned(at: offset, size: idLength),
      let sizeLength = length(at: offset + idLength),
      let marked = bytes.unsigned(at: offset + idLength, size: sizeLength)
    else { return nil }
    elementsLeft -= 1
    // All bits set: the size is unknown, and the element goes to the end.
    let mask = 1 << (7 * sizeLength) - 1
    let isUnknown = marked & mask == mask
    let size = isUnknown ? bytes.count : marked & mask
    let start = offset + idLength + sizeLength
    offset = start + size
    return Element(
      id: id, content: bytes.part(from: start, count: size),
      isCut: !isUnknown && offset > bytes.count)
  }

  /// How many bytes a variable-length number has: one more than leading zero bits.
  private func length(at offset: Int) -> Int? {
    guard let first = bytes.uint8(at: offset), first > 0 else { return nil }
    return UInt8(first).leadingZeroBitCount + 1
  }
}

/// Matroska and WebM.
enum MatroskaReader {
  private static let docType = 0x4282
  private static let segment = 0x1853_8067
  private static let info = 0x1549_a966
  private static let timestampScale = 0x2a_d7b1
  private static let duration = 0x4489
  private static let dateUTC = 0x4461
  private static let tracks = 0x1654_ae6b
  private static let trackEntry = 0xae
  private static let trackType = 0x83
  private static let video = 0xe0
  private static let pixelWidth = 0xb0
  private static let pixelHeight = 0xba
  private static let cluster = 0x1f43_b675

  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasBytes([0x1a, 0x45, 0xdf, 0xa3]) else { return nil }
    var elements = EBMLElements(bytes)
    let header = elements.next()?.content
    let type = header.flatMap { child(docType, of: $0)?.text() }
    guard let type, type == "matroska" || type == "webm" else { return MediaInfo() }
    var result = MediaInfo(type: type == "webm" ? .webM : .matroska)
    guard let segment = elements.first(where: { $0.id == Self.segment })?.content else {
      result.note("it has no segment")
      return result
    }
    var hasTracks = false
    for element in EBMLElements(segment) {
      switch element.id {
      case info:
        readInfo(element.content, into: &result)
      case tracks:
        hasTracks = true
        readTracks(element.content, into: &result)
        if element.isCut { result.note("it is cut off") }
      default: break
      }
      // What comes behind the first pictures isn't worth many reads.
      if hasTracks, element.id == cluster || result.duration != nil { break }
    }
    if !hasTracks { result.note("it has no list of tracks") }
    // Sound alone.
    if result.storedDimensions == nil, result.damage == nil { return MediaInfo() }
    return result
  }

  private static func child(_ id: Int, of parent: ByteReader) -> ByteReader? {
    EBMLElements(parent).first { $0.id == id }?.content
  }

  private static func number(_ id: Int, of parent: ByteReader) -> Int? {
    child(id, of: parent).flatMap { $0.unsigned(at: 0, size: $0.count) }
  }

  private static func readInfo(_ content: ByteReader, into result: inout MediaInfo) {
    let scale = number(timestampScale, of: content) ?? 1_000_000
    if let length = child(duration, of: content).flatMap({ $0.float(at: 0, size: $0.count) }) {
      let seconds = length * Double(scale) / 1e9
      if seconds > 0, seconds.isFinite { result.duration = seconds }
    }
    // Nanoseconds since 2001, in UTC.
    if let date = child(dateUTC, of: content)?.int64(at: 0) {
      let (seconds, rest) = date.quotientAndRemainder(dividingBy: 1_000_000_000)
      guard seconds > 0 else { return }
      let made = CaptureDate(
        localSeconds: seconds + 978_307_200, nanoseconds: rest == 0 ? nil : Int32(rest), offset: 0)
      result.state(made, .digitized, by: .container)
    }
  }

  private static func readTracks(_ content: ByteReader, into result: inout MediaInfo) {
    for entry in EBMLElements(content) where entry.id == trackEntry {
      guard number(trackType, of: entry.content) == 1, let video = child(video, of: entry.content)
      else { continue }
      result.setSize(width: number(pixelWidth, of: video), height: number(pixelHeight, of: video))
      return
    }
  }
}
