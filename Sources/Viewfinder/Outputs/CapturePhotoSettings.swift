import Synchronization

/// What a photo should be like; Apple's `AVCapturePhotoSettings`.
///
/// Make new settings for each photo.
public struct CapturePhotoSettings: Sendable {
  /// Whether the camera's lamp lights for the photo.
  public enum FlashMode: Int, Hashable, Sendable {
    /// It doesn't. Always accepted.
    case off = 0
    /// It does; cameras without one refuse.
    case on = 1
    /// It does if the picture is dark and the camera has one.
    case auto = 2
  }

  /// What happens to a request that comes while the shutter isn't ready.
  public enum ReadinessPolicy: Hashable, Sendable {
    /// It waits for its turn: first come, first served.
    case waits
    /// It ends at once with ``CaptureError/shutterNotReady(_:)``: no double shots.
    case fails
  }

  /// Names the request: each settings value made has another.
  ///
  /// The delegate's calls carry it.
  public let uniqueID: Int64

  /// The outline that the photo is cropped to, in units of the upright picture; `nil`, the default,
  /// keeps the whole.
  ///
  /// A cropped photo is stored upright. ``PreviewGeometry`` makes outlines from what a preview
  /// shows.
  public var outline: Outline?

  /// The size to which the outline's corners are pulled straight, in pixels; `nil`, the default,
  /// leaves the perspective.
  public var rectifiedSize: Dimensions?

  /// The colour around the outline.
  ///
  /// `nil`, the default, means transparent in a PNG, and white in a JPEG.
  public var backgroundColor: PhotoColor?

  /// The kind of file.
  ///
  /// The default is `.jpeg`.
  public var fileType = PhotoFileType.jpeg

  /// The JPEG quality, from 0 (smallest) to 1 (best); values outside are clamped.
  ///
  /// The default is 0.9.
  ///
  /// Without effect on a whole photo from a camera that delivers JPEG: its bytes are kept.
  public var quality = 0.9

  /// How the camera's picture is turned upright; `nil`, the default, follows the connection's
  /// rotation and mirroring.
  public var orientation: ImageOrientation?

  /// Whether the camera's lamp lights.
  ///
  /// The default is `.off`.
  public var flashMode = FlashMode.off

  /// The size to take the photo in, one of ``CapturePhotoOutput/supportedMaxPhotoDimensions``; `nil`,
  /// the default, takes the stream's.
  ///
  /// For a larger size than the stream's the camera changes its format and back. Meanwhile, for about
  /// a second, no frames flow: the session's events have an interruption
  /// (``CaptureError/takingStill(device:)``) and its end.
  public var maxPhotoDimensions: Dimensions?

  /// When the photo is taken; `nil`, the default, means at once.
  ///
  /// ``CapturePhotoOutput/selfTimerTicks`` and the delegate count down.
  public var selfTimer: SelfTimer?

  /// What happens if the request comes while
  /// ``CapturePhotoOutput/captureReadiness-swift.property`` isn't `.ready`.
  ///
  /// The default is `.waits`.
  public var readinessPolicy = ReadinessPolicy.waits

  /// Whether the Exif data of a JPEG gets a thumbnail.
  ///
  /// The default is `true`.
  public var embedsThumbnail = true

  /// Whether to wait until the exposure has settled after the camera started, up to two seconds.
  ///
  /// The default is `true`.
  public var waitsForExposure = true

  /// Exif tags that add to what the camera says, or replace it.
  public var metadata = PhotoMetadata()

  private let use = Use()

  /// Creates settings with default values.
  public init() { uniqueID = Self.nextID.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Creates settings with the values of others, for another photo.
  public init(from settings: CapturePhotoSettings) {
    self.init()
    outline = settings.outline
    rectifiedSize = settings.rectifiedSize
    backgroundColor = settings.backgroundColor
    fileType = settings.fileType
    quality = settings.quality
    orientation = settings.orientation
    flashMode = settings.flashMode
    maxPhotoDimensions = settings.maxPhotoDimensions
    selfTimer = settings.selfTimer
    readinessPolicy = settings.readinessPolicy
    embedsThumbnail = settings.embedsThumbnail
    waitsForExposure = settings.waitsForExposure
    metadata = settings.metadata
  }

  private static let nextID = Atomic<Int64>(0)

  /// Shared by copies of the settings, so that each request is made once.
  private final class Use: Sendable {
    let wasUsed = Atomic<Bool>(false)
  }

  /// Marks the settings as used; `false` when they, or a copy of them, were.
  func beginUse() -> Bool { !use.wasUsed.exchange(true, ordering: .relaxed) }

  var crop: PhotoCrop {
    var crop = PhotoCrop(outline: outline, rectifiedSize: rectifiedSize)
    crop.backgroundColor = backgroundColor
    crop.fileType = fileType
    crop.quality = quality
    crop.embedsThumbnail = embedsThumbnail
    return crop
  }
}

/// What became of the settings of a photo; Apple's `AVCaptureResolvedPhotoSettings`.
public struct CaptureResolvedPhotoSettings: Hashable, Sendable {
  /// The ``CapturePhotoSettings/uniqueID`` of the request.
  public let uniqueID: Int64
  /// The size of the camera's picture when upright, in pixels.
  public let captureDimensions: Dimensions
  /// The size of the photo when shown upright, in pixels: of the outline's bounds, or
  /// ``CapturePhotoSettings/rectifiedSize``.
  public let photoDimensions: Dimensions
  /// How the stored picture is turned to be upright.
  public let orientation: ImageOrientation
  /// Whether the lamp lights.
  public let isFlashEnabled: Bool
  /// How many photos will come: 1.
  public let expectedPhotoCount: Int
}
