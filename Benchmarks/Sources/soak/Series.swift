import Foundation
import Viewfinder

/// A long series of photos at intervals, and many that are stopped at some moment.
struct Series {
  private static let interval = Duration.milliseconds(100)

  private let photos: Int
  private let session = CaptureSession()
  private let output = CapturePhotoOutput()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "viewfinder-soak-\(UUID().uuidString)")

  init(photos: Int) { self.photos = photos }

  func run() async throws -> [Check] {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    let camera = try SimulatedCamera(configuration)
    try session.configure {
      try session.setSessionPreset(.low)
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(output)
    }
    try await session.startRunning()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let checks = try await takeAll() + [stopAtRandom()]
    await session.stopRunning()
    return checks
  }

  // MARK: To the end

  private func takeAll() async throws -> [Check] {
    // What is made once is made before the first look.
    _ = try await take(max(photos / 20, 1), told: nil)
    try clear()
    let first = Footprint.now()
    let told = Told(count: photos)
    let summary = try await take(photos, told: told)
    let last = Footprint.now()
    let delays = told.delays.sorted()
    let whole = try wholeFiles()
    return [
      Check.memory("memory during a series", first, last),
      Check(
        "photos of the series", "\(summary.photoCount) saved, \(whole) of them whole on the disk",
        summary.photoCount == photos && whole == photos),
      // Those that a busy machine had no time for are missed, and told of.
      Check(
        "intervals of the series",
        "\(told.numbers) in all, \(summary.missedCount) of them missed",
        told.isComplete && summary.missedCount * 10 <= photos),
      Check(
        "photos' times",
        "\(milliseconds(delays[delays.count / 2])) after they were due in the median, "
          + "\(milliseconds(delays.last!)) at worst", delays[0] >= .zero),
    ]
  }

  private func take(_ count: Int, told: Told?) async throws -> IntervalCapture.Summary {
    var settings = IntervalCaptureSettings()
    settings.interval = Self.interval
    settings.maxPhotoCount = count
    settings.photoSettings.embedsThumbnail = false
    let series = try output.startIntervalCapture(settings, to: folder, delegate: told)
    let summary = await series.result
    if case .failed(let error) = summary.ending { throw error }
    return summary
  }

  /// How many files are whole pictures; all of them are looked at.
  private func wholeFiles() throws -> Int {
    try files().count { file in
      let picture = try? PixelBuffer(decoding: Data(contentsOf: file))
      return picture?.dimensions == session.activeVideoFormat?.dimensions
    }
  }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  private func clear() throws {
    for file in try files() { try FileManager.default.removeItem(at: file) }
  }

  private func milliseconds(_ duration: Duration) -> String {
    String(format: "%.1f ms", duration / .milliseconds(1))
  }

  // MARK: Stopped

  private func stopAtRandom() async throws -> Check {
    let stops = 20
    var saved = 0
    try clear()
    for _ in 0..<stops {
      var settings = IntervalCaptureSettings()
      settings.interval = .milliseconds(5)
      let series = try output.startIntervalCapture(settings, to: folder)
      try await Task.sleep(for: .milliseconds(.random(in: 0..<200)))
      series.stop()
      saved += await series.result.photoCount
    }
    let (count, whole) = try (files().count, wholeFiles())
    return Check(
      "\(stops) series stopped at some moment",
      "\(saved) photos saved, \(count) on the disk, \(whole) of them whole",
      saved == count && count == whole)
  }
}

/// Notes what a series tells.
private final class Told: IntervalCaptureDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var all: [Duration] = []
  private var last = 0
  private var isInOrder = true

  init(count: Int) { all.reserveCapacity(count) }

  /// How late photos were.
  var delays: [Duration] { lock.withLock { all } }

  /// How many intervals were told of.
  var numbers: Int { lock.withLock { last } }

  /// Whether each interval was told of, once and in order.
  var isComplete: Bool { lock.withLock { isInOrder } }

  private func note(_ number: Int, delay: Duration?) {
    lock.withLock {
      isInOrder = isInOrder && number == last + 1
      last = number
      if let delay { all.append(delay) }
    }
  }

  func intervalCapture(_ capture: IntervalCapture, didSave photo: IntervalPhoto) {
    note(photo.number, delay: photo.delay)
  }

  func intervalCapture(_ capture: IntervalCapture, didMissPhoto number: Int, error: CaptureError) {
    note(number, delay: nil)
  }
}
