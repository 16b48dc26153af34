import CViewfinder
import Foundation
import Testing

/// What the tests want to know of TIFF data: its tags, by a walk of their own.
struct TIFFTags {
  struct Entry: Equatable {
    var type: UInt16
    var count: Int
    var value: [UInt8]
  }

  /// The tags of each directory, in the order they stand in.
  var directories: [String: [(tag: UInt16, entry: Entry)]] = [:]
  var thumbnail: [UInt8] = []
  private let bytes: [UInt8]
  private let bigEndian: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bigEndian = bytes.first == UInt8(ascii: "M")
    let first = number(4, 4)
    read("0", at: first)
    let next = number(first + 2 + 12 * number(first, 2), 4)
    if next != 0 { read("1", at: next) }
    if let offset = integer("1", 0x0201), let count = integer("1", 0x0202) {
      thumbnail = Array(bytes[offset..<(offset + count)])
    }
  }

  private func number(_ at: Int, _ size: Int) -> Int { number(bytes, at, size) }

  func number(_ bytes: [UInt8], _ at: Int, _ size: Int = 4) -> Int {
    let slice = bytes[at..<(at + size)]
    return (bigEndian ? Array(slice) : slice.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func read(_ name: String, at start: Int) {
    var entries: [(tag: UInt16, entry: Entry)] = []
    for i in 0..<number(start, 2) {
      let at = start + 2 + 12 * i
      let type = UInt16(number(at + 2, 2)), count = number(at + 4, 4)
      let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8][type]! * count
      let value = size > 4 ? number(at + 8, 4) : at + 8
      let tag = UInt16(number(at, 2))
      entries.append(
        (tag, Entry(type: type, count: count, value: Array(bytes[value..<(value + size)]))))
      if let child = [0x8769: "Exif", 0x8825: "GPS", 0xA005: "Interop"][tag] as String? {
        read(child, at: number(at + 8, 4))
      }
    }
    directories[name] = entries
  }

  subscript(_ directory: String, _ tag: UInt16) -> Entry? {
    directories[directory]?.first { $0.tag == tag }?.entry
  }

  func text(_ directory: String, _ tag: UInt16) -> String? {
    self[directory, tag].map { String(decoding: $0.value.prefix { $0 != 0 }, as: UTF8.self) }
  }

  func integer(_ directory: String, _ tag: UInt16) -> Int? {
    self[directory, tag].map { entry in
      let value = bigEndian ? entry.value : entry.value.reversed()
      return value.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

@Suite("EXIF") struct EXIFTests {
  /// Calls with strings that live as long as the call.
  static func withFacts<Result>(
    orientation: UInt16 = 6, make: String = "Kamera Müller", thumbnail: [UInt8] = [],
    dateTime: String? = "2026:03:04 05:06:08", software: String? = "Viewfinder 1",
    width: UInt32 = 1920, dotsPerInch: UInt32 = 0, _ body: (inout vf_exif) throws -> Result
  ) rethrows -> Result {
    let strings = KeptStrings()
    let keep = strings.keep
    defer { strings.release() }
    var exif = vf_exif()
    exif.make = keep(make)
    exif.model = keep("C920")
    exif.software = keep(software)
    exif.orientation = orientation
    exif.width = width
    exif.height = 1080
    exif.dots_per_inch = dotsPerInch
    exif.date_time_original = keep("2026:03:04 05:06:07")
    exif.date_time = keep(dateTime)
    exif.offset_time_original = keep("+06:30")
    exif.offset_time = keep("+05:30")
    exif.sub_sec_original = keep("012")
    exif.sub_sec = keep("9")
    exif.exposure_time_numerator = 1
    exif.exposure_time_denominator = 250
    exif.iso = 400
    exif.exposure_mode = 2
    exif.white_balance = 1
    exif.unique_id = keep("00112233445566778899aabbccddeeff")
    return try thumbnail.withUnsafeBufferPointer { buffer in
      exif.thumbnail = buffer.baseAddress
      exif.thumbnail_count = buffer.count
      return try body(&exif)
    }
  }

  static func write(_ exif: inout vf_exif) throws -> [UInt8] {
    var buffer = vf_buffer()
    try attempt { vf_exif_write(&exif, &buffer, &$0) }
    return collect(&buffer)
  }

  static func update(_ tiff: [UInt8], _ exif: inout vf_exif) throws -> [UInt8] {
    var buffer = vf_buffer()
    try attempt { vf_exif_update(tiff, tiff.count, &exif, &buffer, &$0) }
    return collect(&buffer)
  }

  static func tiff(_ payload: [UInt8]) -> [UInt8] { Array(payload.dropFirst(6)) }

  static func orientation(_ tiff: [UInt8]) -> UInt32 { vf_exif_orientation(tiff, tiff.count) }

  @Test("Everything that is stated is written, in its place")
  func everyTag() throws {
    let thumbnail: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
    let payload = try Self.withFacts(thumbnail: thumbnail, Self.write)
    #expect(payload.starts(with: Array("Exif\0\0".utf8)))
    let tags = TIFFTags(Self.tiff(payload))
    #expect(tags.text("0", 0x010F) == "Kamera Müller")
    #expect(tags.text("0", 0x0110) == "C920")
    #expect(tags.text("0", 0x0131) == "Viewfinder 1")
    #expect(tags.text("0", 0x0132) == "2026:03:04 05:06:08")
    #expect(tags.integer("0", 0x0112) == 6)
    #expect(tags.integer("0", 0x0128) == 2)
    #expect(tags["0", 0x011A]?.value == [72, 0, 0, 0, 1, 0, 0, 0])
    #expect(tags.integer("0", 0x0213) == 1)
    #expect(tags["Exif", 0x829A]?.value == [1, 0, 0, 0, 250, 0, 0, 0])
    #expect(tags.integer("Exif", 0x8827) == 400)
    #expect(tags.text("Exif", 0x9000) == "0232")
    #expect(tags.text("Exif", 0x9003) == "2026:03:04 05:06:07")
    #expect(tags.text("Exif", 0x9004) == "2026:03:04 05:06:07")
    for (tag, offset) in [(0x9010, "+05:30"), (0x9011, "+06:30"), (0x9012, "+06:30")] {
      let tag = UInt16(tag)
      #expect(tags.text("Exif", tag) == offset)
      #expect(tags["Exif", tag]?.count == 7)
    }
    #expect(tags.text("Exif", 0x9290) == "9")
    #expect(tags.text("Exif", 0x9291) == "012" && tags.text("Exif", 0x9292) == "012")
    #expect(tags["Exif", 0x9101]?.value == [1, 2, 3, 0])
    #expect(tags.text("Exif", 0xA000) == "0100")
    #expect(tags.integer("Exif", 0xA001) == 1)
    #expect(tags.integer("Exif", 0xA002) == 1920 && tags.integer("Exif", 0xA003) == 1080)
    #expect(tags.integer("Exif", 0xA402) == 1 && tags.integer("Exif", 0xA403) == 0)
    #expect(tags.text("Exif", 0xA420) == "00112233445566778899aabbccddeeff")
    #expect(tags.text("Interop", 1) == "R98")
    #expect(tags.thumbnail == thumbnail)
    for entries in tags.directories.values {
      #expect(entries.map(\.tag) == entries.map(\.tag).sorted(), "ascending")
    }
  }

  @Test("What isn't known is left out")
  func nothingInvented() throws {
    var exif = vf_exif()
    let tags = TIFFTags(Self.tiff(try Self.write(&exif)))
    #expect(tags.directories["0"]?.map(\.tag) == [0x0112, 0x011A, 0x011B, 0x0128, 0x0213, 0x8769])
    #expect(tags.directories["Exif"]?.map(\.tag) == [0x9000, 0x9101, 0xA000, 0xA001, 0xA005])
    #expect(tags.directories["1"] == nil)
    #expect(tags.integer("0", 0x0112) == 1)
  }

  @Test(
    "A thumbnail that doesn't fit the segment is left out", arguments: [60_000, 65_400, 200_000])
  func largeThumbnail(count: Int) throws {
    let thumbnail = Array(repeating: UInt8(7), count: count)
    let payload = try Self.withFacts(thumbnail: thumbnail, Self.write)
    #expect(payload.count <= 65_533)
    let tags = TIFFTags(Self.tiff(payload))
    #expect(tags.thumbnail.count == (count == 60_000 ? count : 0))
    #expect(tags.text("0", 0x0110) == "C920")
  }

  @Test("Facts that don't fit, and an orientation out of range, are refused")
  func refused() {
    let long = String(repeating: "x", count: 70_000)
    #expect(failureCode { _ = try Self.withFacts(make: long, Self.write) } == EINVAL)
    #expect(failureCode { _ = try Self.withFacts(orientation: 9, Self.write) } == EINVAL)
  }

  @Test("An update replaces what the new file changes, and keeps the rest")
  func update() throws {
    let old = Self.tiff(try Self.withFacts(thumbnail: [1, 2, 3], Self.write))
    let payload = try Self.withFacts(
      orientation: 1, make: "Nobody", dateTime: "2030:01:01 00:00:00", software: "Other",
      width: 640, dotsPerInch: 300
    ) { try Self.update(old, &$0) }
    let tags = TIFFTags(Self.tiff(payload))
    #expect(tags.text("0", 0x010F) == "Kamera Müller")
    #expect(tags.text("0", 0x0131) == "Other")
    #expect(tags.text("0", 0x0132) == "2030:01:01 00:00:00")
    #expect(tags.text("Exif", 0x9003) == "2026:03:04 05:06:07")
    #expect(tags.integer("0", 0x0112) == 1)
    #expect(tags.integer("Exif", 0xA002) == 640)
    #expect(tags["0", 0x011A]?.value.first == 44)
    #expect(tags.thumbnail.isEmpty)
    #expect(tags.text("Exif", 0xA420) == "00112233445566778899aabbccddeeff")
  }

  @Test("An update keeps big-endian data, GPS and unknown tags, and drops MakerNote")
  func foreignData() throws {
    func big(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      big(tag, 2) + big(type, 2) + big(count, 4) + value
        + Array(repeating: 0, count: 4 - value.count)
    }
    // IFD0 at 8, the Exif IFD at 74, the GPS IFD at 104.
    let tiff =
      Array("MM".utf8) + big(42, 2) + big(8, 4)
      + big(5, 2) + entry(0x0100, 4, 1, big(9999, 4)) + entry(0x0112, 3, 1, big(8, 2))
      + entry(0x8769, 4, 1, big(74, 4)) + entry(0x8825, 4, 1, big(104, 4))
      + entry(0xFDE8, 3, 1, big(4711, 2)) + big(0, 4)
      + big(2, 2) + entry(0x9000, 7, 4, Array("0220".utf8)) + entry(0x927C, 7, 4, [1, 2, 3, 4])
      + big(0, 4)
      + big(1, 2) + entry(0x0001, 2, 2, Array("N\0".utf8)) + big(0, 4)
    #expect(Self.orientation(tiff) == 8)
    let payload = try Self.withFacts(orientation: 3, dateTime: nil) { try Self.update(tiff, &$0) }
    #expect(payload[6] == UInt8(ascii: "M"))
    let tags = TIFFTags(Self.tiff(payload))
    #expect(tags.integer("0", 0x0112) == 3)
    #expect(tags["0", 0x0100] == nil)
    #expect(tags.integer("0", 0xFDE8) == 4711)
    #expect(tags.text("GPS", 1) == "N")
    #expect(tags.text("Exif", 0x9000) == "0220")
    #expect(tags["Exif", 0x927C] == nil)
    #expect(tags.integer("Exif", 0xA002) == 1920)
  }

  /// Little-endian data of a main directory alone, with what lies behind it.
  static func main(_ entries: [(tag: Int, type: Int, count: Int, value: Int)], _ behind: [UInt8])
    -> [UInt8]
  {
    func little(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let table = entries.flatMap {
      little($0.tag, 2) + little($0.type, 2) + little($0.count, 4) + little($0.value, 4)
    }
    return Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2) + table + little(0, 4)
      + behind
  }

  @Test(
    "An update puts damaged directories in order: tags ascend, once, with values that are there")
  func disorder() throws {
    // Values begin behind the directory: 8 + 2 + 6 × 12 + 4.
    let at = 86
    let tiff = Self.main(
      [
        (0x8298, 2, 8, at), (0x013B, 2, 6, at + 8), (0x010E, 2, 40, at), (0x013B, 2, 2, 0x41),
        (0x9C9B, 77, 4, at), (0xC4A5, 7, 9, 0),
      ], Array("Rights.\0Maker\0".utf8))
    let tags = TIFFTags(Self.tiff(try Self.withFacts { try Self.update(tiff, &$0) }))
    let main = try #require(tags.directories["0"])
    #expect(main.map(\.tag) == main.map(\.tag).sorted())
    #expect(Set(main.map(\.tag)).count == main.count)
    #expect(tags.text("0", 0x8298) == "Rights." && tags.text("0", 0x013B) == "Maker")
    #expect(tags["0", 0x010E] == nil, "its text ends behind the data")
    #expect(tags["0", 0x9C9B] == nil, "no such type")
    #expect(tags["0", 0xC4A5] == nil, "it lies in the header")
  }

  @Test("An update leaves nothing of what it takes out, and no holes")
  func compact() throws {
    let secret = Array("What only the maker knows".utf8)
    let note = try Self.withFacts { exif in
      let old = Self.tiff(try Self.write(&exif))
      var editor = old
      // The unique identifier's tag becomes a MakerNote.
      let tag: [UInt8] = [0x20, 0xA4, 2, 0, 33, 0, 0, 0]
      let place = try #require(old.firstRange(of: tag)).lowerBound
      editor.replaceSubrange(place..<place + 8, with: [0x7C, 0x92, 7, 0, 25, 0, 0, 0])
      let offset = TIFFTags(old).number(old, place + 8)
      editor.replaceSubrange(offset..<offset + secret.count, with: secret)
      return editor
    }
    let updated = try Self.withFacts(thumbnail: [1, 2, 3]) { try Self.update(note, &$0) }
    #expect(note.firstRange(of: secret) != nil && updated.firstRange(of: secret) == nil)
    let again = try Self.withFacts(thumbnail: [1, 2, 3]) {
      try Self.update(Self.tiff(updated), &$0)
    }
    #expect(again.count == updated.count)
  }

  @Test("Headers tell byte order, size of offsets and the first directory, or are none")
  func headers() throws {
    func header(_ bytes: [UInt8]) -> vf_tiff_header? {
      var header = vf_tiff_header()
      let code = vf_tiff_read_header(bytes, bytes.count, &header)
      #expect(code == 0 || code == -EBADMSG)
      return code == 0 ? header : nil
    }
    let classic = try #require(header(Array("MM\0*".utf8) + [0, 0, 1, 2]))
    #expect(classic.big_endian == 1 && classic.first_directory == 0x102)
    #expect(classic.count_size == 2 && classic.entry_size == 12 && classic.offset_size == 4)
    let big: [UInt8] = Array("II+\0".utf8) + [8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 1]
    let wide = try #require(header(big))
    #expect(wide.big_endian == 0 && wide.first_directory == 0x100_0000_0000_0010)
    #expect(wide.count_size == 8 && wide.entry_size == 20 && wide.offset_size == 8)
    #expect(header(big.dropLast()) == nil)
    for raw in ["IIRO", "IIRS", "MMOR", "IIU\0"] {
      #expect(header(Array(raw.utf8) + [8, 0, 0, 0]) != nil, "\(raw)")
    }
    for other in ["IM*\0", "II\0*", "MM*\0", "PK\u{3}\u{4}"] {
      #expect(header(Array(other.utf8) + [8, 0, 0, 0]) == nil, "\(other)")
    }
    #expect(header(Array("MM\0*".utf8) + [0, 0, 1]) == nil)
  }

  @Test("An entry holds the values that fit, and tells where the others are")
  func entries() throws {
    var header = vf_tiff_header()
    let start = Array("II*\0".utf8) + [8, 0, 0, 0]
    #expect(vf_tiff_read_header(start, start.count, &header) == 0)
    func entry(_ type: UInt8, _ count: UInt8) -> vf_tiff_entry {
      vf_tiff_read_entry(&header, [0x12, 1, type, 0, count, 0, 0, 0, 50, 0, 0, 0], 1000)
    }
    let short = entry(3, 2)
    #expect(short.tag == 0x112 && short.type == 3 && short.count == 2 && short.value_size == 2)
    #expect(short.offset == 1008 && entry(3, 3).offset == 50)
    #expect(entry(5, 1).offset == 50 && entry(5, 1).value_size == 8)
    #expect(entry(14, 1).value_size == 0 && entry(200, 1).value_size == 0)
  }

  @Test(
    "When the old data can't be read, the update is a new one",
    arguments: [
      [], [1, 2, 3], Array("II*\0\u{8}\0\0\0\0\0".utf8), Array("nonsense and more".utf8),
    ] as [[UInt8]])
  func unreadable(tiff: [UInt8]) throws {
    let updated = try Self.withFacts { try Self.update(tiff, &$0) }
    #expect(try updated == Self.withFacts(Self.write))
  }

  @Test("Every orientation is read back", arguments: 1...8 as ClosedRange<UInt16>)
  func orientations(value: UInt16) throws {
    let tiff = Self.tiff(try Self.withFacts(orientation: value, Self.write))
    #expect(Self.orientation(tiff) == UInt32(value))
  }

  @Test("An orientation of a strange type, out of range or out of reach is 1")
  func hostileOrientation() {
    func tiff(type: UInt8, count: UInt8 = 1, value: UInt8, offset: [UInt8] = [8, 0, 0, 0])
      -> [UInt8]
    {
      Array("II*\0".utf8) + offset + [1, 0, 0x12, 1, type, 0, count, 0, 0, 0, value, 0, 0, 0]
    }
    #expect(Self.orientation(tiff(type: 3, value: 6)) == 6)
    #expect(Self.orientation(tiff(type: 4, value: 6)) == 6)
    #expect(Self.orientation(tiff(type: 2, value: 6)) == 1)
    #expect(Self.orientation(tiff(type: 3, count: 2, value: 6)) == 1)
    #expect(Self.orientation(tiff(type: 3, value: 0)) == 1)
    #expect(Self.orientation(tiff(type: 3, value: 9)) == 1)
    for offset in [[255, 255, 255, 255], [22, 0, 0, 0], [21, 0, 0, 0], [0, 0, 0, 0]] as [[UInt8]] {
      #expect(Self.orientation(tiff(type: 3, value: 6, offset: offset)) == 1)
    }
    let whole = tiff(type: 3, value: 6)
    for count in 0..<whole.count { #expect(Self.orientation(Array(whole[..<count])) == 1) }
  }

  @Test("Damaged TIFF data never crashes it")
  func damagedBytes() throws {
    let tiff = Self.tiff(try Self.withFacts(thumbnail: [1, 2, 3, 4], Self.write))
    var generator = SplitMix(state: 3)
    for round in 0..<2000 {
      var copy = damaged(tiff, using: &generator)
      if round % 3 == 0 { copy.removeLast(Int.random(in: 0..<copy.count, using: &generator)) }
      #expect((1...8).contains(Self.orientation(copy)))
      let payload = try Self.withFacts(orientation: 2) { try Self.update(copy, &$0) }
      #expect(Self.orientation(Self.tiff(payload)) == 2)
    }
  }
}

/// C strings for a call.
final class KeptStrings {
  private var strings: [UnsafeMutablePointer<CChar>] = []

  func keep(_ string: String?) -> UnsafePointer<CChar>? {
    guard let string, let copy = strdup(string) else { return nil }
    strings.append(copy)
    return UnsafePointer(copy)
  }

  func release() { for string in strings { free(string) } }
}
