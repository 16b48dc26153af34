import FaultInjection
import Foundation

/// A kind of driver, by the calls that it takes.
enum FaultDriver: Sendable {
  /// As most cameras have it.
  case usual
  /// From before extended controls and lists of sizes.
  case old
  /// Of a socket with a signal that has changed each time that somebody looks.
  case receiver

  /// Whether it offers more than one size.
  var hasSizes: Bool { self != .old }

  func lacks(_ call: TamperedSystem.Call) -> Bool {
    // VIDIOC_QUERY_EXT_CTRL, G_EXT_CTRLS, S_EXT_CTRLS, ENUM_FRAMESIZES, ENUM_FRAMEINTERVALS.
    self == .old && [.ioctl(103), .ioctl(71), .ioctl(72), .ioctl(74), .ioctl(75)].contains(call)
  }

  /// Gives a tampered table what the simulated camera lacks.
  func prepare(_ calls: TamperedSystem) {
    guard self == .receiver else { return }
    unsafe calls.instead = { call, argument in
      guard let argument = unsafe argument else { return false }
      switch "\(call)" {
      case "VIDIOC_QUERY_DV_TIMINGS": unsafe argument.storeTimings(width: 640, height: 480)
      case "VIDIOC_G_DV_TIMINGS": unsafe argument.storeTimings(width: 800, height: 600)
      case "VIDIOC_S_DV_TIMINGS": break
      default: return false
      }
      return true
    }
    unsafe calls.after = { call, argument in
      guard call == .ioctl(26), let argument = unsafe argument else { return }
      // V4L2_IN_CAP_DV_TIMINGS, in the input's capabilities.
      unsafe argument.storeBytes(of: 2, toByteOffset: 60, as: UInt32.self)
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a `v4l2_dv_timings`.
  fileprivate func storeTimings(width: UInt32, height: UInt32) {
    for (index, value) in [0, width, height, 0, 0, 25_175_000].enumerated() {
      unsafe storeBytes(of: value, toByteOffset: 4 * index, as: UInt32.self)
    }
  }
}
