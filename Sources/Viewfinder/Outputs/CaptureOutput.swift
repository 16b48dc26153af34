/// Where a session's pictures go; Apple's `AVCaptureOutput`.
///
/// Use ``CapturePhotoOutput``, ``CaptureVideoDataOutput``, ``CaptureMetadataOutput`` and ``CaptureStatisticsOutput``.
public class CaptureOutput: @unchecked Sendable {
  private struct State {
    weak var session: CaptureSession?
    var connection: CaptureConnection?
  }

  private let state = Mutex(State())

  init() {}

  /// The session that the output belongs to.
  final var session: CaptureSession? { state.withLock { $0.session } }

  /// The connection to the camera; `nil` while there is none.
  final var connection: CaptureConnection? { state.withLock { $0.connection } }

  /// The connections to cameras: one, or none.
  public final var connections: [CaptureConnection] { connection.map { [$0] } ?? [] }

  /// The connection that carries a kind of media, or `nil`.
  public final func connection(with mediaType: MediaType) -> CaptureConnection? {
    mediaType == .video ? connection : nil
  }

  // MARK: For the session

  /// Makes the output the session's, unless it is another's.
  final func attach(to session: CaptureSession) -> Bool {
    state.withLock { state in
      guard state.session == nil else { return false }
      state.session = session
      return true
    }
  }

  /// Ends the output's part in its session.
  final func detach() {
    state.withLock { state in
      state.session = nil
      state.connection = nil
    }
    sessionDidStop()
  }

  /// Connects the output to a camera; an existing connection to the same one keeps its settings.
  final func connect(to input: CaptureDeviceInput?) {
    state.withLock { state in
      guard let input else {
        state.connection = nil
        return
      }
      if state.connection?.input !== input { state.connection = CaptureConnection(input: input) }
    }
    sessionDidChange()
  }

  /// Frames flow in this format.
  ///
  /// Called before the first of them.
  func streamDidStart(_ format: VideoFormat) {}

  /// A frame came, whether or not the output is to have it; on the stream's thread.
  func frameDidPass(at time: Duration) {}

  /// Takes a frame, on the stream's thread.
  ///
  /// Must return at once: the camera waits.
  func consume(_ frame: VideoFrame, from connection: CaptureConnection) {}

  /// Whether the output takes frames also while the program holds so many that others get none.
  ///
  /// Such an output lets go of them by itself.
  var takesReservedFrames: Bool { false }

  /// No frames come for now.
  func streamWasInterrupted(_ reason: CaptureError) {}

  /// The session stopped, or the output was removed.
  func sessionDidStop() {}

  /// The session began or ceased to run or to deliver, or has another camera.
  ///
  /// Called on any thread, after what the other calls tell of has happened.
  func sessionDidChange() {}
}
