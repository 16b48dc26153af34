import Foundation

/// Exif data (TIFF 6.0, Exif 2.32) from which what may tell a place is taken out; all else stays where it was.
///
/// The GPS directory goes, and what may name the place in words: XMP, IPTC and the camera maker's notes. No byte of
/// them is left behind.
struct PlacelessExif {
  /// The TIFF data.
  private(set) var bytes: [UInt8]
  /// Whether there was a GPS directory, XMP or IPTC.
  private(set) var saidMore = false
  private let isLittleEndian: Bool
  /// Directories that were looked at: damaged data lead in circles.
  private var seen: Set<Int> = []

  /// Takes it out of TIFF data, from the byte order on; `nil` for damaged data.
  init?(_ tiff: Data) {
    bytes = Array(tiff)
    isLittleEndian = bytes.starts(with: [0x49, 0x49, 42, 0])
    guard isLittleEndian || bytes.starts(with: [0x4d, 0x4d, 0, 42]) else { return nil }
    guard let first = long(4) else { return nil }
    var next = first
    while next != 0 {
      guard let following = clean(next) else { return nil }
      next = following
    }
  }

  private enum Tag {
    static let exifDirectory = 0x8769, gpsDirectory = 0x8825, makerNote = 0x927c
    static let xmp = 0x02bc, iptc = 0x83bb, photoshop = 0x8649
  }

  /// Bytes of a value of each type (TIFF 6.0, section 2).
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

  // MARK: Directories

  /// Cleans a directory; gives where the next one is.
  private mutating func clean(_ directory: Int) -> Int? {
    guard seen.insert(directory).inserted, var count = word(directory) else { return nil }
    var entry = directory + 2
    guard entry + 12 * count + 4 <= bytes.count else { return nil }
    while entry < directory + 2 + 12 * count {
      switch word(entry) {
      case Tag.gpsDirectory:
        guard let gps = long(entry + 8), wipeDirectory(gps) else { return nil }
        saidMore = true
      case Tag.xmp, Tag.iptc, Tag.photoshop:
        guard wipeValue(of: entry) else { return nil }
        saidMore = true
      case Tag.makerNote:
        guard wipeValue(of: entry) else { return nil }
      case Tag.exifDirectory:
        guard let exif = long(entry + 8), clean(exif) != nil else { return nil }
        entry += 12
        continue
      default:
        entry += 12
        continue
      }
      remove(entry, of: directory, count)
      count -= 1
    }
    return long(entry)
  }

  /// Takes an entry out of a directory of so many: what follows moves up.
  private mutating func remove(_ entry: Int, of directory: Int, _ count: Int) {
    let end = directory + 2 + 12 * count + 4
    bytes.replaceSubrange(entry..<end, with: bytes[entry + 12..<end] + repeatElement(0, count: 12))
    let less = count - 1
    let (low, high) = (UInt8(less & 0xff), UInt8(less >> 8))
    (bytes[directory], bytes[directory + 1]) = isLittleEndian ? (low, high) : (high, low)
  }

  private mutating func wipeDirectory(_ directory: Int) -> Bool {
    guard seen.insert(directory).inserted, let count = word(directory) else { return false }
    let end = directory + 2 + 12 * count + 4
    guard end <= bytes.count else { return false }
    for entry in stride(from: directory + 2, to: end - 4, by: 12) {
      guard wipeValue(of: entry) else { return false }
    }
    wipe(directory..<end)
    return true
  }

  /// Wipes an entry's value where that doesn't lie in the entry itself.
  private mutating func wipeValue(of entry: Int) -> Bool {
    guard let type = word(entry + 2), Self.sizes.indices.contains(type),
      let count = long(entry + 4)
    else { return false }
    let size = Self.sizes[type] * count
    guard size > 4 else { return true }
    guard let place = long(entry + 8), place + size <= bytes.count else { return false }
    wipe(place..<place + size)
    return true
  }

  private mutating func wipe(_ range: Range<Int>) {
    bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
  }

  // MARK: Numbers

  private func word(_ place: Int) -> Int? { number(place, 2) }

  private func long(_ place: Int) -> Int? { number(place, 4) }

  private func number(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    let part = Array(bytes[place..<place + count])
    return (isLittleEndian ? part.reversed() : part).reduce(0) { $0 << 8 | Int($1) }
  }
}
