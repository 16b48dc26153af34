import Foundation
import Synchronization
import Viewfinder

/// A session with a simulated camera that shows a still picture, whose own work is a few instructions.
final class Studio: Sendable {
  let session = CaptureSession()
  private let photoOutput = CapturePhotoOutput()
  private let videoOutput = CaptureVideoDataOutput()

  init(_ pixelFormat: PixelFormat, _ size: Dimensions, framesPerSecond: Int? = nil) throws {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    let camera = try SimulatedCamera(configuration)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(photoOutput)
      try session.addOutput(videoOutput)
    }
    try camera.device.configure { (device) throws(CaptureError) in
      try device.setActiveFormat(try device.bestFormat(pixelFormat, dimensions: size))
      if let framesPerSecond {
        try device.setActiveVideoFrameDuration(
          FrameInterval(numerator: 1, denominator: framesPerSecond))
      }
    }
    try session.startRunningAndWait()
  }

  /// A frame.
  func frame() throws -> VideoFrame {
    let frames = videoOutput.frames
    guard let frame = waitFor({ await frames.first { _ in true } }) else {
      throw CaptureError.sessionNotRunning
    }
    return frame
  }

  /// Takes a photo that becomes a file when the delegate is told of it; returns its size in bytes.
  func takePhoto(_ settings: CapturePhotoSettings, to url: URL) throws -> Int {
    let writer = Writer(url)
    photoOutput.capturePhoto(with: settings, delegate: writer)
    return try writer.wait()
  }

  private final class Writer: CapturePhotoCaptureDelegate {
    private let url: URL
    private let result = Mutex(Result<Int, any Error>?.none)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ url: URL) { self.url = url }

    func photoOutput(
      _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
      error: CaptureError?
    ) {
      let written = Result<Int, any Error> {
        guard let photo else { throw error ?? .sessionNotRunning }
        try photo.write(to: url)
        // Foundation would look up the owner's name, too.
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw POSIXError(.ENOENT) }
        return Int(status.st_size)
      }
      result.withLock { $0 = written }
    }

    func photoOutput(
      _ output: CapturePhotoOutput, didFinishCaptureFor settings: CaptureResolvedPhotoSettings,
      error: CaptureError?
    ) {
      if let error { result.withLock { $0 = $0 ?? .failure(error) } }
      isDone.signal()
    }

    func wait() throws -> Int {
      isDone.wait()
      return try result.withLock { $0 }?.get() ?? 0
    }
  }
}

/// Waits, outside of tasks, for what one does.
func waitFor<R: Sendable, E: Error>(
  _ body: @escaping @Sendable () async throws(E) -> R
) throws(E) -> R {
  let result = Mutex(Result<R, E>?.none)
  let isDone = DispatchSemaphore(value: 0)
  // A task of its own: the caller's thread may be the main actor's.
  Task.detached {
    let outcome: Result<R, E>
    do throws(E) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    isDone.signal()
  }
  isDone.wait()
  guard let outcome = result.withLock({ $0 }) else { preconditionFailure("It was signalled.") }
  return try outcome.get()
}
