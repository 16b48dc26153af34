import Foundation
import Viewfinder

/// What XMP (ISO 16684-1) states, as far as the library asks.
///
/// Cameras and programs put it into files of nearly every format, and into files of its own beside raw pictures.
struct XMP: Hashable, Sendable {
  /// At most this many bytes of a packet are read, whatever its file says of it.
  ///
  /// Some hold pictures of megabytes, behind what is asked here.
  static let byteLimit = 256 << 10

  /// The box of ISO media files and JPEG 2000 that holds it.
  static let uuid: [UInt8] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ]

  private let statements: XMPStatements

  /// Reads a packet; what stands before damage in it counts.
  ///
  /// Returns `nil` where nothing is stated that the library asks for.
  init?(_ bytes: [UInt8]) {
    statements = XMPParser.statements(in: bytes)
    if statements == XMPStatements() { return nil }
  }

  init?(_ bytes: ByteReader) {
    self.init(bytes.bytes(at: 0, count: min(bytes.count, Self.byteLimit)))
  }

  private func date(_ property: XMPProperty, fraction: XMPProperty? = nil) -> CaptureDate? {
    guard let text = statements.values[property], var date = CaptureDate(written: text) else {
      return nil
    }
    if date.nanoseconds == nil {
      date.nanoseconds = fraction.flatMap { statements.values[$0] }.flatMap(CaptureDate.nanoseconds)
    }
    return date
  }

  /// When the picture was taken.
  var taken: CaptureDate? {
    date(.dateTimeOriginal, fraction: .subSecTimeOriginal) ?? date(.dateCreated) ?? date(.shotDate)
  }

  /// When it became a file.
  var digitized: CaptureDate? {
    date(.dateTimeDigitized, fraction: .subSecTimeDigitized) ?? date(.createDate)
  }

  var position: GeoPosition? {
    guard
      let latitude = degrees(.latitude, positive: "N", negative: "S"),
      let longitude = degrees(.longitude, positive: "E", negative: "W")
    else { return nil }
    let altitude = statements.values[.altitude].flatMap(Self.fraction)
    let isBelowSea = statements.values[.altitudeRef] == "1"
    return GeoPosition(
      latitude: latitude, longitude: longitude, altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }

  /// How a program turned the picture.
  var orientation: ImageOrientation? {
    statements.values[.orientation].flatMap { Int($0) }.flatMap(ImageOrientation.init)
  }

  var make: String? { statements.values[.make] }
  var model: String? { statements.values[.model] }

  /// Which of several files with one name a sidecar belongs to, such as `CR2`, as Lightroom and Camera Raw write it.
  var fileExtension: String? { statements.values[.sidecarForExtension]?.lowercased() }

  /// Which of a JPEG's further segments go on with this packet.
  var extensionID: String? { statements.values[.hasExtendedXMP] }

  /// How many bytes before the file's end a motion photo's video begins, by Google's first specification.
  var motionOffset: Int? {
    statements.values[.microVideoOffset].flatMap { Int($0) }
  }

  /// What lies one behind the other in the file, by Google's second specification; the picture comes first.
  var parts: [XMPPart] { statements.parts }

  /// Degrees, as "48,8.2413N", "48,8,14.48N" or, of programs that don't know better, "48.1373".
  private func degrees(_ property: XMPProperty, positive: Character, negative: Character)
    -> Double?
  {
    guard var text = statements.values[property]?.uppercased() else { return nil }
    var sign = 1.0
    if text.last == positive || text.last == negative {
      if text.removeLast() == negative { sign = -1 }
    } else if text.contains(",") {
      return nil
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard (1...3).contains(parts.count), let degrees = parts[0] else { return nil }
    var value = degrees
    for (part, unit) in zip(parts.dropFirst(), [60.0, 3600.0]) {
      guard let part, part >= 0, degrees >= 0 else { return nil }
      value += part / unit
    }
    return value.isFinite ? sign * value : nil
  }

  /// A number, or a fraction such as "519/10".
  private static func fraction(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Double.init)
    guard (1...2).contains(parts.count), let numerator = parts[0] else { return nil }
    if parts.count == 1 { return numerator.isFinite ? numerator : nil }
    guard let denominator = parts[1] else { return nil }
    let value = numerator / denominator
    return value.isFinite ? value : nil
  }
}

extension MediaInfo {
  /// Takes over what XMP in the file states and nothing better does.
  ///
  /// Its orientation isn't heeded: programs that show pictures know Exif's alone.
  mutating func read(_ xmp: XMP?) {
    guard let xmp else { return }
    state(xmp.taken, .taken, by: .xmp)
    state(xmp.digitized, .digitized, by: .xmp)
    state(xmp.position, by: .xmp)
    if camera == nil { setCamera(make: xmp.make, model: xmp.model) }
  }
}
