import Viewfinder

/// Canon's raw format of heaps (CIFF 1.0), which cameras wrote until 2005.
enum CRWReader {
  private static let jpegFromRaw = 0x2007
  private static let thumbnail = 0x2008
  private static let makeAndModel = 0x080a
  private static let imageInfo = 0x1810
  private static let timeStamp = 0x180e

  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("HEAPCCDR", at: 6) else { return nil }
    let isLittle = bytes.hasText("II")
    guard isLittle || bytes.hasText("MM") else { return nil }
    let bytes = bytes.ordered(isLittle ? .little : .big)
    var info = MediaInfo(type: .crw)
    guard let start = bytes.uint32(at: 2), start < bytes.count else {
      info.note("it has no heap")
      return info
    }
    var entries: [Int: ByteReader] = [:]
    var heapsLeft = 16
    collect(bytes.part(from: start), into: &entries, &heapsLeft, depth: 0)
    readPicture(entries[imageInfo], into: &info)
    readDate(entries[timeStamp], into: &info)
    if let names = entries[makeAndModel], let make = names.text() {
      // One behind the other, each with its zero.
      let end = names.bytes(at: 0, count: 64).firstIndex(of: 0)
      info.setCamera(make: make, model: end.flatMap { names.text(at: $0 + 1) })
    }
    info.setPreviews(
      [jpegFromRaw, thumbnail].compactMap { entries[$0].flatMap(EmbeddedJPEG.init) })
    return info
  }

  /// Reads a heap, whose last four bytes say where its list of entries is, and the heaps within it.
  private static func collect(
    _ heap: ByteReader, into entries: inout [Int: ByteReader], _ heapsLeft: inout Int, depth: Int
  ) {
    guard heapsLeft > 0, depth < 8, let list = heap.uint32(at: heap.count - 4),
      let count = heap.uint16(at: list)
    else { return }
    heapsLeft -= 1
    for index in 0..<min(count, 256) {
      let at = list + 2 + 10 * index
      guard let tag = heap.uint16(at: at) else { return }
      let content: ByteReader
      if tag & 0xc000 == 0x4000 {
        content = heap.part(from: at + 2, count: 8)  // In the entry itself.
      } else {
        guard let size = heap.uint32(at: at + 2), let offset = heap.uint32(at: at + 6) else {
          return
        }
        content = heap.part(from: offset, count: size)
      }
      if [0x2800, 0x3000].contains(tag & 0x3800) {
        collect(content, into: &entries, &heapsLeft, depth: depth + 1)
      } else if entries[tag & 0x3fff] == nil {
        entries[tag & 0x3fff] = content
      }
    }
  }

  /// Width, height, the pixels' shape, and by how many degrees clockwise it is to be turned.
  private static func readPicture(_ entry: ByteReader?, into info: inout MediaInfo) {
    info.setSize(width: entry?.uint32(at: 0), height: entry?.uint32(at: 4))
    if let degrees = entry?.int32(at: 12) {
      info.orientation = ImageOrientation(clockwiseRotation: degrees, mirrored: false) ?? .up
    }
  }

  /// Seconds since 1970 of the camera's clock, and its zone where the highest bit behind it says so.
  private static func readDate(_ entry: ByteReader?, into info: inout MediaInfo) {
    guard let entry, let seconds = entry.uint32(at: 0), seconds > 0 else { return }
    let zone = (entry.uint32(at: 8) ?? 0) >> 31 == 1 ? entry.int32(at: 4) : nil
    let offset = zone.flatMap { abs($0) <= 15 * 3600 ? Int32($0) : nil }
    let date = CaptureDate(localSeconds: Int64(seconds), offset: offset)
    info.state(date, .taken, by: .container)
  }
}
