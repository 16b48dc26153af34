import Viewfinder

/// Where a picture was taken (WGS 84; Exif's GPS tags).
public struct GeoPosition: Hashable, Sendable {
  /// Degrees north, from -90 to 90.
  public var latitude: Double
  /// Degrees east, from -180 to 180.
  public var longitude: Double
  /// Metres above the sea, where known.
  public var altitude: Double?

  /// Creates a position.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}

/// What a file says of itself in its headers.
struct MediaInfo: Hashable, Sendable {
  /// `nil` for what is neither picture nor video.
  var type: ContentType?
  /// Width and height as stored, before `orientation`, in pixels.
  var storedDimensions: Dimensions?
  var orientation = ImageOrientation.up
  var captureDate: CaptureDate?
  /// Where ``captureDate`` comes from.
  var captureDateSource: CaptureDate.Source?
  /// How much ``captureDate`` counts; not kept in the index.
  var dateRank: CaptureDate.Rank?
  var position: GeoPosition?
  /// Where ``position`` comes from; not kept in the index.
  var positionSource: CaptureDate.Source?
  /// Of a video, in seconds.
  var duration: Double?
  /// The largest embedded JPEG, to show instead, as a part of the file's bytes.
  ///
  /// It is Exif's thumbnail, or a raw file's preview, and turned as the picture is.
  var preview: Range<Int>?
  /// The smallest embedded JPEG, where there are several.
  var thumbnail: Range<Int>?
  /// Exif's TIFF data, as a part of the file's bytes; not kept in the index.
  var exif: Range<Int>?
  /// The video of a motion photo, an MP4 as a part of the file's bytes.
  var motion: Range<Int>?
  /// What the photo and the video of one of Apple's Live Photos have in common.
  var contentIdentifier: String?
  /// Make and Model, joined by a space; a make that begins the model, too, stands only once.
  var camera: String?
  /// What else its Exif data say; not kept in the index.
  var metadata = AssetMetadata()
  /// What is wrong, when the file is known by its first bytes but can't be read further.
  var damage: String?
  /// Whether the file ends before what it holds does: somebody may still be writing it.
  var isIncomplete = false

  /// Width and height of the upright picture.
  var dimensions: Dimensions? {
    orientation.swapsDimensions ? storedDimensions?.swapped : storedDimensions
  }
}
