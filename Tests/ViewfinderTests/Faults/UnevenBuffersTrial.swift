import FaultInjection
import Foundation

@testable import Viewfinder

/// A session over a loopback driver, whose frames are copied, with buffers of different lengths: some
/// are too short for a frame.
struct UnevenBuffersTrial: Trial {
  let pixelFormat: PixelFormat
  /// Tells which buffers are short, by their numbers.
  let isShort: @Sendable (UInt32) -> Bool
  let description: String

  static let all = [PixelFormat.yuyv, .mjpeg].flatMap { format in
    [
      UnevenBuffersTrial(format, "the first buffer is short") { $0 == 0 },
      UnevenBuffersTrial(format, "every other buffer is short") { $0 % 2 == 0 },
      UnevenBuffersTrial(format, "all but the second are short") { $0 != 1 },
    ]
  }

  private init(
    _ pixelFormat: PixelFormat, _ name: String, isShort: @escaping @Sendable (UInt32) -> Bool
  ) {
    self.pixelFormat = pixelFormat
    self.isShort = isShort
    description = "\(pixelFormat), \(name)"
  }

  /// Less than a frame of either format has.
  private static let shortLength: UInt32 = 1024

  func live() async -> TrialOutcome {
    let remains = Remains()
    let shortFrames = Shared(0)
    let problem: String?
    do {
      let life = try FaultLife(limits: FaultTrial.limits(noticingSilence: false)) {
        $0.source = .scene(.steady)
      }
      remains.watch(life)
      prepare(life.rig.calls, shortFrames)
      problem = try await run(life, shortFrames)
    } catch {
      return .broken("It doesn't start: \(error)")
    }
    if let problem = await remains.leaks() ?? problem { return .broken(problem) }
    return .told
  }

  /// Makes the simulated camera a loopback with short buffers.
  private func prepare(_ calls: TamperedSystem, _ shortFrames: Shared<Int>) {
    typealias Offset = TamperedSystem.Offset
    unsafe calls.after = { call, argument in
      guard let argument = unsafe argument else { return }
      switch call {
      case .queryCapabilities:
        unsafe Array("v4l2 loopback\0".utf8).withUnsafeBytes { name in
          unsafe argument.copyMemory(from: name.baseAddress!, byteCount: name.count)
        }
      case .queryBuffer where isShort(unsafe argument.number):
        unsafe argument.storeBytes(
          of: Self.shortLength, toByteOffset: Offset.length, as: UInt32.self)
      case .dequeue where isShort(unsafe argument.number):
        shortFrames.withLock { $0 += 1 }
      default: break
      }
    }
  }

  private func run(_ life: FaultLife, _ shortFrames: Shared<Int>) async throws -> String? {
    let (session, device) = (life.rig.session, life.rig.device)
    let wanted = try device.bestFormat(pixelFormat, dimensions: .qvga)
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(wanted) }
    try life.configure()
    try await session.startRunning()
    await life.takeFrames(12)
    try await life.takePhoto(nil)
    await session.stopRunning()
    let statistics = session.statistics
    guard statistics.deliveredFrames > 0, statistics.corruptFrames == shortFrames.value else {
      return "\(shortFrames.value) came in short buffers: \(statistics)"
    }
    return nil
  }
}

extension UnsafeMutableRawPointer {
  /// The number in a `v4l2_buffer`.
  fileprivate var number: UInt32 {
    unsafe load(fromByteOffset: TamperedSystem.Offset.index, as: UInt32.self)
  }
}
