public import Foundation

/// An error thrown while finding, configuring or running a camera, or while making a photo.
///
/// Every case names what it happened to, and ``description`` says what the person in front of the
/// machine can do about it.
@nonexhaustive public enum CaptureError: Error, Hashable, Sendable {
  /// No camera matches `name`; `available` lists the cameras that there are.
  case deviceNotFound(name: String, available: [String])

  /// The node is `what` it says, such as a codec or a metadata node; `available` lists the cameras
  /// that there are.
  case notACamera(device: String, what: String, available: [String])

  /// This process may not open the camera.
  ///
  /// `advice` says why, as far as the node's owner and group tell, and what to type.
  case permissionDenied(device: String, advice: String)

  /// Another program streams from the camera.
  ///
  /// `holders` lists the programs that have it open, this one included when another of its sessions
  /// streams. It is empty when this process can't see them, because they belong to another user or
  /// run outside this container.
  case deviceInUse(device: String, holders: [DeviceHolder])

  /// The camera was unplugged, or its driver gave up on it.
  case disconnected(device: String)

  /// The camera delivers no frames; `seconds` says for how long.
  case stalled(device: String, seconds: Double)

  /// A grabber or capture card gets no signal at its input.
  case noSignal(device: String)

  /// The source at a grabber's input changed its size or rate; a session follows it.
  case sourceChanged(device: String)

  /// The session takes a photo in another size than the stream's; frames flow again afterwards.
  case takingStill(device: String)

  /// The camera sits behind an image processor and needs libcamera.
  case needsLibcamera(device: String, driver: String)

  /// USB has too little bandwidth left for the format.
  ///
  /// `alternative` is the largest lighter format that fits at this moment (Viewfinder has tried
  /// it), or `nil` when none does; ``CaptureDevice/setActiveFormat(_:)`` takes it.
  case insufficientBandwidth(
    device: String, format: String, alternative: CaptureDevice.Format?)

  /// The camera has no such format.
  ///
  /// `nearest` lists the few closest sizes with their layouts, without those that Viewfinder
  /// doesn't read. ``CaptureDevice/formats`` and `viewfinder formats` for the node `device` list
  /// them all.
  case unsupportedFormat(device: String, requested: String, nearest: [String])

  /// The camera has no such control, or it can't be set now; `reason` says why.
  case unsupportedControl(name: String, device: String, reason: String)

  /// A control's value is out of range; `accepted` says what it takes.
  case valueOutOfRange(name: String, value: String, accepted: String)

  /// The settings, or the order of calls, can't work; `reason` says what to change.
  case invalidSettings(reason: String)

  /// The program asked for a photo while the session wasn't running.
  case sessionNotRunning

  /// The shutter wasn't ready, for the reason in the value, and the request doesn't wait
  /// (``CapturePhotoSettings/ReadinessPolicy/fails``).
  case shutterNotReady(CapturePhotoOutput.CaptureReadiness)

  /// Something cancelled the request before the photo was taken; `reason` says what.
  case cancelled(reason: String)

  /// `what` isn't a valid picture, or it is damaged.
  case badImageData(what: String, reason: String)

  /// `what` is a valid picture of a kind that isn't supported.
  case unsupportedImage(what: String, reason: String)

  /// The file can't be read.
  case cannotRead(path: String, code: Int32)

  /// The file can't be written; nothing is left behind.
  case cannotWrite(path: String, code: Int32)

  /// Frames can't be written to the node, for `reason`.
  case unusableOutput(path: String, reason: String)

  /// The system call or library step `call` failed, with `code` as its `errno`.
  case system(call: String, code: Int32, subject: String)
}

/// A program that has a camera open.
public struct DeviceHolder: Hashable, Sendable {
  /// The process identifier.
  public let processID: Int32
  /// The process's name, from `/proc/PID/comm`.
  public let name: String

  /// Creates a description of a program.
  public init(processID: Int32, name: String) {
    self.processID = processID
    self.name = name
  }
}

