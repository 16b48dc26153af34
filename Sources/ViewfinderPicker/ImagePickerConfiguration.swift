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
    /// The camera roll: the photos that were saved.
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

  /// Which of the cameras; `UIImagePickerController.CameraDevice`.
  public enum CameraDevice: String, Hashable, Sendable, CaseIterable {
    /// The one that looks away from the person; the only one, where there is one.
    case rear
    /// The one that looks at the person.
    case front
  }

  /// What is picked.
  public enum MediaType: String, Hashable, Sendable, CaseIterable {
    /// Pictures.
    case image = "public.image"
    /// Videos; from the library only.
    case movie = "public.movie"
  }

  /// What a picker offers.
  public struct Configuration: Sendable {
    /// The source that is shown first; another one where it isn't available.
    ///
    /// The default is the camera.
    public var sourceType = SourceType.camera
    /// The sources that the person may choose among.
    ///
    /// The default is all.
    public var sourceTypes = Set(SourceType.allCases)
    /// What may be picked.
    ///
    /// The default is pictures.
    public var mediaTypes: Set<MediaType> = [.image]
    /// How many photos may be picked; 0 for any number.
    ///
    /// The default is 1.
    public var selectionLimit = 1
    /// Assets that are picked from the beginning, in this order.
    public var preselectedAssetIDs: [UUID] = []
    /// Which assets the library shows, besides ``mediaTypes``.
    public var filter = AssetFilter.all

    /// The camera that is shown first; the only one, where there is one.
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
    /// like, and each photo is picked when it was taken.
    public var showsCameraControls = true
    /// The outline to which photos are cropped, and which the presenter draws over the live picture.
    ///
    /// The default is `nil`: whole photos.
    public var cameraOutline: Outline?
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
    /// The shape to which the person may crop the photo before it is used; `nil`, the default, for no such step.
    ///
    /// Photos that were taken under ``cameraOutline`` are cropped already, and are shown without this step.
    public var editing: PhotoAdjustment.Shape?

    /// The cameras to use, the rear one first, such as simulated ones; `nil`, the default, for those that are
    /// connected.
    public var cameras: [CaptureDevice]?
    /// The library to use; `nil`, the default, opens ``libraryConfiguration``'s.
    public var library: PhotoLibrary?
    /// Which library is opened where ``library`` is `nil`.
    public var libraryConfiguration = PhotoLibrary.Configuration()
    /// Where photos are kept that are taken; `nil`, the default, for a place of the picker's own, from which each
    /// goes when the last ``PickedPhoto`` of it goes.
    public var captureFolder: URL?

    /// Creates a configuration: one picture, from the camera or the library.
    public init() {}
  }
}

extension ImagePicker.Configuration {
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
