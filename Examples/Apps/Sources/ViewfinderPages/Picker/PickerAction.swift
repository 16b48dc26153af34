import Foundation
import Viewfinder
import ViewfinderPicker
import WebServing

/// What a person does on the page: `{"do": "takePicture", "value": 3}`.
struct PickerAction: Decodable, Sendable {
  /// Which of the picker's methods is called.
  enum Verb: String, Decodable, Sendable {
    case takePicture, takePictures, stopCapture, usePhoto, retake, done, cancel
    case showSource, switchCamera, setFlashMode, setZoomFactor, focus
    case toggle, remove
    case setAutomaticShutter
    case crop, pan, zoom, turn, turnRight, setAngle, setAspectRatio
    case moveCorner
  }

  var `do`: Verb
  /// Seconds, a factor, degrees, a proportion, or which corner.
  var value: Double?
  /// The name of a source or mode, or an id.
  var name: String?
  /// A way or a point.
  var x: Double?
  var y: Double?

  /// The largest number that a page has a use for; with much larger ones, what is computed from them is no number any more.
  static let largestNumber = 1e6

  /// Does it.
  func perform(on picker: ImagePicker) async throws {
    for number in [value, x, y].compactMap(\.self) where abs(number) > Self.largestNumber {
      throw WebError(
        .unprocessableContent,
        "Numbers are from -\(Int(Self.largestNumber)) to \(Int(Self.largestNumber)).")
    }
    switch self.do {
    case .takePicture:
      let timer = value.flatMap { $0 > 0 ? SelfTimer.delay(.seconds(min($0, 3600))) : nil }
      // The page follows the picker's state; a timer may run longer than a request.
      Task { try? await picker.takePicture(after: timer) }
    case .takePictures:
      let interval = Duration.seconds(min(max(value ?? 1, 0.1), 86_400))
      Task { try? await picker.takePictures(every: interval) }
    case .stopCapture: picker.stopCapture()
    case .usePhoto: try picker.usePhoto()
    case .retake: try picker.retake()
    case .done: try picker.done()
    case .cancel: picker.cancel()
    case .showSource:
      let source = try ImagePicker.SourceType(rawValue: name ?? "").orMisread("source")
      Task { try? await picker.showSource(source) }
    case .switchCamera: Task { try? await picker.switchCamera() }
    case .setFlashMode:
      try picker.setFlashMode(try PickerReport.flashModes[name ?? ""].orMisread("flash mode"))
    case .setZoomFactor: try picker.setZoomFactor(try value.orMisread("zoom factor"))
    case .focus: try picker.focus()
    case .setAutomaticShutter: try picker.setAutomaticShutter(name == "on")
    case .moveCorner:
      let point = try point()
      let corner = try value.flatMap { Int(exactly: $0) }.orMisread("corner")
      try picker.correct { $0.move(corner, to: point) }
    case .crop: try picker.crop()
    case .turnRight where isReviewing(picker):
      try picker.crop()
      try picker.adjust { $0.turnRight() }
    case .turnRight where isCorrecting(picker): try picker.correct { $0.turnRight() }
    case .toggle: try picker.toggle(try await picker.asset(id: try id()))
    case .remove:
      let id = try id()
      for photo in picker.state.selection where photo.id == id { try picker.remove(photo) }
    default: try adjust(picker)
    }
  }

  private func isReviewing(_ picker: ImagePicker) -> Bool {
    if case .review = picker.state.screen { true } else { false }
  }

  private func isCorrecting(_ picker: ImagePicker) -> Bool {
    if case .correcting = picker.state.screen { true } else { false }
  }

  private func adjust(_ picker: ImagePicker) throws {
    let value = value ?? .nan
    let point = try? point()
    try picker.adjust { adjustment in
      switch self.do {
      case .pan: adjustment.pan(by: CGSize(width: point?.x ?? 0, height: point?.y ?? 0))
      case .zoom: adjustment.zoom(by: value, around: point ?? .zero)
      case .turn: adjustment.angle += value
      case .turnRight: adjustment.turnRight()
      case .setAngle: adjustment.angle = value
      case .setAspectRatio: adjustment.aspectRatio = value
      default: break
      }
    }
  }

  private func point() throws -> CGPoint {
    CGPoint(x: try x.orMisread("point"), y: try y.orMisread("point"))
  }

  private func id() throws -> UUID { try UUID(uuidString: name ?? "").orMisread("id") }
}

extension Optional {
  fileprivate func orMisread(_ what: String) throws -> Wrapped {
    guard let self else { throw WebError(.badRequest, "The \(what) isn't understood.") }
    return self
  }
}
