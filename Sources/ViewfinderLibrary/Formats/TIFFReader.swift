import Viewfinder

/// TIFF, BigTIFF, and the raw formats that build on TIFF.
enum TIFFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    // "II" and "MM" begin other things, too: the number behind them decides.
    let isTIFF = ["II*\0", "MM\0*", "II+\0", "MM\0+", "IIRO", "IIRS", "MMOR", "IIU\0"]
      .contains(bytes.fourCC(at: 0))
    guard isTIFF, let block = TIFFBlock(bytes) else { return nil }
    var info = MediaInfo(type: .tiff)
    guard let main = block.directories.first else {
      info.note("it has no directory")
      info.type = marked(bytes) ?? .tiff
      return info
    }
    let type = marked(bytes) ?? rawType(block) ?? .tiff
    info.type = type
    info.readExif(block)
    if main.has(TIFFTag.xmp) { info.read(XMP(main.data(TIFFTag.xmp))) }
    if main.has(TIFFTag.iptc) { info.readIPTC(main.data(TIFFTag.iptc)) }
    if main.has(TIFFTag.photoshop) { info.readResources(main.data(TIFFTag.photoshop)) }
    var previews = block.previews
    if type == .rw2 {
      readPanasonic(main, into: &info, previews: &previews)
    } else {
      if type == .orf { previews += OlympusPreview.find(in: block) }
      let size = size(block, isRaw: type.kind == .rawImage)
      info.setSize(width: size.width, height: size.height)
    }
    info.setPreviews(previews)
    return info
  }

  /// The type of a raw file with a mark of its own.
  private static func marked(_ bytes: ByteReader) -> ContentType? {
    switch bytes.fourCC(at: 0) {
    case "IIRO", "IIRS", "MMOR": .orf
    case "IIU\0": .rw2
    default:
      if bytes.hasText("CR", at: 8) {
        .cr2
      } else if bytes.hasText("IIII", at: 8) || bytes.hasText("MMMM", at: 8) {
        .iiq
      } else {
        nil
      }
    }
  }

  /// The type of a file that holds a sensor's data, which only its maker tells from others.
  private static func rawType(_ block: TIFFBlock) -> ContentType? {
    if block.directories[0].has(TIFFTag.dngVersion) { return .dng }
    guard block.directories.contains(where: isSensorData) else { return nil }
    let make = block.directories.lazy.compactMap { $0.text(TIFFTag.make) }.first ?? ""
    let makers: [(String, ContentType)] = [
      ("nikon", .nef), ("sony", .arw), ("pentax", .pef), ("ricoh", .pef), ("asahi", .pef),
      ("samsung", .srw), ("hasselblad", .hasselblad3FR), ("phase one", .iiq),
    ]
    return makers.first { make.lowercased().hasPrefix($0.0) }?.1 ?? .otherRaw
  }

  private static func isSensorData(_ directory: TIFFDirectory) -> Bool {
    // Colour filter array and linear raw, or the compressions of Sony, Samsung, Nikon and Pentax.
    [32803, 34892].contains(directory.integer(TIFFTag.photometricInterpretation))
      || [32767, 32770, 34713, 65535].contains(directory.integer(TIFFTag.compression))
  }

  /// The size of the first page, or of a raw file's largest picture.
  private static func size(_ block: TIFFBlock, isRaw: Bool) -> (width: Int?, height: Int?) {
    func size(_ directory: TIFFDirectory) -> (width: Int?, height: Int?) {
      // Without the border that programs cut off.
      let crop = directory.fractions(TIFFTag.defaultCropSize).compactMap { $0 }
      if crop.count == 2, crop.allSatisfy({ $0 >= 1 && $0 < 1e6 }) {
        return (Int(crop[0]), Int(crop[1]))
      }
      return (directory.integer(TIFFTag.imageWidth), directory.integer(TIFFTag.imageLength))
    }
    let isFull = { (directory: TIFFDirectory) in
      (directory.integer(TIFFTag.newSubfileType) ?? 0) & 1 == 0
        && directory.has(TIFFTag.imageWidth)
    }
    guard isRaw else {
      let pages = block.directories.prefix(block.chainCount)
      return size(pages.first(where: isFull) ?? block.directories[0])
    }
    let sizes = block.directories.filter(isFull).map(size)
    return sizes.max { ($0.width ?? 0) < ($1.width ?? 0) } ?? size(block.directories[0])
  }

  /// Panasonic has tags of its own in place of TIFF's.
  private static func readPanasonic(
    _ main: TIFFDirectory, into info: inout MediaInfo, previews: inout [EmbeddedJPEG]
  ) {
    let (sensorTop, sensorLeft, sensorBottom, sensorRight, jpegFromRaw) = (4, 5, 6, 7, 0x2e)
    if let top = main.integer(sensorTop), let left = main.integer(sensorLeft),
      let bottom = main.integer(sensorBottom), let right = main.integer(sensorRight)
    {
      info.setSize(width: right - left, height: bottom - top)
    }
    let data = main.data(jpegFromRaw)
    if let jpeg = EmbeddedJPEG(data) { previews.append(jpeg) }
    if let inner = JPEGReader.read(data) { info.complete(from: inner) }
    if info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
  }
}

