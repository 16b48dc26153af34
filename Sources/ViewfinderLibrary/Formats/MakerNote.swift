import Viewfinder

/// What only the notes of a camera's maker know (Exif's MakerNote, 0x927C).
enum MakerNote {
  private static let tag = 0x927c

  static func read(_ exif: TIFFDirectory, into info: inout MediaInfo) {
    let note = exif.data(tag)
    if note.hasText("Apple iOS\0") {
      info.contentIdentifier = apple(note)
    } else {
      info.state(reconyx(note), .taken, by: .exif)
    }
  }

  /// Apple's directory at 14, whose offsets count from the note's beginning.
  private static func apple(_ note: ByteReader) -> String? {
    let contentIdentifier = 0x0011
    guard note.hasText("MM", at: 12),
      let header = TIFFHeader([0x4d, 0x4d, 0, 42, 0, 0, 0, 14])
    else { return nil }
    return TIFFDirectory(note.ordered(.big), at: 14, header)?.text(contentIdentifier)
  }

  /// The wildlife cameras of Reconyx (HyperFire), some of which leave out Exif's date: numbers of 16 bits, of which six
  /// from the 12th on are second, minute, hour, month, day and year.
  private static func reconyx(_ note: ByteReader) -> CaptureDate? {
    let note = note.ordered(.little)
    guard note.uint16(at: 0) == 0xf101, [2, 3].contains(note.uint16(at: 2)) else { return nil }
    let numbers = (11..<17).compactMap { note.uint16(at: 2 * $0) }
    guard numbers.count == 6 else { return nil }
    return CaptureDate.seconds(
      year: numbers[5], month: numbers[3], day: numbers[4], hour: numbers[2], minute: numbers[1],
      second: numbers[0]
    ).map { CaptureDate(localSeconds: $0) }
  }
}
