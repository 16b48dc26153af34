import Viewfinder

/// An image file directory (IFD): tags and their values, in a TIFF file or an Exif block.
struct TIFFDirectory {
  private let bytes: ByteReader
  private let header: TIFFHeader
  private var entries: [Int: TIFFEntry] = [:]
  /// Where the next directory is; 0 behind the last one.
  let next: Int

  /// No camera writes as many entries or values.
  private static let entryLimit = 512
  private static let valueLimit = 16

  /// Reads the directory at an offset of the block `bytes`.
  init?(_ bytes: ByteReader, at offset: Int, _ header: TIFFHeader) {
    self.bytes = bytes
    self.header = header
    guard let count = bytes.unsigned(at: offset, size: header.countSize), count > 0
    else { return nil }
    let first = offset + header.countSize
    next =
      count <= 0xffff
      ? bytes.unsigned(at: first + count * header.entrySize, size: header.offsetSize) ?? 0 : 0
    for index in 0..<min(count, Self.entryLimit) {
      let at = first + index * header.entrySize
      let entryBytes = bytes.bytes(at: at, count: header.entrySize)
      guard entryBytes.count == header.entrySize else { break }
      let entry = header.entry(entryBytes[...], at: at)
      if entry.count > 0, entry.valueSize > 0, entries[entry.tag] == nil {
        entries[entry.tag] = entry
      }
    }
  }

  func has(_ tag: Int) -> Bool { entries[tag] != nil }

  /// How many values a tag has.
  func count(_ tag: Int) -> Int { entries[tag]?.count ?? 0 }

  /// The first values of a tag that holds numbers.
  func integers(_ tag: Int) -> [Int] {
    guard let entry = entries[tag] else { return [] }
    return (0..<min(entry.count, Self.valueLimit)).compactMap { index in
      let at = entry.offset + index * entry.valueSize
      return switch entry.type {
      case 1, 3, 4, 7, 13, 16, 18: bytes.unsigned(at: at, size: entry.valueSize)
      case 9: bytes.int32(at: at)
      default: nil
      }
    }
  }

  func integer(_ tag: Int) -> Int? { integers(tag).first }

  /// The first values of a tag that holds fractions or numbers; `nil` where a denominator is zero.
  func fractions(_ tag: Int) -> [Double?] {
    guard let entry = entries[tag] else { return [] }
    guard entry.type == 5 || entry.type == 10 else { return integers(tag).map(Double.init) }
    return (0..<min(entry.count, Self.valueLimit)).map { index in
      let at = entry.offset + index * 8
      let isSigned = entry.type == 10
      guard let numerator = isSigned ? bytes.int32(at: at) : bytes.uint32(at: at),
        let denominator = isSigned ? bytes.int32(at: at + 4) : bytes.uint32(at: at + 4),
        denominator != 0
      else { return nil }
      return Double(numerator) / Double(denominator)
    }
  }

  /// A tag's text, without blanks around it; `nil` when there is none.
  func text(_ tag: Int) -> String? {
    guard let entry = entries[tag], [1, 2, 7].contains(entry.type) else { return nil }
    return bytes.text(at: entry.offset, count: entry.count)
  }

  /// A tag's bytes, which may be a file within the file; empty when there are none.
  func data(_ tag: Int) -> ByteReader {
    // Some programs call bytes text, or numbers of four.
    guard let entry = entries[tag], [1, 2, 4, 7].contains(entry.type) else {
      return bytes.part(from: 0, count: 0)
    }
    let (count, overflow) = entry.count.multipliedReportingOverflow(by: entry.valueSize)
    return bytes.part(from: entry.offset, count: overflow ? .max : count)
  }

  /// The directory that a tag points to.
  func directory(_ tag: Int) -> TIFFDirectory? {
    integer(tag).flatMap { $0 > 0 ? TIFFDirectory(bytes, at: $0, header) : nil }
  }

  /// The JPEG that the tags with these numbers give the place and the length of.
  func jpeg(offset: Int, length: Int) -> EmbeddedJPEG? {
    guard count(offset) == 1, let start = integer(offset), let length = integer(length),
      start > 0, length > 0, start <= bytes.count, length <= bytes.count - start
    else { return nil }
    return EmbeddedJPEG(bytes.part(from: start, count: length))
  }
}

/// The directories of a TIFF file or an Exif block.
struct TIFFBlock {
  /// First those of the chain (pages; Exif's thumbnail), then those below them (SubIFDs).
  let directories: [TIFFDirectory]
  /// How many are in the chain.
  let chainCount: Int
  let bytes: ByteReader
  let header: TIFFHeader

  private static let directoryLimit = 32

  init?(_ bytes: ByteReader) {
    guard let header = TIFFHeader(bytes.bytes(at: 0, count: TIFFHeader.longest)) else { return nil }
    let bytes = bytes.ordered(header.isBigEndian ? .big : .little)
    self.bytes = bytes
    self.header = header

    // Directories may point in circles.
    var visited: Set<Int> = []
    func read(_ offset: Int) -> TIFFDirectory? {
      guard offset > 0, visited.count < Self.directoryLimit, visited.insert(offset).inserted else {
        return nil
      }
      return TIFFDirectory(bytes, at: offset, header)
    }
    var found: [TIFFDirectory] = []
    var next = header.firstDirectory
    while let directory = read(next) {
      found.append(directory)
      next = directory.next
    }
    chainCount = found.count
    for directory in found {
      found += directory.integers(TIFFTag.subIFDs).compactMap(read)
    }
    directories = found
  }

  /// The JPEGs inside that can be shown.
  var previews: [EmbeddedJPEG] {
    directories.compactMap { directory in
      if let jpeg = directory.jpeg(offset: TIFFTag.jpegOffset, length: TIFFTag.jpegLength) {
        return jpeg
      }
      // A strip that needs tables from elsewhere is no whole JPEG.
      guard [6, 7].contains(directory.integer(TIFFTag.compression)),
        !directory.has(TIFFTag.jpegTables)
      else { return nil }
      return directory.jpeg(offset: TIFFTag.stripOffsets, length: TIFFTag.stripByteCounts)
    }
  }
}

/// Tags of TIFF 6.0, TIFF/EP and DNG.
enum TIFFTag {
  static let newSubfileType = 0x00fe
  static let imageWidth = 0x0100
  static let imageLength = 0x0101
  static let compression = 0x0103
  static let photometricInterpretation = 0x0106
  static let make = 0x010f
  static let model = 0x0110
  static let stripOffsets = 0x0111
  static let orientation = 0x0112
  static let stripByteCounts = 0x0117
  static let dateTime = 0x0132
  static let subIFDs = 0x014a
  static let jpegTables = 0x015b
  static let jpegOffset = 0x0201
  static let jpegLength = 0x0202
  static let xmp = 0x02bc
  static let iptc = 0x83bb
  static let photoshop = 0x8649
  static let exifIFD = 0x8769
  static let gpsIFD = 0x8825
  static let dngVersion = 0xc612
  static let defaultCropSize = 0xc620
}
