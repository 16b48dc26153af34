import CViewfinder
import Foundation

/// Turns ``PhotoMetadata`` into Exif data.
enum ExifWriter {
  /// Exif's mark at the start of an APP1 segment, before the TIFF data.
  static let header = Data("Exif\0\0".utf8)

  /// The payload of an Exif segment; the other tags of `original`, TIFF data of the photo that this
  /// one was made from, are kept.
  static func segment(
    _ metadata: PhotoMetadata, size: Dimensions, orientation: ImageOrientation, thumbnail: Data?,
    keeping original: Data? = nil
  ) throws(CaptureError) -> Data {
    var exif = unsafe vf_exif()
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let strings = CStrings()
    unsafe exif.make = strings.pointer(metadata.make)
    unsafe exif.model = strings.pointer(metadata.model)
    unsafe exif.software = strings.pointer(metadata.software)
    unsafe exif.unique_id = strings.pointer(metadata.uniqueID)
    if let date = metadata.date {
      let moment = LocalMoment(date, in: metadata.timeZone)
      unsafe exif.date_time_original = strings.pointer(moment.text)
      unsafe exif.sub_sec_original = strings.pointer(moment.milliseconds)
      unsafe exif.offset_time_original = strings.pointer(moment.offset)
    }
    let written = LocalMoment(Date(), in: metadata.timeZone)
    unsafe exif.date_time = strings.pointer(written.text)
    unsafe exif.sub_sec = strings.pointer(written.milliseconds)
    unsafe exif.offset_time = strings.pointer(written.offset)
    unsafe exif.orientation = UInt16(orientation.rawValue)
    unsafe exif.width = UInt32(size.width)
    unsafe exif.height = UInt32(size.height)
    unsafe exif.dots_per_inch = UInt32(clamping: metadata.dotsPerInch ?? 0)
    if let exposure = metadata.exposureTime {
      // Cameras count in steps of 100 µs.
      unsafe exif.exposure_time_numerator = UInt32(clamping: Int((exposure * 10_000).rounded()))
      unsafe exif.exposure_time_denominator = 10_000
    }
    unsafe exif.iso = UInt16(clamping: metadata.iso ?? 0)
    unsafe exif.exposure_mode = tag(metadata.isExposureManual)
    unsafe exif.white_balance = tag(metadata.isWhiteBalanceManual)
    unsafe exif.ycbcr_positioning = 1
    let code = unsafe (thumbnail ?? Data()).withUnsafeBytes { thumbnail in
      unsafe exif.thumbnail = thumbnail.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe exif.thumbnail_count = thumbnail.count
      guard let original, !original.isEmpty else {
        return unsafe vf_exif_write(&exif, &result, &failure)
      }
      return unsafe original.withUnsafeBytes { tiff in
        unsafe vf_exif_update(
          tiff.baseAddress!.assumingMemoryBound(to: UInt8.self), tiff.count, &exif, &result,
          &failure)
      }
    }
    guard code == 0 else { throw unsafe failure.imageError("the photo's metadata") }
    return unsafe Data(taking: &result)
  }

  /// C's form of a tag that is 0 for automatic and 1 for manual, and may be unknown.
  private static func tag(_ isManual: Bool?) -> UInt8 {
    isManual.map { $0 ? 2 : 1 } ?? 0
  }
}

/// C strings that live as long as this object.
@safe final class CStrings {
  private var copies: [UnsafeMutablePointer<CChar>] = unsafe []

  func pointer(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, let copy = unsafe strdup(text) else { return nil }
    unsafe copies.append(copy)
    return unsafe UnsafePointer(copy)
  }

  deinit {
    for index in unsafe copies.indices { unsafe free(copies[index]) }
  }
}

/// A moment in Exif's words.
struct LocalMoment: Hashable {
  let text: String
  let milliseconds: String
  let offset: String

  /// Without Foundation's calendar and formats, which take longer than all else of a camera's JPEG.
  ///
  /// - Parameters:
  ///   - date: The moment; Exif's years are 1 to 9999.
  ///   - zone: Where it is told.
  init(_ date: Date, in zone: TimeZone) {
    let east = zone.secondsFromGMT(for: date)
    let interval = date.timeIntervalSinceReferenceDate
    let second = interval.rounded(.down)
    var time = time_t(min(max(second, -63_113_817_600), 252_423_820_800)) + 978_307_200 + east
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    let (hour, minute, full) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
    text =
      "\(year, digits: 4):\(month, digits: 2):\(day, digits: 2) "
      + "\(hour, digits: 2):\(minute, digits: 2):\(full, digits: 2)"
    milliseconds = "\(Int32((interval - second) * 1e9) / 1_000_000, digits: 3)"
    let minutes = Int32(abs(east) / 60)
    offset = "\(east < 0 ? "-" : "+")\(minutes / 60, digits: 2):\(minutes % 60, digits: 2)"
  }
}

extension DefaultStringInterpolation {
  /// A number with zeros before it.
  fileprivate mutating func appendInterpolation(_ number: Int32, digits: Int) {
    let text = String(number)
    appendInterpolation(String(repeating: "0", count: max(digits - text.count, 0)) + text)
  }
}
