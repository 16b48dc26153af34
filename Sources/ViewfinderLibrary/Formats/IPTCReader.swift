/// Photoshop's image resources, of which JPEG has a segment and TIFF a tag.
enum PhotoshopResources {
  /// Begins JPEG's segment.
  static let mark = "Photoshop 3.0\0"
  /// IPTC's record.
  static let iptc = 0x0404

  private static let limit = 256

  /// The content of the first resource with a number.
  static func content(_ wanted: Int, in bytes: ByteReader) -> ByteReader? {
    let bytes = bytes.ordered(.big)
    var offset = 0
    for _ in 0..<limit {
      guard bytes.hasText("8BIM", at: offset), let number = bytes.uint16(at: offset + 4),
        let nameLength = bytes.uint8(at: offset + 6)
      else { return nil }
      // The name's length and the name, and then the content, are padded to even lengths.
      offset += 6 + (nameLength + 2) / 2 * 2
      guard let size = bytes.uint32(at: offset) else { return nil }
      let content = bytes.part(from: offset + 4, count: size)
      if number == wanted { return content }
      offset += 4 + size + size % 2
    }
    return nil
  }
}

/// Data sets of IPTC's application record (IIM 4.2).
private enum IPTCDataSet {
  static let dateCreated = 55
  static let timeCreated = 60
  static let digitalDate = 62
  static let digitalTime = 63
}

extension MediaInfo {
  /// Reads Photoshop's resources for IPTC's record.
  mutating func readResources(_ bytes: ByteReader) {
    if let record = PhotoshopResources.content(PhotoshopResources.iptc, in: bytes) {
      readIPTC(record)
    }
  }

  /// Reads the dates in IPTC's record.
  mutating func readIPTC(_ bytes: ByteReader) {
    let texts = Self.texts(bytes.ordered(.big))
    func date(_ day: Int, _ time: Int) -> CaptureDate? {
      texts[day].flatMap { CaptureDate(written: $0 + "T" + (texts[time] ?? "")) }
    }
    state(date(IPTCDataSet.dateCreated, IPTCDataSet.timeCreated), .taken, by: .iptc)
    state(date(IPTCDataSet.digitalDate, IPTCDataSet.digitalTime), .digitized, by: .iptc)
  }

  /// The data sets of the second record that hold dates.
  private static func texts(_ bytes: ByteReader) -> [Int: String] {
    let wanted = [
      IPTCDataSet.dateCreated, IPTCDataSet.timeCreated, IPTCDataSet.digitalDate,
      IPTCDataSet.digitalTime,
    ]
    var texts: [Int: String] = [:]
    var offset = 0
    // Keywords may be many.
    for _ in 0..<1024 {
      guard bytes.uint8(at: offset) == 0x1c, let record = bytes.uint8(at: offset + 1),
        let number = bytes.uint8(at: offset + 2), let size = bytes.uint16(at: offset + 3),
        size < 0x8000  // Longer ones are pictures, and come last.
      else { break }
      if record == 2, wanted.contains(number), texts[number] == nil {
        texts[number] = bytes.text(at: offset + 5, count: size)
      }
      offset += 5 + size
    }
    return texts
  }
}
