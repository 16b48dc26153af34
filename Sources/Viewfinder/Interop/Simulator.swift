import CViewfinder
import Foundation

/// A `vf_simulator`, destroyed on deinit.
///
/// All calls may come from any thread, as in C.
@safe final class Simulator: SystemTable, @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ configuration: SimulatedCamera.Configuration) throws(CaptureError) {
    var failure = unsafe vf_failure()
    let scene: String?
    let replay: String?
    switch configuration.source {
    case .scene(let name):
      scene = name.rawValue
      replay = nil
    case .replay(let path):
      scene = nil
      replay = path
    }
    let handle = unsafe withOptionalCString(scene) { scene in
      unsafe withOptionalCString(replay) { replay in
        unsafe withOptionalCString(configuration.faults) { faults in
          var options = unsafe vf_simulator_options()
          unsafe options.scene = scene
          unsafe options.replay = replay
          unsafe options.faults = faults
          unsafe options.replay_rate = configuration.replayRate ?? 0
          unsafe options.replays_once = configuration.loops ? 0 : 1
          unsafe options.full_speed = configuration.runsAtFullSpeed ? 1 : 0
          unsafe options.seed = configuration.seed
          return unsafe vf_simulator_create(&options, &failure)
        }
      }
    }
    guard let handle = unsafe handle else {
      throw unsafe failure.simulatorError(replay ?? scene ?? "simulated camera")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe vf_simulator_destroy(handle) }

  var system: UnsafePointer<vf_system> { unsafe vf_simulator_system(handle) }

  static let path = VF_SIMULATOR_PATH

  func inject(_ faults: String) throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard unsafe vf_simulator_inject(handle, faults, &failure) == 0 else {
      throw unsafe .invalidSettings(reason: "Fault “\(faults)”: \(failure.detailText)")
    }
  }

  func setPlugged(_ plugged: Bool) { unsafe vf_simulator_set_plugged(handle, plugged ? 1 : 0) }

  /// Buffers that are still mapped, and descriptors that are still open: 0 and 0 when nothing leaks.
  var leaks: (mappedBuffers: Int, openDescriptors: Int) {
    var mapped: UInt32 = 0
    var open: UInt32 = 0
    unsafe vf_simulator_leaks(handle, &mapped, &open)
    return (Int(mapped), Int(open))
  }

  /// The card's corners in units of the picture, or `nil` when the scene shows none.
  func cardCorners(sequence: Int, in size: Dimensions) -> Quadrilateral? {
    var failure = unsafe vf_failure()
    var corners = [vf_point](repeating: vf_point(), count: 4)
    let result = unsafe corners.withUnsafeMutableBufferPointer {
      unsafe vf_simulator_card(
        handle, UInt32(clamping: sequence), UInt32(clamping: size.width),
        UInt32(clamping: size.height), $0.baseAddress!, &failure)
    }
    guard result == 0 else { return nil }
    return Quadrilateral(
      corners.map { CGPoint(x: $0.x / Double(size.width), y: $0.y / Double(size.height)) })
  }
}

extension vf_failure {
  fileprivate func simulatorError(_ what: String) -> CaptureError {
    switch unsafe code {
    case ENOENT, EACCES, ENOTDIR, EISDIR: unsafe .cannotRead(path: what, code: code)
    case EINVAL: .invalidSettings(reason: unsafe "Simulated camera: \(detailText)")
    default: unsafe imageError(what)
    }
  }
}

private func withOptionalCString<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
  guard let text else { return body(nil) }
  return unsafe text.withCString { unsafe body($0) }
}
