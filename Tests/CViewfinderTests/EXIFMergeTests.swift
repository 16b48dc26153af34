import CViewfinder
import Foundation
import Testing

/// Changes to a photo's tags, with texts of Swift's.
struct EXIFChanges {
  var description, artist, copyright, date, offset, subSec: String?
  var orientation: UInt16 = 0
  var position: vf_exif_position?
  var width: UInt32 = 0

  func merged(into tiff: [UInt8]) throws -> [UInt8] {
    let strings = KeptStrings()
    let keep = strings.keep
    defer { strings.release() }
    var changes = vf_exif_changes()
    changes.image_description = keep(description)
    changes.artist = keep(artist)
    changes.copyright = keep(copyright)
    changes.date_time_original = keep(date)
    changes.offset_time_original = keep(offset)
    changes.sub_sec_original = keep(subSec)
    changes.orientation = orientation
    (changes.width, changes.height) = (width, width)
    var buffer = vf_buffer()
    try withUnsafePointer(to: position ?? vf_exif_position()) { pointer in
      changes.position = position == nil ? nil : pointer
      try attempt { vf_exif_merge(tiff, tiff.count, &changes, &buffer, &$0) }
    }
    return collect(&buffer)
  }
}

@Suite("EXIF merged") struct EXIFMergeTests {
  static func own(thumbnail: [UInt8] = [9, 8, 7]) throws -> [UInt8] {
    EXIFTests.tiff(try EXIFTests.withFacts(thumbnail: thumbnail, EXIFTests.write))
  }

  /// Big-endian data with a MakerNote, a second directory, unknown tags, GPS and two tags that share
  /// their text.
  static func foreign(sharesDate: Bool = true) -> [UInt8] {
    func big(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      big(tag, 2) + big(type, 2) + big(count, 4) + value
        + Array(repeating: 0, count: 4 - value.count)
    }
    // The main directory at 8, Exif's at 86, GPS's at 140, values from 182 on.
    let main =
      big(6, 2) + entry(0x010E, 2, 12, big(182, 4)) + entry(0x0112, 3, 1, big(8, 2))
      + entry(0x013B, 2, 6, big(194, 4)) + entry(0x8769, 4, 1, big(86, 4))
      + entry(0x8825, 4, 1, big(140, 4)) + entry(0xFDE8, 3, 1, big(4711, 2)) + big(260, 4)
    let exif =
      big(4, 2) + entry(0x9000, 7, 4, Array("0220".utf8))
      + entry(0x9003, 2, 20, big(200, 4)) + entry(0x9004, 2, 20, big(sharesDate ? 200 : 220, 4))
      + entry(0x927C, 7, 16, big(240, 4)) + big(0, 4)
    let gps =
      big(3, 2) + entry(0x0001, 2, 2, Array("N\0".utf8)) + entry(0x000B, 5, 1, big(240, 4))
      + entry(0x0011, 3, 1, big(77, 2)) + big(0, 4)
    let values =
      Array("Old title.\0\0Maker\0".utf8) + Array("2001:02:03 04:05:06\0".utf8)
      + Array("2009:02:03 04:05:06\0".utf8) + (1...16).map { 0xA0 + UInt8($0) } + [0, 0, 0, 0]
    let second = big(1, 2) + entry(0x0103, 3, 1, big(6, 2)) + big(0, 4)
    return Array("MM".utf8) + big(42, 2) + big(8, 4) + main + exif + gps + values + second
  }

