/// What phones write about a video beside the standard's boxes.
enum QuickTimeTags {
  static func read(_ movie: ByteReader, into info: inout MediaInfo) {
    if let meta = movie.box("meta") {
      readApple(meta, into: &info)
      readSony(meta, into: &info)
    }
    guard let userData = movie.box("udta") else { return }
    for box in ISOBoxes(userData).prefix(64) {
      switch box.type {
      case "\u{a9}xyz":
        info.state(GeoPosition(iso6709: text(box.content)), by: .container)
      case "loci":
        info.state(place(box.content), by: .container)
      case "\u{a9}day":
        info.state(text(box.content).flatMap(day), .taken, by: .container)
      case "date":
        info.state(
          box.content.text().flatMap { CaptureDate(written: $0) }, .taken, by: .container)
      case "XMP_":
        info.read(XMP(box.content))
      case "meta":
        readITunes(box.content, into: &info)
      default: break
      }
    }
  }

  /// QuickTime's text: a length, a language and the characters.
  private static func text(_ content: ByteReader) -> String? {
    content.uint16(at: 0).flatMap { content.text(at: 4, count: $0) }
  }

  /// 3GPP's place (TS 26.244, 8.5): a name, what it is the place of, then degrees and metres with 16 bits behind the
  /// point.
  private static func place(_ content: ByteReader) -> GeoPosition? {
    let name = content.part(from: 6).bytes(at: 0, count: 256)
    // UTF-16 begins with a mark.
    let isWide = name.starts(with: [0xfe, 0xff]) || name.starts(with: [0xff, 0xfe])
    let length =
      isWide
      ? stride(from: 0, to: name.count - 1, by: 2).first { name[$0] == 0 && name[$0 + 1] == 0 }
        .map { $0 + 2 }
      : name.firstIndex(of: 0).map { $0 + 1 }
    guard let length else { return nil }
    let numbers = [1, 5, 9].compactMap { content.int32(at: 6 + length + $0) }
      .map { Double($0) / 65536 }
    guard numbers.count == 3 else { return nil }
    return GeoPosition(latitude: numbers[1], longitude: numbers[0], altitude: numbers[2])
  }

  /// The list of values that iTunes and FFmpeg write, of which a day and a place are two.
  private static func readITunes(_ meta: ByteReader, into info: inout MediaInfo) {
    guard let list = meta.part(from: 4).box("ilst") else { return }
    func value(_ type: String) -> String? {
      list.box([type, "data"])?.part(from: 8).text()
    }
    info.state(value("\u{a9}day").flatMap(day), .taken, by: .container)
    info.state(GeoPosition(iso6709: value("\u{a9}xyz")), by: .container)
  }

  /// Music and films have a year here, which says less than any header's date.
  private static func day(_ text: String) -> CaptureDate? {
    text.utf8.count(where: \.isASCIIDigit) < 8 ? nil : CaptureDate(written: text)
  }

  /// Sony's XML, behind a version and flags.
  private static func readSony(_ meta: ByteReader, into info: inout MediaInfo) {
    guard meta.fourCC(at: 20) == "nrtm", let xml = meta.part(from: 4).box("xml ") else { return }
    let metadata = SonyMetadata(xml.part(from: 4))
    info.state(metadata.created, .taken, by: .container)
    if info.camera == nil { info.setCamera(make: metadata.make, model: metadata.model) }
  }

  /// Apple's keys, which number the values of `ilst` from 1.
  private static func readApple(_ meta: ByteReader, into info: inout MediaInfo) {
    // QuickTime's box begins with its boxes, MP4's with version and flags.
    let meta = meta.fourCC(at: 4) == "hdlr" ? meta : meta.part(from: 4)
    guard let keys = meta.box("keys"), let values = meta.box("ilst"),
      let count = keys.uint32(at: 4)
    else { return }
    var names: [String?] = []
    var offset = 8
    for _ in 0..<min(count, 64) {
      guard let size = keys.uint32(at: offset), size >= 8 else { break }
      names.append(keys.text(at: offset + 8, count: size - 8))
      offset += size
    }
    var found: [String: String] = [:]
    for value in ISOBoxes(values).prefix(64) {
      let number = value.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
      guard number >= 1, number <= names.count,
        let name = names[number - 1]
      else { continue }
      found[name] = value.content.box("data")?.part(from: 8).text()
    }
    let prefix = "com.apple.quicktime."
    // The local time, where mvhd has UTC only.
    info.state(
      found[prefix + "creationdate"].flatMap { CaptureDate(written: $0) }, .taken, by: .container)
    info.state(GeoPosition(iso6709: found[prefix + "location.ISO6709"]), by: .container)
    info.setCamera(make: found[prefix + "make"], model: found[prefix + "model"])
    info.contentIdentifier = found[prefix + "content.identifier"]
  }
}

extension GeoPosition {
  /// Reads ISO 6709 in decimal degrees, such as "+48.1374+011.5755+519.0/".
  init?(iso6709 text: String?) {
    guard let text else { return nil }
    var numbers: [String] = []
    for character in text.prefix(64) {
      if character == "+" || character == "-" {
        numbers.append(String(character))
      } else if "0123456789.".contains(character), !numbers.isEmpty {
        numbers[numbers.count - 1].append(character)
      } else {
        break  // "/", or the name of a reference system.
      }
    }
    // More digits before the point would be degrees and minutes.
    guard numbers.count >= 2, numbers[0].prefix(while: { $0 != "." }).count <= 3,
      numbers[1].prefix(while: { $0 != "." }).count <= 4, let latitude = Double(numbers[0]),
      let longitude = Double(numbers[1])
    else { return nil }
    self.init(
      latitude: latitude, longitude: longitude,
      altitude: numbers.count > 2 ? Double(numbers[2]) : nil)
  }
}