extension CaptureError: CustomStringConvertible {
  /// What happened, to which device or file, and what to do about it.
  public var description: String {
    switch self {
    case .deviceNotFound(let name, let available):
      return "There is no camera “\(name)”. \(connected(available))"
    case .notACamera(let device, let what, let available):
      return "\(device) is \(what), not a camera. \(connected(available))"
    case .permissionDenied(let device, let advice):
      return "\(device) may not be opened. \(advice)"
    case .deviceInUse(let device, let holders):
      let others = holders.filter { $0.processID != getpid() }
      if others.isEmpty, !holders.isEmpty {
        return "\(device) is in use by another session of this program. Stop that one first, "
          + "or add your outputs to it: several outputs share one stream."
      }
      let who =
        others.isEmpty
        ? "a program that can't be seen: another user's, or one outside this container "
          + "(as root, ‘fuser -v \(device)’ tells)"
        : others.list
      return "\(device) is in use by \(who). Close that program and try again."
    case .disconnected(let device):
      return
        "\(device) was disconnected. Plug it in again; a running session picks it up by itself."
    case .stalled(let device, let seconds):
      return "\(device) sent no frame for \(String(format: "%.1f", seconds)) s. "
        + "Check the cable and the USB hub's power, or choose a smaller format."
    case .noSignal(let device):
      return "\(device) gets no signal. Check the cable and switch the source on; "
        + "a running session goes on by itself."
    case .sourceChanged(let device):
      return "The source of \(device) changed its size or rate; the session takes up the new one."
    case .takingStill(let device):
      return "\(device) takes a photo in another size; frames flow again in a moment."
    case .needsLibcamera(let device, let driver):
      return "\(device) (driver \(driver)) is a CSI camera behind an image processor. "
        + "It needs libcamera, which Viewfinder doesn't speak; a USB camera works."
    case .insufficientBandwidth(let device, let format, let alternative):
      let advice =
        alternative.map { "\($0) fits: choose that, or use another USB controller." }
        ?? "No other format fits either: use another USB controller, or stop another camera."
      return "USB has too little bandwidth left for \(format) from \(device). \(advice)"
    case .unsupportedFormat(let device, let requested, let nearest):
      let offer =
        nearest.isEmpty
        ? "It offers nothing that can be read."
        : "What comes nearest: \(nearest.joined(separator: ", "))."
      let camera = device == Simulator.path ? "--simulate" : "--device \(device)"
      return "The camera doesn't offer \(requested). \(offer) "
        + "‘viewfinder formats \(camera)’ shows all that it offers."
    case .unsupportedControl(let name, let device, let reason):
      return "\(device) can't set “\(name)”: \(reason)"
    case .valueOutOfRange(let name, let value, let accepted):
      return "“\(name)” doesn't take \(value). It takes \(accepted)."
    case .invalidSettings(let reason):
      return reason
    case .sessionNotRunning:
      return "The session isn't running. Call startRunning() before taking photos."
    case .shutterNotReady(let readiness):
      return "The shutter isn't ready: \(readiness.explanation). "
        + "Wait until captureReadiness is .ready, or let the request wait (readinessPolicy .waits)."
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
    case .unusableOutput(let path, let reason):
      return "Frames can't be written to \(path): \(reason)"
    case .system(let call, let code, let subject):
      return "\(call) failed for \(subject): \(errorText(code)) (errno \(code))."
    }
  }
}

extension [DeviceHolder] {
  /// Their names and process identifiers, in words.
  var list: String {
    map { "\($0.name) (process \($0.processID))" }.joined(separator: ", ")
  }
}

/// The cameras that there are, as a sentence.
private func connected(_ cameras: [String]) -> String {
  cameras.isEmpty
    ? "No camera is connected. Plug one in, or use a simulated one."
    : "Connected cameras: \(cameras.joined(separator: ", "))."
}

extension CaptureError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The system's words for an `errno` value.
package func errorText(_ code: Int32) -> String {
  unsafe String(cString: strerror(code))
}
