/// The boxes of an ISO base media file (ISO/IEC 14496-12), one after the other without those inside.
struct ISOBoxes: Sequence, IteratorProtocol {
  struct Box {
    let type: String
    /// What follows the box's header, as far as the file goes.
    let content: ByteReader
    /// Whether the file ends before the box does.
    let isCut: Bool
  }

  private let bytes: ByteReader
  private var offset = 0
  /// There are never so many before what is looked for, but in hostile files.
  private var boxesLeft = 1024

  init(_ bytes: ByteReader) { self.bytes = bytes.ordered(.big) }

  mutating func next() -> Box? {
    guard boxesLeft > 0, var size = bytes.uint32(at: offset),
      let type = bytes.fourCC(at: offset + 4)
    else { return nil }
    boxesLeft -= 1
    var header = 8
    let available = bytes.count - offset
    if size == 1 {
      header = 16
      // A number that doesn't fit stands for more than any file has.
      guard bytes.count - offset >= header else { return nil }
      size = bytes.uint64(at: offset + 8) ?? .max
    } else if size == 0 {
      size = available  // To the end.
    }
    guard size >= header else { return nil }
    let box = Box(
      type: type, content: bytes.part(from: offset + header, count: size - header),
      isCut: size > available)
    offset += Swift.min(size, available)
    return box
  }
}

extension ByteReader {
  /// The content of the first box of a type inside.
  func box(_ type: String) -> ByteReader? { ISOBoxes(self).first { $0.type == type }?.content }

  /// The content of the first box with an identifier of its own inside.
  ///
  /// It stands near the beginning or behind one large box: a video in thousands of pieces isn't searched.
  func uuidBox(_ uuid: [UInt8]) -> ByteReader? {
    ISOBoxes(self).prefix(32).first { $0.type == "uuid" && $0.content.hasBytes(uuid) }?.content
      .part(from: uuid.count)
  }

  /// The content of a box within a box within a box.
  func box(_ path: [String]) -> ByteReader? {
    path.reduce(self) { (part: ByteReader?, type) in part?.box(type) }
  }
}
