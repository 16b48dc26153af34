import Hummingbird
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker
import WebServing

extension CaptureError: PageError {
  /// 400 for what was asked wrongly, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .invalidSettings, .valueOutOfRange, .badImageData, .unsupportedImage: .badRequest
    default: .serviceUnavailable
    }
  }
}

extension PhotoLibraryError: PageError {
  /// 400, 404 and 422 for what can't be at all, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .damaged, .unsupported: .unprocessableContent
    case .invalidRequest: .badRequest
    default: .serviceUnavailable
    }
  }
}

extension PickerError: PageError {
  /// 409 for what can't be now, 400 for what can't be at all, the library's own for what it says, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .notPresented, .alreadyPresented, .busy, .limitReached: .conflict
    case .invalidRequest: .badRequest
    case .library(let error): error.status
    default: .serviceUnavailable
    }
  }

  /// Of what a page says in its own words; the rest tells of a device, a file or a reason.
  public var code: String? {
    switch self {
    case .notPresented: "pickerClosed"
    case .alreadyPresented: "pickerShown"
    case .busy: "pickerBusy"
    case .limitReached: "pickerLimit"
    default: nil
    }
  }

  /// How many photos may be picked.
  public var values: [String: String] {
    if case .limitReached(let limit) = self { ["count": "\(limit)"] } else { [:] }
  }
}
