import Dispatch
public import Foundation

/// Encodes a stream's frames as JPEGs, several at a time, and gives them back one by one in their order.
///
/// Two cores encode twice as many frames as one. A delegate that encodes is free for the next frame at once:
///
/// ```swift
/// func captureOutput(
///   _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
/// ) {
///   encoder.encode(frame) { result in
///     if case .success(let jpeg) = result { send(jpeg.data) }
///   }
/// }
/// ```
///
/// In a task:
///
/// ```swift
/// for try await jpeg in encoder.encodedFrames(of: videoOutput.frames) { send(jpeg.data) }
/// ```
///
/// A camera's own JPEGs aren't encoded again, but get the Huffman tables that they may lack, as by
/// ``VideoFrame/jpegData(quality:)``. Pictures give their memory back to the encoder when the program lets go of them, so
/// that a stream takes none anew.
public final class FrameEncoder: Sendable {
  /// What becomes of a frame: its JPEG, or ``CaptureError/badImageData(what:reason:)`` for a damaged one.
  public typealias Completion = @Sendable (Result<EncodedFrame, CaptureError>) -> Void

  private struct State {
    /// How many frames are encoded at the same time, at most.
    let limit: Int
    /// How many frames have come, and how many are given back.
    var begun = 0, givenBack = 0
    /// Frames that are being encoded, or about to be.
    var encoding = 0
    /// Frames that are encoded, and wait for earlier ones.
    var finished = 0
    /// Those who wait for a place, first come, first served.
    var waiting: [@Sendable () -> Void] = []
    /// Those who wait until so many frames are given back.
    var waitingForEnd: [(count: Int, call: @Sendable () -> Void)] = []

    /// Who may go on now: those who have a place, which is taken, and those who see what they waited for.
    mutating func admit() -> [@Sendable () -> Void] {
      var calls = waitingForEnd.filter { $0.count <= givenBack }.map(\.call)
      waitingForEnd.removeAll { $0.count <= givenBack }
      while !waiting.isEmpty, encoding < limit, encoding + finished < 2 * limit {
        encoding += 1
        calls.append(waiting.removeFirst())
      }
      return calls
    }
  }

  /// From 0 (smallest) to 1 (best).
  public let quality: Double
  /// How many frames are encoded at the same time, at most.
  ///
  /// As many again may wait until their turn comes to be given back. The encoder keeps so many of the camera's buffers.
  public let maximumConcurrentFrames: Int

  private let state: Mutex<State>
  private let encoders: EncoderPool
  private let work: OrderedWork

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - quality: From 0 (smallest) to 1 (best). The default is 0.8.
  ///   - maximumConcurrentFrames: How many frames to encode at the same time; 1 at least. The default is as many as there
  ///     are cores.
  public init(
    quality: Double = 0.8,
    maximumConcurrentFrames: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.quality = quality
    self.maximumConcurrentFrames = max(maximumConcurrentFrames, 1)
    state = Mutex(State(limit: self.maximumConcurrentFrames))
    encoders = EncoderPool(keeping: 2 * self.maximumConcurrentFrames)
    work = OrderedWork("viewfinder.frames", width: self.maximumConcurrentFrames)
  }

  /// Encodes a frame.
  ///
  /// Waits while so many frames are being encoded or wait for their turn as may; an output drops late frames meanwhile.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - completion: Called once with what became of it, on a thread of the encoder's: for one frame after the other, in
  ///     the order in which they came. It may encode no frame itself.
  public func encode(_ frame: VideoFrame, completion: @escaping Completion) {
    let turn = DispatchSemaphore(value: 0)
    whenThereIsAPlace { turn.signal() }
    turn.wait()
    begin(frame, completion)
  }

  /// Waits until all frames that came so far are given back.
  ///
  /// Not to be called by a completion.
  public func finish() {
    let end = DispatchSemaphore(value: 0)
    whenAllIsGivenBack { end.signal() }
    end.wait()
  }

  /// The JPEGs of a sequence's frames, in their order.
  ///
  /// The sequence takes frames when it is read, and only as fast as it is read: from
  /// ``CaptureVideoDataOutput/frames``, the newest. It leaves damaged frames out, and ends with the frames.
  ///
  /// - Parameter frames: The frames.
  /// - Returns: A sequence for one reader, which throws ``CaptureError`` when encoding fails.
  public func encodedFrames<Frames: AsyncSequence & Sendable>(of frames: Frames) -> EncodedFrames
  where Frames.Element == VideoFrame, Frames.Failure == Never {
    EncodedFrames(ahead: 2 * maximumConcurrentFrames) { [self] flow in
      var frames = frames.makeAsyncIterator()
      // Only then the frame: while nobody reads, the camera keeps its buffers.
      while await flow.waitForReader(), let frame = await frames.next(isolation: nil) {
        await withCheckedContinuation { continuation in
          whenThereIsAPlace { continuation.resume() }
        }
        begin(frame) { flow.send($0) }
      }
      whenAllIsGivenBack { flow.finish() }
    }
  }

  // MARK: The way of a frame

  /// Calls with a place taken, at once or when one gets free.
  private func whenThereIsAPlace(_ call: @escaping @Sendable () -> Void) {
    change { $0.waiting.append(call) }
  }

  private func whenAllIsGivenBack(_ call: @escaping @Sendable () -> Void) {
    change { $0.waitingForEnd.append(($0.begun, call)) }
  }

  /// Changes the state, and lets those go on who may then.
  private func change(_ body: (inout State) -> Void) {
    let calls = state.withLock { state in
      body(&state)
      return state.admit()
    }
    for call in calls { call() }
  }

  /// Encodes a frame that has a place.
  private func begin(_ frame: VideoFrame, _ completion: @escaping Completion) {
    state.withLock { $0.begun += 1 }
    work.begin { [self] in
      let result = Result { () throws(CaptureError) in try encoded(frame) }
      change { state in
        state.encoding -= 1
        state.finished += 1
      }
      return { [self] in
        completion(result)
        change { state in
          state.finished -= 1
          state.givenBack += 1
        }
      }
    }
  }

  private func encoded(_ frame: VideoFrame) throws(CaptureError) -> EncodedFrame {
    if case .lease = frame.storage, frame.format.pixelFormat.isJPEG {
      return EncodedFrame(frame, data: try frame.jpegData())
    }
    let options = JPEGEncoder.Options(quality: ijgQuality(quality))
    return EncodedFrame(frame, data: try encoders.encode(try frame.picture(), options))
  }
}
