public import Viewfinder
import ViewfinderLibrary

extension ImagePicker {
  /// Everything that a presenter, or a declarative interface, shows of a picker.
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
    /// The selection, in the order in which the camera took the photos and the person chose the
    /// assets.
    ///
    /// After the picker has closed, it has what the person picked last; cancelling leaves it as it
    /// was.
    public internal(set) var selection: [PickedPhoto] = []
    /// What went wrong last; `nil` after the next thing that went well.
    public internal(set) var problem: PickerError?
    /// ``problem`` in words, for the person to read.
    public var message: String? { problem?.description }
  }

  /// What a picker shows.
  public enum Screen: Sendable {
    /// The live picture, or the library's albums and assets.
    case source
    /// A photo that the camera took, to use or take again.
    case review(PickedPhoto)
    /// A photo that the person is cropping.
    case editing(PickedPhoto, PhotoAdjustment)
    /// A photo with the edges of the card in it, which the person may correct.
    case correcting(PickedPhoto, OutlineCorrection)
  }

  /// What the camera does.
  public struct Camera: Sendable {
    /// Whether there is a picture.
    public internal(set) var status = CameraStatus.off
    /// Which one it is.
    public internal(set) var device = CameraDevice.rear
    /// Its name.
    public internal(set) var name: String?
    /// What the driver granted, while the camera runs.
    public internal(set) var format: VideoFormat?
    /// What it is busy with.
    public internal(set) var activity = CameraActivity.idle
    /// Whether there is another camera to switch to.
    public internal(set) var canSwitch = false
    /// Whether the lamp lights for photos.
    public internal(set) var flashMode = CapturePhotoSettings.FlashMode.off
    /// The modes that the camera has.
    public internal(set) var flashModes = [CapturePhotoSettings.FlashMode.off]
    /// How far it is zoomed.
    public internal(set) var zoomFactor = 1.0
    /// The greatest zoom; 1 for cameras without zoom.
    public internal(set) var maxZoomFactor = 1.0
    /// Whether it can focus when asked.
    public internal(set) var canFocus = false
    /// Whether to show the live picture mirrored, as for a camera that looks at the person.
    ///
    /// Photos aren't mirrored.
    public internal(set) var isPreviewMirrored = false

    /// Whether a card takes its photo by itself; `nil` where cards aren't looked for.
    public internal(set) var automaticShutter: Bool?

    /// Whether the person may use controls other than the one that stops.
    public var areControlsEnabled: Bool { activity == .idle }
  }

  /// Whether the camera has a picture to show.
  public enum CameraStatus: Hashable, Sendable {
    /// Nobody uses it now.
    case off
    /// It is starting.
    case starting
    /// Frames flow.
    case running
    /// No frames for now; the session keeps trying, and the error says what helps.
    case interrupted(CaptureError)
    /// It can't be used; the error says what to do.
    case unavailable(PickerError)
  }

  /// What the camera is busy with.
  public enum CameraActivity: Hashable, Sendable {
    /// Nothing.
    case idle
    /// A self-timer runs.
    case waiting(remaining: Duration)
    /// The camera takes a photo.
    case capturing
    /// The camera takes photos again and again.
    case repeating(taken: Int, missed: Int)
  }

  /// Whether the library is ready.
  public enum LibraryStatus: Hashable, Sendable {
    /// Nobody has asked for it yet.
    case closed
    /// It is opening.
    case opening
    /// It is ready.
    case open
    /// It can't be used; the error says what to do.
    case unavailable(PickerError)
  }
}