  @Test("Every tag that is given is there, and takes the place of the old one")
  func everyTag() throws {
    let changes = EXIFChanges(
      description: "Größe", artist: "A. Person", copyright: "© 2026", date: "2026:01:02 03:04:05",
      offset: "-09:30", subSec: "25", orientation: 5,
      position: vf_exif_position(
        latitude: -33.856784, longitude: 151.215297, altitude: -4.5, has_altitude: 1))
    for tiff in [try Self.own(), Self.foreign(), []] {
      let tags = TIFFTags(try changes.merged(into: tiff))
      #expect(tags.text("0", 0x010E) == "Größe")
      #expect(tags.text("0", 0x013B) == "A. Person")
      #expect(tags.text("0", 0x8298) == "© 2026")
      #expect(tags.integer("0", 0x0112) == 5)
      #expect(tags.text("Exif", 0x9003) == "2026:01:02 03:04:05")
      #expect(tags.text("Exif", 0x9011) == "-09:30")
      #expect(tags.text("Exif", 0x9291) == "25")
      #expect(tags.text("Exif", 0x9000) == "0232", "offsets came with 2.31")
      #expect(tags["GPS", 0]?.value == [2, 3, 0, 0])
      #expect(tags.text("GPS", 1) == "S" && tags.text("GPS", 3) == "E")
      #expect(tags["GPS", 5]?.value == [1])
      #expect(tags.fractions("GPS", 2) == [33, 51, 24.4224])
      #expect(tags.fractions("GPS", 4) == [151, 12, 55.0692])
      #expect(tags.fractions("GPS", 6) == [4.5])
      #expect(tags.text("GPS", 0x12) == "WGS-84")
      for entries in tags.directories.values {
        #expect(Set(entries.map(\.tag)).count == entries.count, "once")
        #expect(entries.map(\.tag) == entries.map(\.tag).sorted(), "ascending")
      }
    }
  }

  @Test("Everything that isn't given stays, and all that stays is where it was")
  func othersStay() throws {
    let foreign = Self.foreign()
    let merged = try EXIFChanges(
      copyright: "Somebody", orientation: 3,
      position: vf_exif_position(latitude: 1, longitude: 2, altitude: 0, has_altitude: 0)
    ).merged(into: foreign)
    let (old, new) = (TIFFTags(foreign), TIFFTags(merged))
    #expect(merged[0] == UInt8(ascii: "M"))
    #expect(new["0", 0xFDE8] == old["0", 0xFDE8] && new["0", 0x010E] == old["0", 0x010E])
    #expect(new.directories["Exif"]?.map(\.entry) == old.directories["Exif"]?.map(\.entry))
    #expect(new.directories["1"]?.map(\.entry) == old.directories["1"]?.map(\.entry))
    #expect(new["GPS", 0x11] == old["GPS", 0x11])
    #expect(new["GPS", 0x0B] == nil, "the old position's precision")
    // A MakerNote's offsets count from the data's beginning.
    #expect(merged[182..<foreign.count] == foreign[182...])
    let thumbnail: [UInt8] = [1, 2, 3, 4, 5]
    let own = TIFFTags(
      try EXIFChanges(artist: "X").merged(into: Self.own(thumbnail: thumbnail)))
    #expect(own.thumbnail == thumbnail)
  }

  @Test("No change gives the same bytes")
  func noChange() throws {
    let foreign = Self.foreign()
    #expect(try EXIFChanges().merged(into: foreign) == foreign)
    let twice = EXIFChanges(artist: "Me", orientation: 2)
    let once = try twice.merged(into: foreign)
    #expect(try twice.merged(into: once) == once)
    #expect(once.count == foreign.count, "what fits needs no room")
  }

  @Test("An old value that is replaced leaves no trace, unless another tag shares it")
  func oldValues() throws {
    func has(_ text: String, _ bytes: [UInt8]) -> Bool {
      String(decoding: bytes, as: UTF8.self).contains(text)
    }
    let changes = EXIFChanges(
      description: "A title that is far longer", artist: "", date: "2026:01:02 03:04:05")
    let alone = try changes.merged(into: Self.foreign(sharesDate: false))
    #expect(TIFFTags(alone)["0", 0x013B] == nil)
    for text in ["Old title", "Maker", "2001:02"] { #expect(!has(text, alone), "\(text)") }
    #expect(TIFFTags(alone).text("Exif", 0x9004) == "2009:02:03 04:05:06")
    let shared = TIFFTags(try changes.merged(into: Self.foreign()))
    #expect(shared.text("Exif", 0x9003) == "2026:01:02 03:04:05")
    #expect(shared.text("Exif", 0x9004) == "2001:02:03 04:05:06")
  }

  @Test(
    "A new date without an offset and fraction takes away the old ones, and nothing is invented")
  func unknownOffset() throws {
    let tags = TIFFTags(try EXIFChanges(date: "2026:01:02 03:04:05").merged(into: Self.own()))
    #expect(tags.text("Exif", 0x9003) == "2026:01:02 03:04:05")
    #expect(tags["Exif", 0x9011] == nil && tags["Exif", 0x9291] == nil)
    #expect(tags.text("Exif", 0x9012) == "+06:30" && tags.text("Exif", 0x9292) == "012")
    #expect(tags.text("Exif", 0x9000) == "0232")
    let old = TIFFTags(try EXIFChanges(date: "2026:01:02 03:04:05").merged(into: Self.foreign()))
    #expect(old.text("Exif", 0x9000) == "0220")
  }

  @Test(
    "Data that can't be read become new ones with the changes",
    arguments: [
      [], [1, 2, 3], Array("II*\0\u{8}\0\0\0\0\0".utf8), Array("II*\0\u{4}\0\0\0\u{1}\0".utf8),
      Array("nonsense and more".utf8),
    ] as [[UInt8]])
  func unreadable(tiff: [UInt8]) throws {
    let tags = TIFFTags(try EXIFChanges(artist: "Me", width: 640).merged(into: tiff))
    #expect(
      tags.directories["0"]?.map(\.tag)
        == [0x0112, 0x011A, 0x011B, 0x0128, 0x013B, 0x0213, 0x8769])
    #expect(tags.integer("Exif", 0xA002) == 640 && tags.integer("Exif", 0xA003) == 640)
    #expect(tags.text("0", 0x013B) == "Me")
  }

