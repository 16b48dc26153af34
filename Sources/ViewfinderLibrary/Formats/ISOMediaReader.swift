import Viewfinder

/// The family of ISO base media files: MP4, QuickTime and 3GP; HEIF, AVIF and CR3 are told from them here.
enum ISOMediaReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.fourCC(at: 4) == "ftyp" else { return readOldQuickTime(bytes) }
    guard let brand = bytes.fourCC(at: 8) else { return MediaInfo() }
    let others = bytes.box("ftyp").map { content in
      stride(from: 8, to: min(content.count, 8 + 4 * 32), by: 4).compactMap(content.fourCC)
    }
    if let type = pictureType(brand, others ?? []) {
      return type == .cr3 ? CR3Reader.read(bytes) : HEIFReader.read(bytes, type)
    }
    guard let type = videoType(brand) else { return MediaInfo() }
    return readVideo(bytes, type)
  }

  private static func pictureType(_ brand: String, _ others: [String]) -> ContentType? {
    let (hevc, av1) = (["heic", "heix", "heim", "heis", "hevc", "hevx"], ["avif", "avis"])
    if brand == "crx " { return .cr3 }
    if av1.contains(brand) { return .avif }
    if hevc.contains(brand) { return .heic }
    guard ["mif1", "mif2", "msf1", "miaf", "jpeg", "jpgs"].contains(brand) else { return nil }
    if others.contains(where: av1.contains) { return .avif }
    return others.contains(where: hevc.contains) ? .heic : .heif
  }

  /// `nil` for sound.
  private static func videoType(_ brand: String) -> ContentType? {
    switch brand {
    case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": nil
    case "qt  ": .quickTime
    case "M4V ", "M4VH", "M4VP": .m4v
    default: brand.hasPrefix("3g") ? .threeGP : .mpeg4
    }
  }

  /// QuickTime from before there was `ftyp`, which only a video track proves.
  private static func readOldQuickTime(_ bytes: ByteReader) -> MediaInfo? {
    guard let type = bytes.fourCC(at: 4),
      ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(type)
    else { return nil }
    let info = readVideo(bytes, .quickTime)
    return info.storedDimensions == nil ? nil : info
  }

  private static func readVideo(_ bytes: ByteReader, _ type: ContentType) -> MediaInfo {
    var info = MediaInfo(type: type)
    guard let movie = ISOBoxes(bytes).first(where: { $0.type == "moov" }) else {
      info.note("it has no index (moov)")
      return info
    }
    if movie.isCut { info.note("it is cut off") }
    var hasVideo = false
    for box in ISOBoxes(movie.content) {
      switch box.type {
      case "mvhd":
        readHeader(box.content, into: &info)
      case "trak" where isVideo(box.content):
        hasVideo = true
        if info.storedDimensions == nil { readTrack(box.content, into: &info) }
      default: break
      }
    }
    if !hasVideo, !movie.isCut { return MediaInfo() }  // Sound alone.
    if info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
    QuickTimeTags.read(movie.content, into: &info)
    let orientation = info.orientation
    CR3Reader.readExif(movie.content, into: &info)
    info.orientation = orientation  // The track's matrix turns a video.
    info.read(bytes.uuidBox(XMP.uuid).flatMap { XMP($0) })
    return info
  }

  private static func isVideo(_ track: ByteReader) -> Bool {
    track.box(["mdia", "hdlr"])?.fourCC(at: 8) == "vide"
  }

  /// Reads when the video was made, in UTC, and how long it is.
  private static func readHeader(_ header: ByteReader, into info: inout MediaInfo) {
    let isLong = header.uint8(at: 0) == 1
    let creation = (isLong ? header.uint64(at: 4) : header.uint32(at: 4)) ?? 0
    // Seconds since 1904; some cameras count from 1970. Zero is unknown, as is what comes before 1990: nobody had
    // such a camera.
    let seconds = creation >= 2_082_844_800 ? creation - 2_082_844_800 : creation
    if seconds >= 631_152_000, seconds < 1 << 40 {
      info.state(
        CaptureDate(localSeconds: Int64(seconds), offset: 0), .digitized, by: .container)
    }
    guard let scale = header.uint32(at: isLong ? 20 : 12), scale > 0,
      let duration = isLong ? header.uint64(at: 24) : header.uint32(at: 16),
      duration > 0, isLong || duration < 0xffff_ffff
    else { return }
    info.duration = Double(duration) / Double(scale)
  }

  /// Reads a video track's size and how it is turned.
  private static func readTrack(_ track: ByteReader, into info: inout MediaInfo) {
    guard let header = track.box("tkhd") else { return }
    let matrix = header.uint8(at: 0) == 1 ? 52 : 40
    let signs = [0, 4, 12, 16].map { (header.int32(at: matrix + $0) ?? 0).signum() }
    info.orientation = orientation(signs)
    // Fixed-point numbers of 16 and 16 bits.
    var (width, height) = (header.uint16(at: matrix + 36), header.uint16(at: matrix + 40))
    if width == 0 || height == 0,
      let entry = track.box(["mdia", "minf", "stbl", "stsd"])?.part(from: 8)
    {
      (width, height) = (entry.uint16(at: 32), entry.uint16(at: 34))
    }
    if let width, let height, width > 0, height > 0 {
      info.setSize(width: width, height: height)
    }
  }

  /// How the matrix a, b, c, d turns: a pixel goes to x' = ax + cy, y' = bx + dy.
  private static func orientation(_ signs: [Int]) -> ImageOrientation {
    switch signs {
    case [-1, 0, 0, 1]: .upMirrored
    case [-1, 0, 0, -1]: .down
    case [1, 0, 0, -1]: .downMirrored
    case [0, 1, 1, 0]: .leftMirrored
    case [0, 1, -1, 0]: .right
    case [0, -1, -1, 0]: .rightMirrored
    case [0, -1, 1, 0]: .left
    default: .up
    }
  }
}
