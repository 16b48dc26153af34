import Viewfinder

/// Sigma's raw format of Foveon sensors: a header, and sections that a list at the end names.
enum X3FReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("FOVb") else { return nil }
    let bytes = bytes.ordered(.little)
    var info = MediaInfo(type: .x3f)
    info.setSize(width: bytes.uint32(at: 28), height: bytes.uint32(at: 32))
    if let degrees = bytes.uint32(at: 36) {
      info.orientation = ImageOrientation(clockwiseRotation: degrees, mirrored: false) ?? .up
    }
    var previews: [EmbeddedJPEG] = []
    for section in sections(bytes) {
      switch section.fourCC(at: 0) {
      case "SECp":
        readProperties(section, into: &info)
      case "SECi" where section.uint32(at: 12) == 18:  // The format JPEG.
        let picture = section.part(from: 28)
        if let jpeg = EmbeddedJPEG(picture) { previews.append(jpeg) }
        // Newer cameras tell more in the preview's Exif data.
        if let inner = JPEGReader.read(picture) { info.complete(from: inner) }
      default: break
      }
    }
    info.setPreviews(previews)
    return info
  }

  private static func sections(_ bytes: ByteReader) -> [ByteReader] {
    guard let list = bytes.uint32(at: bytes.count - 4), bytes.hasText("SECd", at: list),
      let count = bytes.uint32(at: list + 8)
    else { return [] }
    return (0..<min(count, 32)).compactMap { index in
      guard let offset = bytes.uint32(at: list + 12 + 12 * index),
        let length = bytes.uint32(at: list + 16 + 12 * index)
      else { return nil }
      return bytes.part(from: offset, count: length)
    }
  }

  /// Pairs of names and values in UTF-16, of which the list has the places, in characters.
  private static func readProperties(_ section: ByteReader, into info: inout MediaInfo) {
    guard let count = section.uint32(at: 8) else { return }
    let characters = section.part(from: 24 + 8 * count)
    func text(_ at: Int) -> String? {
      guard let offset = section.uint32(at: at) else { return nil }
      let bytes = characters.bytes(at: 2 * offset, count: 128)
      let units = stride(from: 0, to: bytes.count - 1, by: 2)
        .map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
    var values: [String: String] = [:]
    for index in 0..<min(count, 256) {
      guard let name = text(24 + 8 * index), let value = text(28 + 8 * index) else { break }
      values[name] = value
    }
    info.setCamera(make: values["CAMMANUF"], model: values["CAMMODEL"])
    // Seconds since 1970 of the camera's clock.
    if let seconds = values["TIME"].flatMap(Int64.init), (1..<1 << 40).contains(seconds) {
      info.state(CaptureDate(localSeconds: seconds), .taken, by: .container)
    }
  }
}
