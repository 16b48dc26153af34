import ErrorWords
import Hummingbird
import ViewfinderPicker
import WebServing

extension PickerError: PageError {
  /// 409 for what can't be now, 400 for what can't be at all, the library's own for what it says, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .notPresented, .alreadyPresented, .busy, .limitReached, .photoGone: .conflict
    case .invalidRequest: .badRequest
    case .library(let error): error.status
    default: .serviceUnavailable
    }
  }

  /// What pages say it by; what a page asked for wrongly has no code.
  public var coded: Coded? {
    switch self {
    case .notPresented: Coded("pickerClosed")
    case .alreadyPresented: Coded("pickerShown")
    case .busy: Coded("pickerBusy")
    case .limitReached(let limit): Coded("pickerLimit", ["count": "\(limit)"])
    case .noCamera: .noCamera
    case .photoGone(let name): Coded("pickedGone", ["name": name])
    case .sourceUnavailable(let source, _):
      Coded(source == .camera ? "cameraUnusable" : "libraryUnusable")
    case .camera(let error): error.coded
    case .library(let error): error.coded
    default: nil
    }
  }
}
