import Synchronization

/// What a photo should be like; Apple's `AVCapturePhotoSettings`.
///
/// Make new settings for each photo.
public struct CapturePhotoSettings: Sendable {
  /// Whether the camera's lamp lights for the photo.
  public enum FlashMode: Int, Hashable, Sendable {
    /// It doesn't. Every camera accepts this.
    case off = 0
    /// It does; cameras without one refuse.
    case on = 1
    /// It does if the picture is dark and the camera has a lamp.
    case auto = 2
  }

  /// What happens to a request that comes while the shutter isn't ready.
  public enum ReadinessPolicy: Hashable, Sendable {
    /// It waits for its turn: first come, first served.
    case waits
    /// It ends at once with ``CaptureError/shutterNotReady(_:)``: no double shots.
    case fails
  }

  /// Identifies the request: each new value has another.
  ///
  /// The delegate's calls carry it.
  public let uniqueID: Int64

  /// What the photo is cropped to; the default keeps the whole.
  ///
  /// A cropped photo is stored upright. ``PreviewGeometry`` makes outlines from what a preview
  /// shows. What sticks out of the picture is missing, and
  /// ``CaptureResolvedPhotoSettings/isOutlineClipped`` says so.
  public var crop = PhotoCrop()

  /// The file that the photo becomes.
  ///
  /// The quality has no effect on a whole photo from a camera that delivers JPEG: the photo keeps
  /// its bytes.
  public var encoding = PhotoEncoding()

  /// How to turn the camera's picture upright; `nil`, the default, follows the connection's
  /// rotation and mirroring.
  public var orientation: ImageOrientation?

  /// Whether the camera's lamp lights.
  ///
  /// The default is `.off`.
  public var flashMode = FlashMode.off

  /// The size to take the photo in, one of ``CapturePhotoOutput/supportedMaxPhotoDimensions``; `nil`,
  /// the default, takes the stream's.
  ///
  /// For a size larger than the stream's, the camera switches to another format and back.
  /// Meanwhile, for about a second, no frames flow: the session's events have an interruption
  /// (``CaptureError/takingStill(device:)``) and its end.
  public var maxPhotoDimensions: Dimensions?

  /// When the photo is taken; `nil`, the default, means at once.
  ///
  /// ``CapturePhotoOutput/selfTimerTicks`` and the delegate count down.
  public var selfTimer: SelfTimer?

  /// Has the photo take itself when a card lies still, after the ``selfTimer`` if there is one; `nil`, the default,
  /// doesn't wait for that.
  ///
  /// Meanwhile the request can be cancelled. A series ignores it.
  public var automaticShutter: AutomaticShutter?

  /// What happens if the request comes while
  /// ``CapturePhotoOutput/captureReadiness-swift.property`` isn't `.ready`.
  ///
  /// The default is `.waits`.
  public var readinessPolicy = ReadinessPolicy.waits

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
    crop = settings.crop
    encoding = settings.encoding
    orientation = settings.orientation
    flashMode = settings.flashMode
    maxPhotoDimensions = settings.maxPhotoDimensions
    selfTimer = settings.selfTimer
    automaticShutter = settings.automaticShutter
    readinessPolicy = settings.readinessPolicy
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
}

// The parts of the crop and of the encoding by their own names, as settings are usually made.
extension CapturePhotoSettings {
  /// The ``crop``'s outline, in units of the upright picture.
  public var outline: Outline? {
    get { crop.outline }
    set { crop.outline = newValue }
  }

  /// The size to which the ``crop`` pulls the outline's corners straight, in pixels.
  public var rectifiedSize: Dimensions? {
    get { crop.rectifiedSize }
    set { crop.rectifiedSize = newValue }
  }

  /// The ``crop``'s colour around the outline.
  public var backgroundColor: PhotoColor? {
    get { crop.backgroundColor }
    set { crop.backgroundColor = newValue }
  }

  /// The ``encoding``'s kind of file.
  public var fileType: PhotoFileType {
    get { encoding.fileType }
    set { encoding.fileType = newValue }
  }

  /// The ``encoding``'s JPEG quality, from 0 (smallest) to 1 (best).
  public var quality: Double {
    get { encoding.quality }
    set { encoding.quality = newValue }
  }

  /// Whether the ``encoding`` puts a thumbnail into the Exif data of a JPEG.
  public var embedsThumbnail: Bool {
    get { encoding.embedsThumbnail }
    set { encoding.embedsThumbnail = newValue }
  }

  /// Whether the ``encoding`` makes a picture that is pulled straight fast or well.
  public var photoQualityPrioritization: CapturePhotoOutput.QualityPrioritization {
    get { encoding.qualityPrioritization }
    set { encoding.qualityPrioritization = newValue }
  }

  /// The size that the ``encoding``'s thumbnail fits into, in pixels.
  public var embeddedThumbnailDimensions: Dimensions {
    get { encoding.embeddedThumbnailDimensions }
    set { encoding.embeddedThumbnailDimensions = newValue }
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
  ///
  /// For an outline that is to be found, the size of a photo where it isn't; ``CapturePhoto`` has the right
  /// one.
  public let photoDimensions: Dimensions
  /// How the stored picture is turned to be upright.
  public let orientation: ImageOrientation
  /// Whether the lamp lights.
  public let isFlashEnabled: Bool
  /// Whether the outline sticks out of the picture, so that what lies outside is missing.
  public let isOutlineClipped: Bool
}
