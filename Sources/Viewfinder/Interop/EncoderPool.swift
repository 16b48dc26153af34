import CViewfinder
import Foundation

/// Encoders for a stream's frames: each picture is lent out of its encoder's own memory, and comes back when nobody has it
/// any more, so that a stream takes no memory anew.
final class EncoderPool: Sendable {
  private struct State {
    var idle: [CoreEncoder] = []
    /// How many encoders have a picture that somebody reads.
    var lent = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: How many encoders lend their memory. Pictures beyond, of a program that keeps them, have their own,
  ///   no larger than they are.
  init(keeping limit: Int) { self.limit = limit }

  /// Encodes a picture; several threads may at once.
  func encode(
    _ picture: Picture, _ options: JPEGEncoder.Options
  ) throws(CaptureError) -> Data {
    let encoder =
      if let idle = state.withLock({ $0.idle.popLast() }) { idle } else { try CoreEncoder() }
    let bytes: UnsafeRawBufferPointer
    do throws(CaptureError) {
      unsafe bytes = try encoder.encode(picture.image, vf_encode_options(options), "the frame")
    } catch {
      giveBack(encoder, wasLent: false)
      throw error
    }
    let isLent = state.withLock { state in
      guard state.lent < limit else { return false }
      state.lent += 1
      return true
    }
    guard isLent, let start = bytes.baseAddress else {
      var taken = unsafe encoder.take()
      giveBack(encoder, wasLent: isLent)
      return unsafe Data(taking: &taken)
    }
    return unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
      deallocator: .custom { [self] _, _ in giveBack(encoder, wasLent: true) })
  }

  private func giveBack(_ encoder: CoreEncoder, wasLent: Bool) {
    state.withLock { state in
      if wasLent { state.lent -= 1 }
      if state.idle.count < limit { state.idle.append(encoder) }
    }
  }
}
