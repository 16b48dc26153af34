import ErrorWords
import Foundation
import ServiceLifecycle
import Synchronization
import Viewfinder
import WebServing

/// A camera that is kept running for a page: found, started, waited for and found again.
///
/// Run it as a service of a ``WebServer``. It never gives up: visitors read why there is no
/// picture, and see it when there is one.
public final class LiveCamera: Service {
  /// What the camera does.
  public enum State: String, Codable, Sendable {
    /// It is being found, or wakes up.
    case starting
    /// Frames flow.
    case running
    /// Frames stopped for now.
    case interrupted
    /// There is no camera, or it can't be used.
    case unavailable
  }

  /// The camera at work.
  public let session = CaptureSession()
  /// Takes photos.
  public let photoOutput = CapturePhotoOutput()
  /// The live picture.
  public let stream: LiveStream
  /// What pages draw of the stream.
  let statistics = LiveStatistics()

  private let open: @Sendable () throws -> CaptureDevice
  private let rotation: Int
  private let status = Mutex((state: State.starting, words: LiveReport.starting))
  private let reports = Watchers<LiveReport>()

  /// Creates a camera that isn't open yet.
  ///
  /// - Parameters:
  ///   - rotation: How far its picture is turned to be upright, in degrees clockwise.
  ///   - quality: Of the live picture's JPEGs, from 0 to 1.
  ///   - open: Finds the camera and sets its format; called again, each second, until there is one.
  public init(
    rotation: Int = 0, quality: Double = 0.8,
    open: @escaping @Sendable () throws -> CaptureDevice
  ) {
    stream = LiveStream(quality: quality)
    self.rotation = rotation
    self.open = open
  }

  /// Runs the camera until the server ends, then gives it back.
  public func run() async {
    try? await cancelWhenGracefulShutdown {
      try await withThrowingTaskGroup { group in
        group.addTask {
          while true {
            await self.runOnce()
            try await Task.sleep(for: .seconds(1))
          }
        }
        group.addTask {
          while true {
            try await Task.sleep(for: .seconds(1))
            self.tellWatchers()
            self.stream.repeatNewest()
          }
        }
        try await group.waitForAll()
      }
    }
    await session.stopRunning()
  }

  /// Starts the camera and follows it until it stops for good.
  private func runOnce() async {
    let events = session.events
    do {
      if session.inputs.isEmpty { try addCamera() }
      try await session.startRunning()
    } catch {
      // The next attempt may find another.
      for input in session.inputs { session.removeInput(input) }
      return change(.unavailable, ErrorWords(error))
    }
    change(.running, LiveReport.running)
    for await event in events {
      switch event {
      case .didStartRunning, .interruptionEnded, .didChangeFormat:
        change(.running, LiveReport.running)
      case .wasInterrupted(let reason): change(.interrupted, ErrorWords(reason))
      case .runtimeError(let error): return change(.unavailable, ErrorWords(error))
      case .didStopRunning: return
      case .framesAreHeld: break
      }
    }
  }

  private func addCamera() throws {
    let device = try open()
    try session.configure {
      try session.setSessionPreset(.high)
      try session.addInput(CaptureDeviceInput(device: device))
      for output in [stream.output, photoOutput, statistics.output]
      where session.canAddOutput(output) {
        try session.addOutput(output)
      }
    }
    for output in [stream.output, photoOutput] {
      output.connection(with: .video)?.videoRotationAngle = Double(rotation)
    }
  }

  private func change(_ state: State, _ words: ErrorWords) {
    status.withLock { $0 = (state, words) }
    tellWatchers()
  }

  private func tellWatchers() {
    if reports.count > 0 { reports.send(report) }
  }
}

// What visitors read.
extension LiveCamera {
  /// How the camera is doing.
  public var report: LiveReport {
    let (state, words) = status.withLock { $0 }
    return LiveReport(
      state: state, words: words, camera: session.inputs.first?.device.localizedName,
      format: session.activeVideoFormat, frames: session.statistics, clients: stream.watcherCount,
      counts: stream.counts)
  }

  /// Reports from now on: one now, one whenever the state changes, and one a second.
  func watchReports() -> (values: AsyncStream<LiveReport>, end: @Sendable () -> Void) {
    defer { tellWatchers() }
    return reports.watch()
  }

  /// How a view shows the picture; `nil` while there is none.
  public func geometry(viewSize: CGSize, gravity: VideoGravity, isMirrored: Bool)
    -> PreviewGeometry?
  {
    session.activeVideoFormat.map { format in
      PreviewGeometry(
        viewSize: viewSize, videoSize: format.dimensions, videoGravity: gravity,
        videoRotationAngle: rotation, isMirrored: isMirrored)
    }
  }
}
