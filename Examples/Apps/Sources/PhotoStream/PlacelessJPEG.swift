import Foundation

/// A JPEG that doesn't say where it was taken; its picture is the same, bit by bit.
///
/// What may name the place is left out: Exif's GPS directory and maker's notes, XMP, IPTC, makers' own segments, and
/// what follows the picture, such as a motion photo's video. Left are JFIF, Exif, the colour profile, Adobe's segment and
/// comments.
struct PlacelessJPEG {
  /// The file.
  private(set) var data: Data
  /// Whether the file said something by which a place is told: a GPS directory, XMP or IPTC.
  private(set) var saidMore = false

  /// Reads a file's segments (ITU-T T.81, annex B); `nil` for a damaged file.
  init?(_ file: Data) {
    let bytes = [UInt8](file)
    guard bytes.starts(with: [0xff, Marker.start]) else { return nil }
    data = Data(capacity: bytes.count)
    data.append(contentsOf: bytes.prefix(2))
    var place = 2
    while true {
      // Bytes that fill up may come before a marker.
      while place + 1 < bytes.count, bytes[place] == 0xff, bytes[place + 1] == 0xff { place += 1 }
      guard place + 1 < bytes.count, bytes[place] == 0xff else { return nil }
      let marker = bytes[place + 1]
      if marker == Marker.end {
        data.append(contentsOf: bytes[place..<place + 2])
        return
      }
      guard place + 3 < bytes.count else { return nil }
      let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
      guard end >= place + 4, end <= bytes.count else { return nil }
      guard add(marker, bytes[place..<end]) else { return nil }
      place = end
      if marker == Marker.scan {
        while place + 1 < bytes.count, !Marker.ends(bytes[place], bytes[place + 1]) { place += 1 }
        data.append(contentsOf: bytes[end..<place])
      }
    }
  }

  private enum Marker {
    static let start: UInt8 = 0xd8, end: UInt8 = 0xd9, scan: UInt8 = 0xda
    static let exif: UInt8 = 0xe1, profile: UInt8 = 0xe2, iptc: UInt8 = 0xed
    /// JFIF and Adobe's, which say what the colours are.
    static let kept: Set<UInt8> = [0xe0, 0xee]

    /// Whether two bytes of a scan end it: a marker that isn't a restart's.
    static func ends(_ first: UInt8, _ second: UInt8) -> Bool {
      first == 0xff && second != 0 && !(0xd0...0xd7).contains(second)
    }
  }

  /// Takes a segment over, with its marker and length, as far as it may stay; `false` for damaged Exif data.
  private mutating func add(_ marker: UInt8, _ segment: ArraySlice<UInt8>) -> Bool {
    let content = segment.dropFirst(4)
    switch marker {
    case Marker.exif where content.starts(with: Self.exifName):
      guard let exif = PlacelessExif(Data(content.dropFirst(Self.exifName.count))) else {
        return false
      }
      saidMore = saidMore || exif.saidMore
      // As long as it was.
      data.append(contentsOf: segment[..<content.startIndex])
      data.append(contentsOf: Self.exifName)
      data.append(contentsOf: exif.bytes)
    case Marker.exif, Marker.iptc: saidMore = true
    case Marker.profile where content.starts(with: Self.profileName):
      data.append(contentsOf: segment)
    case 0xe0...0xef where !Marker.kept.contains(marker): break
    default: data.append(contentsOf: segment)
    }
    return true
  }

  private static let exifName = Array("Exif\0\0".utf8), profileName = Array("ICC_PROFILE\0".utf8)
}
