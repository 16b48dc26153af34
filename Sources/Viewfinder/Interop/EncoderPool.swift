import CViewfinder
import Foundation

/// Encoders for a stream's frames: each picture is lent out of its encoder's own memory, and comes back when nobody has it
/// any more, so that a stream takes no memory anew.
final class EncoderPool: Sendable {
  /// A `vf_encoder`, used by one thread at a time.
  @safe private final class Encoder: @unchecked Sendable {
    private let handle: OpaquePointer

    init() throws(CaptureError) {
      var failure = unsafe vf_failure()
      guard let handle = unsafe vf_encoder_create(&failure) else {
        throw unsafe failure.imageError("the JPEG encoder")
      }
      unsafe self.handle = handle
    }

    deinit { unsafe vf_encoder_destroy(handle) }

    /// Encodes a picture; the result holds until the next call.
    func encode(
      _ picture: Picture, _ options: JPEGEncoder.Options
    ) throws(CaptureError) -> UnsafeRawBufferPointer {
      var image = unsafe picture.image
      var settings = unsafe vf_encode_options(options)
      var bytes: UnsafePointer<UInt8>?
      var count = 0
      var failure = unsafe vf_failure()
      guard
        unsafe vf_encoder_encode(handle, &image, &settings, &bytes, &count, &failure) == 0
      else { throw unsafe failure.imageError("the frame") }
      return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// The last result, which the encoder keeps no more.
    func take() -> Data {
      var taken = unsafe vf_encoder_take(handle)
      return unsafe Data(taking: &taken)
    }
  }

  private struct State {
    var idle: [Encoder] = []
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
      if let idle = state.withLock({ $0.idle.popLast() }) { idle } else { try Encoder() }
    let bytes: UnsafeRawBufferPointer
    do throws(CaptureError) {
      unsafe bytes = try encoder.encode(picture, options)
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
      let data = encoder.take()
      giveBack(encoder, wasLent: isLent)
      return data
    }
    return unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
      deallocator: .custom { [self] _, _ in giveBack(encoder, wasLent: true) })
  }

  private func giveBack(_ encoder: Encoder, wasLent: Bool) {
    state.withLock { state in
      if wasLent { state.lent -= 1 }
      if state.idle.count < limit { state.idle.append(encoder) }
    }
  }
}