  @Test(
    "A position next to a whole minute or at an end is exact",
    arguments: [0, -0.0, 90, -90, 59.999_999_999_9, 12.95, 1e-9, 89.999_999_999_999])
  func positions(latitude: Double) throws {
    let tags = TIFFTags(
      try EXIFChanges(
        position: vf_exif_position(
          latitude: latitude, longitude: -2 * latitude, altitude: 0, has_altitude: 0)
      ).merged(into: Self.own()))
    func degrees(_ tag: UInt16, _ reference: UInt16) -> Double {
      let parts = tags.fractions("GPS", tag)
      #expect(parts[1] < 60 && parts[2] < 60)
      let value = parts[0] + parts[1] / 60 + parts[2] / 3600
      return ["S", "W"].contains(tags.text("GPS", reference)) ? -value : value
    }
    #expect(abs(degrees(2, 1) - latitude) < 2e-10)
    #expect(abs(degrees(4, 3) + 2 * latitude) < 2e-10)
  }

  @Test("What is out of range is refused")
  func refused() throws {
    let tiff = try Self.own()
    func code(_ changes: EXIFChanges) -> Int32? {
      failureCode { _ = try changes.merged(into: tiff) }
    }
    #expect(code(EXIFChanges(orientation: 9)) == EINVAL)
    for value in [90.5, -90.5, .nan, .infinity, -.infinity] {
      var position = vf_exif_position(latitude: value, longitude: 0, altitude: 0, has_altitude: 1)
      #expect(code(EXIFChanges(position: position)) == EINVAL)
      position = vf_exif_position(latitude: 0, longitude: 2 * value, altitude: 0, has_altitude: 1)
      #expect(code(EXIFChanges(position: position)) == EINVAL)
      position = vf_exif_position(
        latitude: 0, longitude: 0, altitude: value * 1e6, has_altitude: 1)
      #expect(code(EXIFChanges(position: position)) == EINVAL)
    }
  }

  @Test("Damaged TIFF data never crashes it, and the changes are there")
  func damagedBytes() throws {
    var generator = SplitMix(state: 5)
    let changes = EXIFChanges(
      description: "A title that is far longer", artist: "", date: "2026:01:02 03:04:05",
      orientation: 7,
      position: vf_exif_position(latitude: 1, longitude: 2, altitude: 3, has_altitude: 1))
    for tiff in [try Self.own(), Self.foreign()] {
      for round in 0..<2000 {
        var copy = damaged(tiff, using: &generator)
        if round % 3 == 0 { copy.removeLast(Int.random(in: 0..<copy.count, using: &generator)) }
        let merged = try changes.merged(into: copy)
        #expect(EXIFTests.orientation(merged) == 7)
        #expect(EXIFTests.orientation(try changes.merged(into: merged)) == 7)
      }
    }
  }
}

extension TIFFTags {
  func fractions(_ directory: String, _ tag: UInt16) -> [Double] {
    let bytes = self[directory, tag]?.value ?? []
    let numbers = stride(from: 0, to: bytes.count, by: 4).map { number(bytes, $0) }
    return stride(from: 0, to: numbers.count, by: 2).map {
      Double(numbers[$0]) / Double(numbers[$0 + 1])
    }
  }
}
