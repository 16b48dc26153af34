import Foundation
import Viewfinder

/// Runs a session for long, and fails when it grows, loses count, or leaks.
///
/// usage: soak [FRAMES [PHOTOS [SERIES]]]
@main struct Soak {
  static func main() async throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let soak = try Soak(
      frames: numbers.first ?? 100_000, photos: numbers.dropFirst().first ?? 10_000)
    let series = Series(photos: numbers.dropFirst(2).first ?? 5000)
    var holds = true
    for checks in [soak.run, series.run] {
      for check in try await checks() {
        print("\(check.holds ? "ok    " : "FAILED") \(check.name): \(check.value)")
        holds = holds && check.holds
      }
    }
    exit(holds ? EXIT_SUCCESS : EXIT_FAILURE)
  }

  private let frames: Int
  private let photos: Int
  private let camera: SimulatedCamera
  private let session = CaptureSession()
  private let video = CaptureVideoDataOutput()
  private let slow = CaptureVideoDataOutput()
  private let photo = CapturePhotoOutput()
  private let fastViewer = Viewer(delay: 0)
  private let slowViewer = Viewer(delay: 0.05)

  init(frames: Int, photos: Int) throws {
    (self.frames, self.photos) = (frames, photos)
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    configuration.runsAtFullSpeed = true
    // Frames of every fate: flagged, cut short, missing.
    configuration.faults = "error@100/100;truncate@150/100;drop@77/50"
    camera = try SimulatedCamera(configuration)
    try session.setSessionPreset(.low)
  }

  func run() async throws -> [Check] {
    video.setSampleBufferDelegate(fastViewer, queue: DispatchQueue(label: "fast"))
    slow.setSampleBufferDelegate(slowViewer, queue: DispatchQueue(label: "slow"))
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera.device))
      for output in [video, slow, photo] { try session.addOutput(output) }
    }
    try await session.startRunning()
    // What is made once is made before the first look.
    try await takePhotos(max(photos / 20, 1))
    let first = Footprint.now()
    try await takePhotos(photos)
    while session.statistics.deliveredFrames < frames {
      try await Task.sleep(for: .milliseconds(10))
    }
    let last = Footprint.now()
    await session.stopRunning()
    return report(first, last, session.statistics)
  }

  private func takePhotos(_ count: Int) async throws {
    var settings = CapturePhotoSettings()
    settings.outline = .card()
    settings.embedsThumbnail = false
    for number in 0..<count {
      let taken = try await photo.capturePhoto(with: CapturePhotoSettings(from: settings))
      guard !taken.fileDataRepresentation().isEmpty else {
        throw CocoaError(.fileReadCorruptFile, userInfo: ["photo": number])
      }
    }
  }

  private func report(_ first: Footprint, _ last: Footprint, _ counts: CaptureStatistics) -> [Check]
  {
    let sum =
      counts.deliveredFrames + counts.lostFrames + counts.corruptFrames + counts.starvedFrames
      + counts.lateFrames
    return [
      Check.memory("resident memory", first, last),
      Check(
        "file descriptors", "\(first.descriptors), then \(last.descriptors)",
        last.descriptors <= first.descriptors),
      Check(
        "threads", "\(first.threads), then \(last.threads)", last.threads <= first.threads + 4),
      Check("photos", "\(photos) taken", true),
      Check(
        "frames",
        "\(counts.producedFrames) produced = \(counts.deliveredFrames) delivered + "
          + "\(counts.lostFrames) lost + \(counts.corruptFrames) damaged + "
          + "\(counts.starvedFrames) withheld + \(counts.lateFrames) late",
        sum == counts.producedFrames && counts.lostFrames > 0 && counts.corruptFrames > 0),
      Check(
        "a fast and a slow delegate", "\(fastViewer.count) and \(slowViewer.count) frames",
        fastViewer.count > 10 * slowViewer.count),
      Check("buffers still held", "\(counts.lentBuffers)", counts.lentBuffers <= 3),
    ]
  }
}

/// Something that must hold, and what was measured.
struct Check {
  var name: String
  var value: String
  var holds: Bool

  init(_ name: String, _ value: String, _ holds: Bool) {
    (self.name, self.value, self.holds) = (name, value, holds)
  }

  /// Memory must not grow.
  static func memory(_ name: String, _ first: Footprint, _ last: Footprint) -> Check {
    Check(
      name, "\(first.resident / 1024) KiB, then \(last.resident / 1024) KiB",
      last.resident < first.resident + 8 << 20)
  }
}

/// What the process takes of the machine.
struct Footprint {
  /// In bytes.
  var resident: Int
  var descriptors: Int
  var threads: Int

  static func now() -> Footprint {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Footprint(
      resident: (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)),
      descriptors: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"))
  }

  private static func entries(of folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
  }
}

/// Counts frames; may be slow.
final class Viewer: CaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  private let delay: Double
  private let lock = NSLock()
  private var frames = 0

  init(delay: Double) { self.delay = delay }

  var count: Int { lock.withLock { frames } }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    lock.withLock { frames += 1 }
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
  }
}
