/// What phones write about a video beside the standard's boxes.
enum QuickTimeTags {
  static func read(_ movie: ByteReader, into info: inout MediaInfo) {
    if let meta = movie.box("meta") { readApple(meta, into: &info) }
    // Android's place: a length, a language and the text.
    if info.position == nil, let place = movie.box(["udta", "\u{a9}xyz"]),
      let length = place.uint16(at: 0)
    {
      readPosition(place.text(at: 4, count: length), into: &info)
    }
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
    let date = found[prefix + "creationdate"].flatMap { CaptureDate(iso8601: $0) }
    info.captureDate = date ?? info.captureDate
    readPosition(found[prefix + "location.ISO6709"], into: &info)
    info.setCamera(make: found[prefix + "make"], model: found[prefix + "model"])
  }

  /// Reads ISO 6709 in decimal degrees, such as "+48.1374+011.5755+519.0/".
  private static func readPosition(_ text: String?, into info: inout MediaInfo) {
    guard let text else { return }
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
    else { return }
    info.setPosition(
      latitude, longitude, altitude: numbers.count > 2 ? Double(numbers[2]) : nil)
  }
}
