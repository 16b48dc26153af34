import CViewfinder
package import Foundation

/// Tags to put in place of a photo's own, in Exif's words.
///
/// `nil` leaves a tag as it is; an empty text takes it out.
package struct ExifChanges: Sendable {
  /// A place on Earth (WGS 84), in degrees and metres.
  package struct Position: Sendable {
    var latitude: Double
    var longitude: Double
    var altitude: Double?

    package init(latitude: Double, longitude: Double, altitude: Double?) {
      (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    }
  }

  package var imageDescription: String?
  package var artist: String?
  package var copyright: String?
  package var orientation: ImageOrientation?
  /// "YYYY:MM:DD HH:MM:SS"; an old offset and fraction of a second go with an old date.
  package var dateTimeOriginal: String?
  /// "±HH:MM".
  package var offsetTimeOriginal: String?
  /// The digits behind the second.
  package var subSecTimeOriginal: String?
  package var position: Position?
  /// The picture's stored size, which new data tell.
  package var storedDimensions: Dimensions?

  package init() {}

  /// TIFF data with these tags, all other bytes where they were; new data for what can't be read.
  package func merged(into tiff: Data) throws(CaptureError) -> Data {
    let strings = CStrings()
    var changes = unsafe vf_exif_changes()
    unsafe changes.image_description = strings.pointer(imageDescription)
    unsafe changes.artist = strings.pointer(artist)
    unsafe changes.copyright = strings.pointer(copyright)
    unsafe changes.orientation = UInt16(orientation?.rawValue ?? 0)
    unsafe changes.date_time_original = strings.pointer(dateTimeOriginal)
    unsafe changes.offset_time_original = strings.pointer(offsetTimeOriginal)
    unsafe changes.sub_sec_original = strings.pointer(subSecTimeOriginal)
    unsafe changes.width = UInt32(clamping: storedDimensions?.width ?? 0)
    unsafe changes.height = UInt32(clamping: storedDimensions?.height ?? 0)
    var place = vf_exif_position()
    if let position {
      (place.latitude, place.longitude) = (position.latitude, position.longitude)
      (place.altitude, place.has_altitude) = (
        position.altitude ?? 0, position.altitude == nil ? 0 : 1
      )
    }
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe withUnsafePointer(to: place) { place in
      unsafe changes.position = position == nil ? nil : place
      return unsafe tiff.withUnsafeBytes { tiff in
        unsafe vf_exif_merge(
          tiff.baseAddress?.assumingMemoryBound(to: UInt8.self), tiff.count, &changes, &result,
          &failure)
      }
    }
    guard code == 0 else { throw unsafe failure.imageError("the photo's metadata") }
    return unsafe Data(taking: &result)
  }
}
