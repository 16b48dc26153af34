public import Foundation

/// An error thrown while finding, configuring or running a camera, or while making a photo.
///
/// Every case names what it happened to, and ``description`` says what the person in front of the
/// machine can do about it.
@nonexhaustive public enum CaptureError: Error, Hashable, Sendable {
  /// No camera matches `name`; `available` lists the cameras that there are.
  case deviceNotFound(name: String, available: [String])

  /// This process may not open the camera.
  ///
  /// `advice` says why, as far as the node's owner and group tell, and what to type.
  case permissionDenied(device: String, advice: String)

  /// Another program streams from the camera.
  ///
  /// `holders` lists the programs that have it open; it is empty when they belong to another user.
  case deviceInUse(device: String, holders: [DeviceHolder])

  /// The camera was unplugged, or its driver gave up on it.
  case disconnected(device: String)

  /// The camera delivers no frames; `seconds` is how long was waited.
  case stalled(device: String, seconds: Double)

  /// The camera hangs behind an image processor and needs libcamera.
  case needsLibcamera(device: String, driver: String)

  /// USB has too little bandwidth left for the format.
  case insufficientBandwidth(device: String, format: String)

  /// The camera has no such format; `supported` lists what it has.
  case unsupportedFormat(requested: String, supported: [String])

  /// The camera has no such control, or it can't be set now; `reason` says why.
  case unsupportedControl(name: String, device: String, reason: String)

  /// A control's value is out of range; `accepted` says what it takes.
  case valueOutOfRange(name: String, value: String, accepted: String)

  /// Settings, or calls in an order, that can't work; `reason` says what to change.
  case invalidSettings(reason: String)

  /// A photo was asked for while the session wasn't running.
  case sessionNotRunning

  /// The request was cancelled before the photo was taken, for `reason`.
  case cancelled(reason: String)

  /// `what` is no valid picture, or it is damaged.
  case badImageData(what: String, reason: String)

  /// `what` is a valid picture of a kind that isn't supported.
  case unsupportedImage(what: String, reason: String)

  /// The file can't be read.
  case cannotRead(path: String, code: Int32)

  /// The file can't be written; nothing was left behind.
  case cannotWrite(path: String, code: Int32)

  /// The system call or library step `call` failed, with `code` as its `errno`.
  case system(call: String, code: Int32, subject: String)
}

/// A program that has a camera open.
public struct DeviceHolder: Hashable, Sendable {
  /// The process identifier.
  public let processID: Int32
  /// The process's name, as `/proc/PID/comm` has it.
  public let name: String

  /// Creates a description of a program.
  public init(processID: Int32, name: String) {
    self.processID = processID
    self.name = name
  }
}

extension CaptureError: CustomStringConvertible {
  /// What happened, to which device or file, and what can be done.
  public var description: String {
    switch self {
    case .deviceNotFound(let name, let available):
      let list =
        available.isEmpty
        ? "No camera is connected. Plug one in, or use a simulated one."
        : "Connected cameras: \(available.joined(separator: ", "))."
      return "There is no camera “\(name)”. \(list)"
    case .permissionDenied(let device, let advice):
      return "\(device) may not be opened. \(advice)"
    case .deviceInUse(let device, let holders):
      let who =
        holders.isEmpty
        ? "another session, or a program of another user (as root, ‘fuser -v \(device)’ tells)"
        : holders.map { "\($0.name) (process \($0.processID))" }.joined(separator: ", ")
      return "\(device) is in use by \(who). Close that program and try again."
    case .disconnected(let device):
      return
        "\(device) was disconnected. Plug it in again; a running session picks it up by itself."
    case .stalled(let device, let seconds):
      return "\(device) sent no frame for \(String(format: "%.1f", seconds)) s. "
        + "Check the cable and the USB hub's power, or choose a smaller format."
    case .needsLibcamera(let device, let driver):
      return "\(device) (driver \(driver)) is a CSI camera behind an image processor. "
        + "It needs libcamera, which Viewfinder doesn't speak; a USB camera works."
    case .insufficientBandwidth(let device, let format):
      return "USB has too little bandwidth left for \(format) from \(device). "
        + "Choose MJPEG, a smaller size or a lower rate, or another USB controller."
    case .unsupportedFormat(let requested, let supported):
      return "The camera doesn't offer \(requested). It offers: "
        + "\(supported.isEmpty ? "nothing that can be read" : supported.joined(separator: ", "))."
    case .unsupportedControl(let name, let device, let reason):
      return "\(device) can't set “\(name)”: \(reason)"
    case .valueOutOfRange(let name, let value, let accepted):
      return "“\(name)” doesn't take \(value). It takes \(accepted)."
    case .invalidSettings(let reason):
      return reason
    case .sessionNotRunning:
      return "The session isn't running. Call startRunning() before taking photos."
    case .cancelled(let reason):
      return "The capture was cancelled: \(reason)"
    case .badImageData(let what, let reason):
      return "\(what) is no valid picture: \(reason)"
    case .unsupportedImage(let what, let reason):
      return "\(what) is a picture of a kind that isn't supported: \(reason)"
    case .cannotRead(let path, let code):
      return "\(path) can't be read: \(errorText(code))."
    case .cannotWrite(let path, let code):
      let advice =
        switch code {
        case ENOSPC, EDQUOT: " Free some space and try again."
        case EACCES, EPERM, EROFS: " Choose a folder that you may write to."
        case ENOENT: " Create the folder first."
        case EEXIST: " Choose another name, or allow it to be replaced."
        default: ""
        }
      return "\(path) can't be written: \(errorText(code)).\(advice)"
    case .system(let call, let code, let subject):
      return "\(call) failed for \(subject): \(errorText(code)) (errno \(code))."
    }
  }
}

extension CaptureError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The system's words for an `errno` value.
func errorText(_ code: Int32) -> String {
  unsafe String(cString: strerror(code))
}
