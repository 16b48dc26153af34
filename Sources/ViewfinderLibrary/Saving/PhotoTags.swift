public import Viewfinder

/// Tags that take the place of a photo's own when it is saved.
///
/// They are Exif's. All others stay as they are, and so do XMP and IPTC data. A `nil` leaves a tag alone;
/// an empty text takes it out.
public struct PhotoTags: Hashable, Sendable {
  /// When the photo was taken: DateTimeOriginal (0x9003), OffsetTimeOriginal (0x9011) and
  /// SubSecTimeOriginal (0x9291).
  ///
  /// An offset or fraction that is `nil` isn't known, and the photo's own goes. The years 1 to 9999 can be
  /// written, and offsets of whole minutes within 16 hours.
  public var captureDate: CaptureDate?
  /// Where the photo was taken: GPS tags 0 to 6 and 18.
  ///
  /// What tells how the photo's own position was measured goes.
  public var location: GeoPosition?
  /// What is to be seen: ImageDescription (0x010E).
  public var imageDescription: String?
  /// Who made the photo: Artist (0x013B).
  public var artist: String?
  /// Whose the rights are: Copyright (0x8298).
  public var copyright: String?
  /// How the stored picture is turned upright: Orientation (0x0112).
  public var orientation: ImageOrientation?

  /// Creates tags.
  public init(
    captureDate: CaptureDate? = nil, location: GeoPosition? = nil, imageDescription: String? = nil,
    artist: String? = nil, copyright: String? = nil, orientation: ImageOrientation? = nil
  ) {
    self.captureDate = captureDate
    self.location = location
    self.imageDescription = imageDescription
    self.artist = artist
    self.copyright = copyright
    self.orientation = orientation
  }

  /// Whether they leave a photo as it is.
  var isEmpty: Bool { self == PhotoTags() }

  /// The same in Exif's words, for a picture of that stored size.
  func exifChanges(storedDimensions: Dimensions?) throws(PhotoLibraryError) -> ExifChanges {
    var changes = ExifChanges()
    changes.imageDescription = imageDescription
    changes.artist = artist
    changes.copyright = copyright
    changes.orientation = orientation
    changes.position = location.map {
      ExifChanges.Position(
        latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
    }
    changes.storedDimensions = storedDimensions
    if let captureDate {
      guard let text = captureDate.exifText else {
        throw .invalidRequest(
          reason:
            "Exif can't tell that date: it has the years 1 to 9999, fractions below a second, "
            + "and offsets of whole minutes within 16 hours.")
      }
      changes.dateTimeOriginal = text.date
      changes.offsetTimeOriginal = text.offset
      changes.subSecTimeOriginal = text.fraction
    }
    return changes
  }
}