/// The preview of Olympus and OM System, which only their MakerNote knows.
private enum OlympusPreview {
  static func find(in block: TIFFBlock) -> [EmbeddedJPEG] {
    let (makerNote, cameraSettings, previewStart, previewLength) = (0x927c, 0x2020, 0x101, 0x102)
    guard let exif = block.directories.first?.directory(TIFFTag.exifIFD) else { return [] }
    // The note's offsets count from its own beginning.
    let note = exif.data(makerNote)
    let directoryAt: Int
    if note.hasText("OLYMPUS\0") {
      directoryAt = 12
    } else if note.hasText("OM SYSTEM\0") {
      directoryAt = 16
    } else {
      return []
    }
    // The preview may lie behind the note's end.
    let whole = block.bytes.part(from: note.range.lowerBound - block.bytes.range.lowerBound)
    let settings = TIFFDirectory(whole, at: directoryAt, block.header)?.directory(cameraSettings)
    return settings?.jpeg(offset: previewStart, length: previewLength).map { [$0] } ?? []
  }
}

/// Fujifilm's raw format, a JPEG with the sensor's data behind it.
enum RAFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("FUJIFILMCCD-RAW ") else { return nil }
    var info = MediaInfo(type: .raf)
    if let offset = bytes.uint32(at: 84), let length = bytes.uint32(at: 88), length > 0,
      let inner = JPEGReader.read(bytes.part(from: offset, count: length))
    {
      info = inner
      info.type = .raf
      info.damage = nil
      let jpeg = EmbeddedJPEG(bytes.part(from: offset, count: length))
      info.thumbnail = jpeg == nil ? nil : inner.preview
      info.preview = jpeg?.range ?? inner.preview
    }
    if let size = sensorSize(bytes) {
      info.setSize(width: size.width, height: size.height)
    } else if info.storedDimensions == nil {
      info.setSize(width: nil, height: nil)
    }
    return info
  }

  /// The cropped size in the list of tags about the sensor's data.
  private static func sensorSize(_ bytes: ByteReader) -> (width: Int, height: Int)? {
    let croppedSize = 0x111
    guard var offset = bytes.uint32(at: 92), let count = bytes.uint32(at: offset) else {
      return nil
    }
    offset += 4
    for _ in 0..<min(count, 256) {
      guard let tag = bytes.uint16(at: offset), let size = bytes.uint16(at: offset + 2) else {
        return nil
      }
      if tag == croppedSize, let height = bytes.uint16(at: offset + 4),
        let width = bytes.uint16(at: offset + 6), width > 0, height > 0
      {
        return (width, height)
      }
      offset += 4 + size
    }
    return nil
  }
}
