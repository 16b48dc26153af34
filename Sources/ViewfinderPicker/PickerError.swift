public import Viewfinder
public import ViewfinderLibrary

/// Why an ``ImagePicker`` can't do something, and what to do about it.
@nonexhaustive public enum PickerError: Error, Hashable, Sendable {
  /// The picker isn't shown, or closed meanwhile.
  case notPresented
  /// The picker is already shown.
  case alreadyPresented
  /// There is no camera.
  case noCamera
  /// A source can't be used; `advice` says what to do.
  case sourceUnavailable(ImagePicker.SourceType, advice: String)
  /// The camera takes a photo, or a timer runs; the other controls are off meanwhile.
  case busy
  /// The selection is full: the configuration allows no more photos.
  case limitReached(Int)
  /// The call doesn't fit what is on the screen; `reason` says what does.
  case invalidRequest(reason: String)
  /// Another program took the selected photo `name` away.
  case photoGone(name: String)
  /// The camera failed.
  case camera(CaptureError)
  /// The photo library, or one of its photos, failed.
  case library(PhotoLibraryError)
  /// The presenter couldn't show the picker.
  case presenter(reason: String)
  /// The task was cancelled.
  case cancelled
}

extension PickerError: CustomStringConvertible {
  /// What happened, and what the person can do.
  public var description: String {
    switch self {
    case .notPresented: "The picker isn't shown. Present it first."
    case .alreadyPresented:
      "The picker is shown already. Wait for its result, or use another picker."
    case .noCamera: "No camera is connected. Plug one in."
    case .sourceUnavailable(let source, let advice): "The \(source.name) can't be used. \(advice)"
    case .busy: "A photo is being taken. Wait until it is there, or stop the timer."
    case .limitReached(let limit):
      limit == 1
        ? "A photo is picked already. Take it back to pick another one."
        : "\(limit) photos are picked, which is all that is asked for. "
          + "Take one back to pick another one."
    case .invalidRequest(let reason): reason
    case .photoGone(let name): "\(name) is gone: another program took it away."
    case .camera(let error): error.description
    case .library(let error): error.description
    case .presenter(let reason): "The picker can't be shown: \(reason)"
    case .cancelled: "The task was cancelled."
    }
  }
}

extension PickerError {
  /// A failure of any kind in the picker's words.
  init(_ error: any Error) {
    switch error {
    case let error as PickerError: self = error
    case CaptureError.cancelled where Task.isCancelled: self = .cancelled
    case let error as CaptureError: self = .camera(error)
    case PhotoLibraryError.cancelled: self = .cancelled
    case let error as PhotoLibraryError: self = .library(error)
    case is CancellationError: self = .cancelled
    default: self = .presenter(reason: "\(error)")
    }
  }
}
