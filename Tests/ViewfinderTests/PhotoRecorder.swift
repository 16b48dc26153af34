import Testing

@testable import Viewfinder

/// Writes down the calls of a photo's delegate.
final class PhotoRecorder: CapturePhotoCaptureDelegate {
  enum Call: Sendable {
    case tick(Duration)
    case willBegin(CaptureResolvedPhotoSettings)
    case willCapture
    case didCapture
    case didProcess(CapturePhoto?, CaptureError?)
    case didFinish(CaptureResolvedPhotoSettings, CaptureError?)

    var name: String {
      switch self {
      case .tick: "tick"
      case .willBegin: "willBegin"
      case .willCapture: "willCapture"
      case .didCapture: "didCapture"
      case .didProcess: "didProcess"
      case .didFinish: "didFinish"
      }
    }
  }

  let calls = Log<Call>()
  private let whenCaptured: @Sendable () -> Void

  init(whenCaptured: @escaping @Sendable () -> Void = {}) { self.whenCaptured = whenCaptured }

  func photoOutput(
    _ output: CapturePhotoOutput, selfTimerOf uniqueID: Int64, didTick remaining: Duration
  ) { calls.append(.tick(remaining)) }

  func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor settings: CaptureResolvedPhotoSettings
  ) { calls.append(.willBegin(settings)) }

  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor settings: CaptureResolvedPhotoSettings
  ) { calls.append(.willCapture) }

  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor settings: CaptureResolvedPhotoSettings
  ) {
    calls.append(.didCapture)
    whenCaptured()
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) { calls.append(.didProcess(photo, error)) }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishCaptureFor settings: CaptureResolvedPhotoSettings,
    error: CaptureError?
  ) { calls.append(.didFinish(settings, error)) }

  /// The calls' names, once the last has come.
  func names() async -> [String] {
    _ = await eventually { self.calls.all.last?.name == "didFinish" }
    return calls.all.map(\.name)
  }

  /// What remained at the self-timer's ticks.
  var ticks: [Duration] {
    calls.all.compactMap { if case .tick(let remaining) = $0 { remaining } else { nil } }
  }

  var error: CaptureError? {
    if case .didFinish(_, let error) = calls.all.last { error } else { nil }
  }
}
