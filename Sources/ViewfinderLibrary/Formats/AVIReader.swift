import Viewfinder

/// AVI, and the dates that cameras put into it.
enum AVIReader {
  /// Reads a RIFF file of that kind.
  static func read(_ bytes: ByteReader) -> MediaInfo {
    var info = MediaInfo(type: .avi)
    var hasVideo = false
    var hasHeader = false
    for chunk in RIFFChunks(bytes, from: 12).prefix(32) {
      let content = chunk.content
      switch (chunk.type, chunk.type == "LIST" ? content.fourCC(at: 0) : nil) {
      case (_, "hdrl"):
        hasHeader = true
        readHeader(content, into: &info, hasVideo: &hasVideo)
      case (_, "INFO"):
        readInfo(content, into: &info)
      case (_, "ncdt"):
        readNikon(content, into: &info)
      case ("_PMX", _):
        info.read(XMP(content))
      case ("IDIT", _):
        state(content, in: &info)
      default: break
      }
    }
    if !hasHeader {
      info.note("it has no header")
      return info
    }
    if hasVideo, info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
    // The header may say so, or be cut off before it does.
    return hasVideo || info.storedDimensions != nil ? info : MediaInfo()
  }

  /// Notes the date in a chunk, which each maker spells in its own way.
  private static func state(_ content: ByteReader, in info: inout MediaInfo) {
    info.state(content.text().flatMap { CaptureDate(written: $0) }, .taken, by: .container)
  }

  private static func readHeader(
    _ header: ByteReader, into info: inout MediaInfo, hasVideo: inout Bool
  ) {
    for chunk in RIFFChunks(header, from: 4) {
      let content = chunk.content
      if chunk.type == "avih" {
        if let width = content.uint32(at: 32), let height = content.uint32(at: 36), width > 0 {
          info.setSize(width: width, height: height)
        }
      } else if chunk.type == "IDIT" {
        state(content, in: &info)
      } else if chunk.type == "LIST", content.fourCC(at: 0) == "strl", !hasVideo {
        hasVideo = readStream(content, into: &info)
      }
    }
  }

  /// Reads a stream's headers; returns whether it is of pictures.
  private static func readStream(_ list: ByteReader, into info: inout MediaInfo) -> Bool {
    var isVideo = false
    for chunk in RIFFChunks(list, from: 4) {
      let content = chunk.content
      if chunk.type == "strh" {
        guard content.fourCC(at: 0) == "vids" else { return false }
        isVideo = true
        if let scale = content.uint32(at: 20), let rate = content.uint32(at: 24), rate > 0,
          let length = content.uint32(at: 32), length > 0, scale > 0
        {
          info.duration = Double(length) * Double(scale) / Double(rate)
        }
      } else if chunk.type == "strd", content.hasText("AVIF") {
        // Exif's directories without a header; offsets count from the first one.
        if let header = TIFFHeader([0x49, 0x49, 42, 0, 8, 0, 0, 0]),
          let main = TIFFDirectory(content.part(from: 8), at: 0, header)
        {
          info.readExif(main)
          info.orientation = .up
        }
      }
    }
    return isVideo
  }

  /// `ICRD` is RIFF's own date, which may be a day alone.
  private static func readInfo(_ list: ByteReader, into info: inout MediaInfo) {
    for chunk in RIFFChunks(list, from: 4) where ["ICRD", "IDIT"].contains(chunk.type) {
      state(chunk.content, in: &info)
    }
  }

  /// Nikon's tags: a number and a length in 16 bits each, then the value.
  private static func readNikon(_ list: ByteReader, into info: inout MediaInfo) {
    let (make, model, taken) = (3, 4, 0x13)
    guard let tags = RIFFChunks(list, from: 4).first(where: { $0.type == "nctg" })?.content else {
      return
    }
    var texts: [Int: String] = [:]
    var offset = 0
    for _ in 0..<64 {
      guard let tag = tags.uint16(at: offset), let size = tags.uint16(at: offset + 2) else { break }
      if [make, model, taken].contains(tag) { texts[tag] = tags.text(at: offset + 4, count: size) }
      offset += 4 + size
    }
    info.state(CaptureDate(exif: texts[taken]), .taken, by: .container)
    if info.camera == nil { info.setCamera(make: texts[make], model: texts[model]) }
  }
}
