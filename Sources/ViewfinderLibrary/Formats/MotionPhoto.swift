/// The video behind the picture of a motion photo, which phones take with each photo.
enum MotionPhoto {
  /// Samsung's kind of block that holds the video, and its name.
  private static let samsungKind = 0x0a30

  /// Finds the video where Google's or Samsung's data say that it is; it must begin as an MP4.
  static func find(in file: ByteReader, _ xmp: XMP?, camera make: String?) -> Range<Int>? {
    if let xmp {
      if let range = part(xmp.parts, of: file) { return range }
      if let offset = xmp.motionOffset, offset > 0, offset < file.count {
        if let video = video(file.part(from: file.count - offset)) { return video }
      }
    }
    return make?.uppercased().hasPrefix("SAMSUNG") == true ? samsung(file) : nil
  }

  /// The part's place in the file, if it is a video.
  static func video(_ part: ByteReader) -> Range<Int>? {
    guard part.fourCC(at: 4) == "ftyp", let size = part.ordered(.big).uint32(at: 0), size >= 8,
      size < part.count
    else { return nil }
    return part.range
  }

  /// Parts lie behind the picture in their order, so that each one's place counts from the end.
  private static func part(_ parts: [XMPPart], of file: ByteReader) -> Range<Int>? {
    var end = file.count
    for part in parts.dropFirst().reversed() {
      guard part.length > 0, part.padding >= 0, part.padding < end,
        part.length < end - part.padding
      else { return nil }
      end -= part.padding
      if part.semantic == "MotionPhoto" {
        return video(file.part(from: end - part.length, count: part.length))
      }
      end -= part.length
    }
    return nil
  }

  /// Samsung ends the file with a list of blocks ("SEFH" to "SEFT"), each of which says how far before the list it is.
  private static func samsung(_ file: ByteReader) -> Range<Int>? {
    let file = file.ordered(.little)
    let end = file.count - 8
    guard file.hasText("SEFT", at: end + 4), let length = file.uint32(at: end), length >= 12,
      length <= end, file.hasText("SEFH", at: end - length),
      let count = file.uint32(at: end - length + 8)
    else { return nil }
    let list = end - length
    for index in 0..<min(count, 64) {
      let entry = list + 12 + 12 * index
      guard entry + 12 <= end, let kind = file.uint16(at: entry + 2),
        let distance = file.uint32(at: entry + 4), let size = file.uint32(at: entry + 8)
      else { return nil }
      // A block begins with its kind, and the length of its name and the name.
      guard kind == samsungKind, distance <= list, size <= distance,
        let name = file.uint32(at: list - distance + 4), name <= 64, name + 8 < size
      else { continue }
      return video(file.part(from: list - distance + 8 + name, count: size - 8 - name))
    }
    return nil
  }
}
