/// Canon's raw format of ISO media boxes, with Exif's directories as blocks of their own.
enum CR3Reader {
  private static let canon: [UInt8] = [
    0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
  ]
  private static let preview: [UInt8] = [
    0xea, 0xf4, 0x2b, 0x5e, 0x1c, 0x98, 0x4b, 0x88, 0xb9, 0xfb, 0xb7, 0xdc, 0x40, 0x6e, 0x4d, 0x16,
  ]

  static func read(_ bytes: ByteReader) -> MediaInfo {
    var info = MediaInfo(type: .cr3)
    guard let movie = bytes.box("moov"), let canon = movie.uuidBox(canon) else {
      info.note("it has no description (moov)")
      return info
    }
    let main = readExif(movie, into: &info)
    info.read(bytes.uuidBox(XMP.uuid).flatMap { XMP($0) })
    info.setSize(
      width: main?.integer(TIFFTag.imageWidth), height: main?.integer(TIFFTag.imageLength))
    info.setPreviews(
      [thumbnail(canon), smallPreview(bytes), largePreview(movie, bytes)].compactMap { $0 })
    return info
  }

  /// Reads Exif's directories, which Canon's cameras put into videos, too; returns the first one.
  @discardableResult
  static func readExif(_ movie: ByteReader, into info: inout MediaInfo) -> TIFFDirectory? {
    guard let canon = movie.uuidBox(canon) else { return nil }
    func directory(_ type: String) -> TIFFDirectory? {
      canon.box(type).flatMap(TIFFBlock.init)?.directories.first
    }
    let main = directory("CMT1")
    if let main { info.readMain(main) }
    info.readDates(main: main, exif: directory("CMT2"))
    if let gps = directory("CMT4") { info.readPosition(gps) }
    return main
  }

  /// `THMB`: version, flags, width, height and length before the JPEG.
  private static func thumbnail(_ canon: ByteReader) -> EmbeddedJPEG? {
    guard let box = canon.box("THMB"), let length = box.uint32(at: 8) else { return nil }
    // A second version of the box has a shorter header.
    let start = box.hasBytes([0xff, 0xd8], at: 16) ? 16 : 12
    return EmbeddedJPEG(box.part(from: start, count: length))
  }

  /// `PRVW`, of 1620 × 1080 pixels, in a box of its own beside `moov`.
  private static func smallPreview(_ bytes: ByteReader) -> EmbeddedJPEG? {
    guard let box = bytes.uuidBox(preview)?.part(from: 8).box("PRVW"),
      let length = box.uint32(at: 12)
    else { return nil }
    return EmbeddedJPEG(box.part(from: 16, count: length))
  }

  /// The first track is one JPEG of full size.
  private static func largePreview(_ movie: ByteReader, _ bytes: ByteReader) -> EmbeddedJPEG? {
    guard let table = movie.box(["trak", "mdia", "minf", "stbl"]),
      let sizes = table.box("stsz"), let length = sizes.uint32(at: 4),
      let offset = table.box("co64")?.uint64(at: 8) ?? table.box("stco")?.uint32(at: 8)
    else { return nil }
    let size = length == 0 ? sizes.uint32(at: 12) ?? 0 : length
    guard size > 0, offset <= bytes.count, size <= bytes.count - offset else { return nil }
    return EmbeddedJPEG(bytes.part(from: offset, count: size))
  }
}
