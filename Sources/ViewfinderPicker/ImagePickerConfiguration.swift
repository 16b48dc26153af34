public import Foundation
public import Viewfinder
public import ViewfinderLibrary

extension ImagePicker {
  /// Where photos come from; `UIImagePickerController.SourceType`.
  public enum SourceType: String, Hashable, Sendable, CaseIterable {
    /// A camera.
    case camera
    /// Everything in the photo library, by albums.
    case photoLibrary
    /// The camera roll: the saved photos.
    case savedPhotosAlbum

    /// What people call it.
    var name: String {
      switch self {
      case .camera: "camera"
      case .photoLibrary: "photo library"
      case .savedPhotosAlbum: "saved photos"
      }
    }
  }

  /// One of the cameras; `UIImagePickerController.CameraDevice`.
  public enum CameraDevice: String, Hashable, Sendable, CaseIterable {
    /// The one that looks away from the person; the only one, where there is one.
    case rear
    /// The one that looks at the person.
    case front
  }

  /// What to pick.
  public enum MediaType: String, Hashable, Sendable, CaseIterable {
    /// Pictures.
    case image = "public.image"
    /// Videos; from the library only.
    case movie = "public.movie"
  }

  /// What a picker offers.
  public struct Configuration: Sendable {
    /// The source to show first; another one where it isn't available.
    ///
    /// The default is the camera.
    public var sourceType = SourceType.camera
    /// The sources that the person may choose among.
    ///
    /// The default is all.
    public var sourceTypes = Set(SourceType.allCases)
    /// What the person may pick.
    ///
    /// The default is pictures.
    public var mediaTypes: Set<MediaType> = [.image]
    /// How many photos the person may pick; 0 for any number.
    ///
    /// The default is 1.
    public var selectionLimit = 1
    /// Assets that are selected from the beginning, in this order.
    public var preselectedAssetIDs: [UUID] = []
    /// Which assets the library shows, in addition to ``mediaTypes``.
    public var filter = AssetFilter.all

    /// The camera to show first; where there is one camera only, that one.
    ///
    /// The default is the rear one.
    public var cameraDevice = CameraDevice.rear
    /// Whether the lamp lights for photos.
    ///
    /// The default is off.
    public var cameraFlashMode = CapturePhotoSettings.FlashMode.off
    /// Whether the presenter shows its own controls, and a photo to use or to take again.
    ///
    /// The default is `true`. Without them, the caller's overlay calls ``ImagePicker/takePicture(after:)`` and the
    /// like, and the picker selects each photo at once.
    public var showsCameraControls = true
    /// The outline to which the picker crops photos, and which the presenter draws over the live picture.
    ///
    /// With `Outline.detected(within:fallback:)` the picker follows the card in the live picture
    /// (``ImagePicker/metadataOutput``), finds its edges in photos that were taken and in pictures of the library, and
    /// lets the person correct them (``ImagePicker/Screen/correcting(_:_:)``).
    ///
    /// The default is `nil`: whole photos.
    public var cameraOutline: Outline?
    /// Has cards take their photos by themselves, where ``cameraOutline`` is to be found; the person may switch that off
    /// (``ImagePicker/setAutomaticShutter(_:)``).
    ///
    /// The default is a shutter with default values; `nil` leaves the shutter to the person.
    public var automaticShutter: AutomaticShutter? = AutomaticShutter()
    /// The kinds of bar codes to read in the live picture (``ImagePicker/metadataOutput``), which the presenter outlines and
    /// names; the photos stay as they are.
    ///
    /// Kinds that aren't among ``ImagePicker/availableCodeTypes`` are passed over: without the package trait `Barcodes` that
    /// is all of them, and the picker works as if none were asked for. The default is none.
    public var codeTypes: [MetadataObjectType] = []
    /// How far the camera's picture is turned to be upright, in degrees clockwise: 0, 90, 180 or 270.
    ///
    /// The default is 0.
    public var videoRotationAngle = 0
    /// Whether the live picture is shown mirrored; photos never are.
    ///
    /// `nil`, the default, mirrors the front camera's.
    public var mirrorsPreview: Bool?
    /// The camera's size and rate.
    ///
    /// The default is `.photo`.
    public var sessionPreset = CaptureSession.Preset.photo
    /// The shape to which the person may crop the photo before using it; `nil`, the default, for no such step.
    ///
    /// The picker has already cropped photos taken under ``cameraOutline``, and shows them without this step.
    public var editing: PhotoAdjustment.Shape?

    /// The cameras to use, the rear one first, such as simulated ones; `nil`, the default, for the connected ones.
    public var cameras: [CaptureDevice]?
    /// The library to use; `nil`, the default, opens ``libraryConfiguration``'s.
    public var library: PhotoLibrary?
    /// The library to open where ``library`` is `nil`.
    public var libraryConfiguration = PhotoLibrary.Configuration()
    /// The folder for the photos that the camera takes; `nil`, the default, for one of the picker's own, where
    /// each stays as long as its ``PickedPhoto``.
    public var captureFolder: URL?

    /// Creates a configuration: one picture, from the camera or the library.
    public init() {}
  }
}

extension ImagePicker.Configuration {
  /// What is looked for in the live picture.
  var metadataObjectTypes: [MetadataObjectType] {
    (detectedOutline == nil ? [] : [.outline])
      + codeTypes.filter(ImagePicker.availableCodeTypes.contains)
  }

  /// The assets that the library shows.
  var assetFilter: AssetFilter {
    var filter = filter
    var kinds: Set<ContentType.Kind> = []
    if mediaTypes.contains(.image) { kinds.formUnion([.image, .rawImage]) }
    if mediaTypes.contains(.movie) { kinds.insert(.video) }
    filter.kinds = filter.kinds.map { $0.intersection(kinds) } ?? kinds
    return filter
  }

  /// Whether one more may be picked.
  func allowsMore(than count: Int) -> Bool { selectionLimit <= 0 || count < selectionLimit }
}
