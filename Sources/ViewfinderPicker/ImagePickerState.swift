public import Viewfinder
import ViewfinderLibrary

extension ImagePicker {
  /// All that a presenter, or a declarative interface, shows of a picker.
  public struct State: Sendable {
    /// Whether the picker is shown.
    public internal(set) var isPresented = false
    /// The source that is shown.
    public internal(set) var source = SourceType.camera
    /// What is shown of it.
    public internal(set) var screen = Screen.source
    /// The camera.
    public internal(set) var camera = Camera()
    /// The library.
    public internal(set) var library = LibraryStatus.closed
    /// What is picked, in order: photos as they were taken, and assets as they were chosen.
    ///
    /// After the picker was dismissed, what was picked last; cancelling leaves it as it was.
    public internal(set) var selection: [PickedPhoto] = []
    /// What went wrong last, for the person to read; `nil` after the next thing that went well.
    public internal(set) var message: String?
  }

  /// What a picker shows.
  public enum Screen: Sendable {
    /// The live picture, or the library's albums and assets.
    case source
    /// A photo that was taken, to be used or taken again.
    case review(PickedPhoto)
    /// A photo that is being cropped.
    case editing(PickedPhoto, PhotoAdjustment)
  }

  /// What the camera does.
  public struct Camera: Sendable {
    /// Whether there is a picture.
    public internal(set) var status = CameraStatus.off
    /// Which one it is.
    public internal(set) var device = CameraDevice.rear
    /// Its name.
    public internal(set) var name: String?
    /// What the driver granted, while it runs.
    public internal(set) var format: VideoFormat?
    /// Whether a photo is being taken.
    public internal(set) var activity = CameraActivity.idle
    /// Whether there is another camera to switch to.
    public internal(set) var canSwitch = false
    /// Whether the lamp lights for photos.
    public internal(set) var flashMode = CapturePhotoSettings.FlashMode.off
    /// The modes that the camera has.
    public internal(set) var flashModes = [CapturePhotoSettings.FlashMode.off]
    /// How far it is zoomed.
    public internal(set) var zoomFactor = 1.0
    /// How far it can be; 1 for cameras without zoom.
    public internal(set) var maxZoomFactor = 1.0
    /// Whether it can focus at the person's wish.
    public internal(set) var canFocus = false
    /// Whether the live picture is to be shown mirrored, as that of a camera that looks at the person.
    ///
    /// Photos aren't mirrored.
    public internal(set) var isPreviewMirrored = false

    /// Whether controls other than the one that stops may be used.
    public var areControlsEnabled: Bool { activity == .idle }
  }

  /// Whether the camera has a picture to show.
  public enum CameraStatus: Hashable, Sendable {
    /// It isn't used now.
    case off
    /// It is being started.
    case starting
    /// Frames flow.
    case running
    /// No frames for now; the session keeps trying, and `advice` says what helps.
    case interrupted(advice: String)
    /// It can't be used; `advice` says what to do.
    case unavailable(advice: String)
  }

  /// What the camera is busy with.
  public enum CameraActivity: Hashable, Sendable {
    /// Nothing.
    case idle
    /// A self-timer runs.
    case waiting(remaining: Duration)
    /// A photo is being taken.
    case capturing
    /// Photos are taken again and again.
    case repeating(taken: Int, missed: Int)
  }

  /// Whether the library can be shown.
  public enum LibraryStatus: Hashable, Sendable {
    /// It wasn't asked for yet.
    case closed
    /// It is being opened.
    case opening
    /// It can be shown.
    case open
    /// It can't be used; `advice` says what to do.
    case unavailable(advice: String)
  }
}
