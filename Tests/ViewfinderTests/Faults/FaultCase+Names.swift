import FaultInjection
import Foundation

@testable import Viewfinder

extension FaultCase {
  /// Whether an error says what is wrong: by the call's name, or in words that people understand.
  func isNamed(by error: CaptureError) -> Bool {
    switch error {
    case .system(let name, let code, _): return names(name, code)
    case .disconnected: return isGone
    case .deviceNotFound: return code == ENOENT || code == ENXIO
    case .permissionDenied: return code == EACCES || code == EPERM
    case .deviceInUse: return code == EBUSY
    case .noSignal: return [ENOLINK, ENOLCK, ERANGE].contains(code)
    case .sourceChanged: return code == EPIPE
    case .insufficientBandwidth: return call == .streamOn && [ENOSPC, EIO].contains(code)
    case .stalled: return isSilence
    // An enumeration that fails is one that ends early.
    case .unsupportedFormat: return "\(call)".hasPrefix("VIDIOC_ENUM_")
    case .valueOutOfRange: return isControl && [EINVAL, ERANGE].contains(code)
    case .unsupportedControl: return isControl
    // The reason holds the session's own.
    case .cancelled, .sessionNotRunning, .takingStill: return false
    default: return false
    }
  }

  private func names(_ name: String, _ code: Int32) -> Bool {
    if name == "\(call)" {
      // ENOTTY stands for all ways of saying that the node is no V4L2 device.
      let isForeign = call == .queryCapabilities && code == ENOTTY
      return [nil, code].contains(self.code) || code == EIO || isForeign
    }
    if name == Self.namesOfOldCalls["\(call)"] { return code == self.code }
    // What a driver does to its buffers shows when one is taken; what poll claims, too.
    return [.queue, .poll].contains(call) && ["VIDIOC_DQBUF", "VIDIOC_QBUF", "poll"].contains(name)
  }

  /// Messages name the calls of today's drivers.
  private static let namesOfOldCalls = [
    "VIDIOC_QUERYCTRL": "VIDIOC_QUERY_EXT_CTRL", "VIDIOC_G_CTRL": "VIDIOC_G_EXT_CTRLS",
    "VIDIOC_S_CTRL": "VIDIOC_S_EXT_CTRLS",
  ]

  /// Whether the driver says that the camera is gone.
  private var isGone: Bool {
    if case .claims(let events) = kind { return events & Int16(POLLHUP) != 0 }
    return [ENODEV, ENXIO, ESHUTDOWN].contains(code)
  }

  /// Whether nothing is said and nothing comes.
  var isSilence: Bool {
    switch kind {
    case .fails(let code): [.dequeue, .poll].contains(call) && [EAGAIN, EINTR].contains(code)
    case .claims(let events): events & Int16(POLLIN | POLLERR | POLLHUP | POLLNVAL) == 0
    case .isSilent, .hangs: true
    }
  }

  private var isControl: Bool { "\(call)".contains("CTRL") || call == .ioctl(37) }
}
