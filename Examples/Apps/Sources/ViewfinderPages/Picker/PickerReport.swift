import ErrorWords
import Foundation
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker

/// A picker's state, as pages get it.
struct PickerReport: Codable, Sendable {
  struct Camera: Codable, Sendable {
    var activity: String
    var remaining: Int?
    var taken: Int?
    var missed: Int?
    var canSwitch: Bool
    var flashMode: String
    var flashModes: [String]
    var zoomFactor: Double
    var maxZoomFactor: Double
    var canFocus: Bool
    var isRunning: Bool
    var isMirrored: Bool
    /// Whether cards take their photos by themselves; `nil` where none are looked for.
    var automaticShutter: Bool?
  }

  struct Photo: Codable, Sendable {
    var id: UUID
    var name: String
    var isVideo: Bool
    var isFromCamera: Bool
    /// Whether it can be cropped and turned where it is shown to be used.
    var canBeCropped: Bool
  }

  /// How the picture lies under a frame that is 1 wide.
  struct Editor: Codable, Sendable {
    var aspectRatio: Double
    var isFree: Bool
    var cornerRadius: Double
    var width: Double
    var height: Double
    var x: Double
    var y: Double
    var angle: Double
    var zoom: Double
    var maxZoom: Double
  }

  /// The edges of a card in the photo.
  struct Correction: Codable, Sendable {
    /// The photo's size, in pixels.
    var width: Int
    var height: Int
    /// Clockwise, in units of the photo.
    var corners: [[Double]]
    /// Which of them is the card's top left.
    var first: Int
    var isFound: Bool
  }

  var isPresented: Bool
  /// Whether another page has the picker.
  var isElsewhere = false
  var source: String
  var sources: [String]
  var screen: String
  var photo: Photo?
  var editor: Editor?
  var correction: Correction?
  var camera: Camera
  var library: String
  /// Why the library can't be used.
  var libraryProblem: ErrorWords?
  var selection: [Photo]
  var limit: Int
  var showsControls: Bool
  var hasOutline: Bool
  /// Whether bar codes are looked for in the live picture, and can be read.
  var readsCodes: Bool
  /// What went wrong last.
  var problem: ErrorWords?

  /// The same for a page that hasn't the picker.
  var elsewhere: PickerReport {
    var report = self
    (report.isPresented, report.isElsewhere, report.screen) = (false, true, "source")
    (report.photo, report.editor, report.correction) = (nil, nil, nil)
    (report.selection, report.problem) = ([], nil)
    return report
  }

  static let flashModes: [String: CapturePhotoSettings.FlashMode] = [
    "off": .off, "on": .on, "auto": .auto,
  ]

  init(_ state: ImagePicker.State, _ configuration: ImagePicker.Configuration) {
    isPresented = state.isPresented
    source = state.source.rawValue
    sources = ImagePicker.SourceType.allCases.filter(configuration.sourceTypes.contains)
      .map(\.rawValue)
    switch state.screen {
    case .source: screen = "source"
    case .review(let taken): (screen, photo) = ("review", Photo(taken))
    case .editing(let edited, let adjustment):
      (screen, photo, editor) = ("editing", Photo(edited), Editor(adjustment))
    case .correcting(let corrected, let edges):
      (screen, photo, correction) = ("correcting", Photo(corrected), Correction(edges))
    }
    camera = Camera(state.camera)
    switch state.library {
    case .closed: library = "closed"
    case .opening: library = "opening"
    case .open: library = "open"
    case .unavailable(let error):
      (library, libraryProblem) = ("unavailable", ErrorWords(error))
    }
    selection = state.selection.map(Photo.init)
    limit = configuration.selectionLimit
    showsControls = configuration.showsCameraControls
    hasOutline = configuration.cameraOutline != nil
    readsCodes = configuration.readsCodes
    problem = state.problem.map { ErrorWords($0) }
  }
}

extension PickerReport.Camera {
  init(_ camera: ImagePicker.Camera) {
    switch camera.activity {
    case .idle: activity = "idle"
    case .capturing: activity = "capturing"
    case .waiting(let time):
      (activity, remaining) = ("waiting", Int((time / .seconds(1)).rounded(.up)))
    case .repeating(let photos, let gaps):
      (activity, taken, missed) = ("repeating", photos, gaps)
    }
    canSwitch = camera.canSwitch
    let names = PickerReport.flashModes
    flashMode = names.first { $0.value == camera.flashMode }?.key ?? "off"
    flashModes = camera.flashModes.compactMap { mode in names.first { $0.value == mode }?.key }
    zoomFactor = camera.zoomFactor
    maxZoomFactor = camera.maxZoomFactor
    canFocus = camera.canFocus
    isRunning = camera.status == .running
    isMirrored = camera.isPreviewMirrored
    automaticShutter = camera.automaticShutter
  }
}

extension PickerReport.Correction {
  init(_ correction: OutlineCorrection) {
    (width, height) = (correction.pictureSize.width, correction.pictureSize.height)
    corners = correction.corners.map { [$0.x, $0.y] }
    first = (4 - correction.quarterTurns) % 4
    isFound = correction.detected != nil
  }
}

extension PickerReport.Photo {
  init(_ photo: PickedPhoto) {
    id = photo.id
    name = photo.originalURL.lastPathComponent
    isVideo = photo.mediaType == .movie
    isFromCamera = photo.source == .camera
    canBeCropped = photo.canBeCropped
  }
}

extension PickerReport.Editor {
  init(_ adjustment: PhotoAdjustment) {
    let placement = adjustment.placement(frameWidth: 1)
    aspectRatio = adjustment.aspectRatio
    isFree = adjustment.shape == .free
    cornerRadius = 0
    if case .card(let card) = adjustment.shape { cornerRadius = card.cornerRadius / card.width }
    (width, height) = (placement.size.width, placement.size.height)
    (x, y) = (placement.offset.x, placement.offset.y)
    (angle, zoom, maxZoom) = (adjustment.angle, adjustment.zoom, adjustment.maxZoom)
  }
}

extension LiveReport {
  /// How a picker's camera and its live picture are doing.
  init(_ camera: ImagePicker.Camera, _ stream: LiveStream) {
    var (state, words) = (LiveCamera.State.starting, Self.starting)
    switch camera.status {
    case .off, .starting: break
    case .running: (state, words) = (.running, Self.running)
    case .interrupted(let reason): (state, words) = (.interrupted, ErrorWords(reason))
    case .unavailable(let error): (state, words) = (.unavailable, ErrorWords(error))
    }
    self.init(
      state: state, words: words, camera: camera.name, format: camera.format,
      frames: CaptureStatistics(), clients: stream.watcherCount, counts: stream.counts)
  }
}
