import ErrorWords
import Foundation
import Hummingbird
import Viewfinder
import WebServing

extension CaptureError: PageError {
  /// 400 for what was asked wrongly, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .invalidSettings, .valueOutOfRange, .badImageData, .unsupportedImage: .badRequest
    default: .serviceUnavailable
    }
  }

  /// What pages say it by; what a program asked for wrongly has no code.
  public var coded: Coded? {
    switch self {
    case .deviceNotFound(let name, let cameras):
      cameras.isEmpty
        ? Coded("cameraNotFound", ["name": name])
        : Coded("cameraNotAmong", ["name": name, "cameras": cameras.joined(separator: ", ")])
    case .notACamera(let device, _, _): Coded("notACamera", ["device": device])
    case .permissionDenied(let device, let advice): Self.denied(device, advice)
    case .deviceInUse(let device, let holders): Self.inUse(device, holders)
    case .disconnected(let device): Coded("cameraLost", ["device": device])
    case .stalled(let device, let seconds):
      Coded("cameraStalled", ["device": device, "seconds": String(format: "%.1f", seconds)])
    case .noSignal(let device): Coded("cameraNoSignal", ["device": device])
    case .sourceChanged(let device): Coded("cameraSourceChanged", ["device": device])
    case .takingStill(let device): Coded("cameraTakesStill", ["device": device])
    case .needsLibcamera(let device, _): Coded("cameraNeedsLibcamera", ["device": device])
    case .insufficientBandwidth(let device, let format, nil):
      Coded("usbTooSlow", ["device": device, "format": format])
    case .insufficientBandwidth(let device, let format, let other?):
      Coded("usbTooSlowFor", ["device": device, "format": format, "other": "\(other)"])
    case .unsupportedFormat(let device, let format, _):
      Coded("cameraFormat", ["device": device, "format": format])
    case .unsupportedControl(let name, let device, let reason):
      Coded("cameraControl", ["name": name, "device": device, "reason": reason])
    case .valueOutOfRange(let name, let value, let accepted):
      Coded("outOfRange", ["name": name, "value": value, "accepted": accepted])
    case .sessionNotRunning: Coded("cameraOff")
    case .shutterNotReady: Coded("shutterNotReady")
    case .cancelled: Coded("photoCancelled")
    case .badImageData(let what, let reason):
      Coded("badPicture", ["what": what, "reason": reason])
    case .unsupportedImage(let what, let reason):
      Coded("unsupportedPicture", ["what": what, "reason": reason])
    case .cannotRead(let path, let code): .file("cannotRead", path, code)
    case .cannotWrite(let path, let code): .unwritable(path, code)
    case .system(_, ENOMEM, _): Coded("noMemory")
    case .system(_, let code, let subject): .file("cameraFailed", subject, code)
    default: nil
    }
  }

  /// The advice is for those who know their system; what they may type is the same in each language.
  private static func denied(_ device: String, _ advice: String) -> Coded {
    if let match = advice.firstMatch(of: /sudo usermod -aG (\S+)/) {
      return Coded("cameraGroup", ["device": device, "group": String(match.1)])
    }
    if let match = advice.firstMatch(of: /newgrp (\S+)/) {
      return Coded("cameraLogin", ["device": device, "group": String(match.1)])
    }
    return Coded("cameraDenied", ["device": device])
  }

  private static func inUse(_ device: String, _ holders: [DeviceHolder]) -> Coded {
    let others = holders.filter { $0.processID != getpid() }.map(\.name)
    if !others.isEmpty {
      return Coded("cameraInUse", ["device": device, "programs": others.joined(separator: ", ")])
    }
    return Coded(holders.isEmpty ? "cameraInUseUnseen" : "cameraInUseHere", ["device": device])
  }
}
