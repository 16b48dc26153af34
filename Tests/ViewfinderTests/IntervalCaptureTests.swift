import Foundation
import Testing

@testable import Viewfinder

/// Writes down the calls of a series' delegate.
private final class SeriesRecorder: IntervalCaptureDelegate {
  let calls = Log<String>()
  /// What else is to happen at the end.
  let atEnd: @Sendable () -> Void

  init(atEnd: @escaping @Sendable () -> Void = {}) { self.atEnd = atEnd }

  func intervalCapture(_ capture: IntervalCapture, didSave photo: IntervalPhoto) {
    calls.append("saved \(photo.number)")
  }

  func intervalCapture(_ capture: IntervalCapture, didMissPhoto number: Int, error: CaptureError) {
    calls.append("missed \(number)")
  }

  func intervalCapture(_ capture: IntervalCapture, didFinish summary: IntervalCapture.Summary) {
    calls.append("finished")
    atEnd()
  }
}

extension IntervalCaptureSettings {
  fileprivate static func make(_ change: (inout IntervalCaptureSettings) -> Void)
    -> IntervalCaptureSettings
  {
    var settings = IntervalCaptureSettings()
    settings.interval = .milliseconds(50)
    settings.photoSettings = .make { $0.waitsForExposure = false }
    change(&settings)
    return settings
  }
}

extension IntervalCapture.Event {
  fileprivate var name: String {
    switch self {
    case .didSave(let photo): "saved \(photo.number)"
    case .didMiss(let number, _): "missed \(number)"
    case .didFinish: "finished"
    }
  }
}

extension IntervalCapture {
  /// All events to the last, in words.
  fileprivate func eventNames() async -> [String] {
    var names: [String] = []
    for await event in events { names.append(event.name) }
    return names
  }
}

extension IntervalCapture.Summary {
  /// How the series ended, in a word.
  fileprivate var end: String {
    guard let ending else { return "running" }
    return String(describing: ending).prefix { $0 != "(" }.description
  }

  fileprivate var error: (any Error)? {
    if case .failed(let error) = ending { error } else { nil }
  }
}

@Suite(.timeLimit(.minutes(5))) struct IntervalCaptureTests {
  @Test("A series saves whole photos under their numbers, in order, and ends at its count")
  func series() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let series = try output.startIntervalCapture(.make { $0.maxPhotoCount = 5 }, to: folder.url)
    var photos: [IntervalPhoto] = []
    for await event in series.events {
      if case .didSave(let photo) = event { photos.append(photo) }
    }
    let result = await series.result
    var told: [Int] = []
    // Each use tells from the beginning, after the end too.
    for await event in series.events {
      if case .didSave(let photo) = event { told.append(photo.number) }
    }
    #expect(told == photos.map(\.number))
    #expect(result.end == "photoCount")
    #expect(result.photoCount == 5 && photos.count == 5)
    #expect(folder.contents.sorted() == photos.map { $0.url?.lastPathComponent })
    #expect(photos.map(\.number) == photos.map(\.number).sorted())
    #expect(photos.map(\.date) == photos.map(\.date).sorted())
    for photo in photos {
      let url = try #require(photo.url)
      #expect(url.lastPathComponent.hasSuffix(String(format: "_%05d.jpg", photo.number)))
      let data = try Data(contentsOf: url)
      #expect(try PixelBuffer(decoding: data).dimensions == .vga)
      #expect(data.count == photo.byteCount)
      #expect(photo.delay >= .zero)
    }
    #expect(result.byteCount == photos.map(\.byteCount).reduce(0, +))
  }

  @Test("While a photo is being saved those that are due are missed, and never made up for")
  func slowDestination() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let settings = IntervalCaptureSettings.make { $0.maxPhotoCount = 4 }
    let busy = Shared(0)
    let series = try output.startIntervalCapture(settings) { _, number in
      #expect(
        busy.withLock {
          $0 += 1; return $0
        } == 1)
      if number == 1 { try await Task.sleep(for: settings.interval * 4) }
      busy.withLock { $0 -= 1 }
      return nil
    }
    let names = await series.eventNames()
    #expect(names.first == "saved 1")
    #expect(names.dropFirst().prefix(3) == ["missed 2", "missed 3", "missed 4"])
    #expect(names.last == "finished")
    // Each number once, and in order.
    let numbers = names.dropLast().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers == Array(1...numbers.count))
    let result = await series.result
    #expect(result.photoCount == 4)
    #expect(result.missedCount == numbers.count - 4)
  }

  @Test("Without an interval photos are taken one after the other, and none is missed")
  func noInterval() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let series = try output.startIntervalCapture(
      .make {
        $0.interval = .zero
        $0.maxPhotoCount = 4
      }
    ) { _, _ in
      nil
    }
    #expect(await series.eventNames() == ["saved 1", "saved 2", "saved 3", "saved 4", "finished"])
  }

  @Test("A photo that would be too many bytes isn't saved, and ends the series")
  func byteLimit() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let size = try await output.capturePhoto(with: .make { _ in }).fileDataRepresentation().count
    let series = try output.startIntervalCapture(
      .make { $0.maxByteCount = size * 5 / 2 }, to: folder.url)
    let result = await series.result
    #expect(result.end == "byteCount")
    #expect(result.photoCount == 2 && folder.contents.count == 2)
    #expect(result.byteCount <= size * 5 / 2)
  }

  @Test("No photo is due after the series' duration")
  func durationLimit() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let series = try output.startIntervalCapture(.make { $0.maxDuration = .milliseconds(250) }) {
      _, _ in nil
    }
    let result = await series.result
    #expect(result.end == "duration")
    #expect(result.photoCount + result.missedCount == 5)
  }

  @Test("A series leaves the disk as much free space as it must")
  func diskSpace() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let series = try output.startIntervalCapture(
      .make { $0.minFreeDiskSpaceLimit = .max }, to: folder.url)
    #expect(await series.result.end == "diskSpace")
    #expect(folder.contents.isEmpty)
  }

  @Test("A photo never replaces a file")
  func existingFile() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let photo = try await output.capturePhoto(with: .make { _ in })
    let destination = IntervalDestination.folder(folder.url)
    let start = Date()
    let url = try #require(try await destination.save(photo, number: 1, start: start))
    try Data("mine".utf8).write(to: url)
    await #expect(throws: CaptureError.cannotWrite(path: url.path, code: EEXIST)) {
      try await destination.save(photo, number: 1, start: start)
    }
    #expect(try Data(contentsOf: url) == Data("mine".utf8))
    #expect(folder.contents.count == 1)
  }

  @Test("A photo that can't be saved ends the series with the reason")
  func writeError() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let series = try output.startIntervalCapture(.make { _ in }, to: folder.url)
    for await event in series.events {
      if case .didSave = event { try? FileManager.default.removeItem(at: folder.url) }
    }
    guard case .cannotWrite(_, ENOENT) = await series.result.error as? CaptureError else {
      Issue.record("\(await series.result)")
      return
    }
    let custom = try output.startIntervalCapture(.make { _ in }) { _, _ in
      throw CocoaError(.fileWriteUnknown)
    }
    #expect(await custom.result.error is CocoaError)
    #expect(await custom.result.photoCount == 0)
  }

  @Test("A series can be stopped at any moment: what was saved is whole, and it ends once")
  func stopAtAnyMoment() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let recorder = SeriesRecorder()
      let series = try output.startIntervalCapture(
        .make { $0.interval = .milliseconds(5) }, to: folder.url, delegate: recorder)
      try await Task.sleep(for: .milliseconds(.random(in: 0..<120)))
      series.stop()
      series.stop()
      let result = await series.result
      #expect(result.end == "stopped")
      #expect(recorder.calls.all.last == "finished")
      #expect(recorder.calls.all.count { $0 == "finished" } == 1)
      #expect(folder.contents.count == result.photoCount)
      for name in folder.contents {
        let data = try Data(contentsOf: folder.url.appendingPathComponent(name))
        #expect(try PixelBuffer(decoding: data).dimensions == .vga)
      }
    }
  }

  @Test("A camera that is unplugged misses photos, and the series goes on when it is back")
  func interruption() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let series = try output.startIntervalCapture(.make { _ in }) { _, _ in nil }
    #expect(await eventually { series.summary.photoCount > 0 })
    rig.camera.unplug()
    #expect(await eventually { output.captureReadiness == .notReadyMomentarily })
    let before = series.summary
    #expect(await eventually { series.summary.missedCount > before.missedCount })
    rig.camera.plugIn()
    #expect(await eventually { series.summary.photoCount > before.photoCount + 1 })
    series.stop()
    #expect(await series.result.end == "stopped")
  }

  @Test("A series that ends at missed photos does so at the first, with its reason")
  func endAtMissedPhoto() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let series = try output.startIntervalCapture(.make { $0.endsAtMissedPhoto = true }) { _, _ in
      try await Task.sleep(for: .milliseconds(200))
      return nil
    }
    let result = await series.result
    #expect(result.photoCount == 1 && result.missedCount == 1)
    #expect(result.error is CaptureError)
  }

  @Test("Settings that no photo can be taken with end the series at its first")
  func hopelessSettings() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let series = try output.startIntervalCapture(
      .make { $0.photoSettings.outline = .rectangle(CGRect(x: 2, y: 2, width: 1, height: 1)) }
    ) { _, _ in
      nil
    }
    #expect(await series.eventNames() == ["finished"])
    #expect(await series.result.error is CaptureError)
  }

  @Test("The session's end is the series' end, whether it is stopped or let go of")
  func sessionEnd() async throws {
    let output = CapturePhotoOutput()
    do {
      let rig = try Rig()
      try await rig.start(output)
      let series = try output.startIntervalCapture(.make { $0.interval = .seconds(3600) }) { _, _ in
        nil
      }
      #expect(await eventually { series.summary.photoCount == 1 })
      await rig.session.stopRunning()
      #expect(await series.result.end == "failed")
      rig.session.removeOutput(output)
    }
    var rig: CaptureSession? = CaptureSession(limits: Rig.patience)
    let camera = try SimulatedCamera(SimulatedCamera.Configuration())
    try rig!.addInput(CaptureDeviceInput(device: camera.device))
    try rig!.addOutput(output)
    try await rig!.startRunning()
    let series = try output.startIntervalCapture(.make { $0.interval = .seconds(3600) }) { _, _ in
      nil
    }
    rig = nil
    #expect(await series.result.end == "failed")
  }

  @Test("One series runs at a time; the delegate's last call may start the next")
  func oneAtATime() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let next = Shared<IntervalCapture?>(nil)
    let recorder = SeriesRecorder {
      next.value = try? output.startIntervalCapture(.make { $0.maxPhotoCount = 1 }) { _, _ in nil }
    }
    let series = try output.startIntervalCapture(.make { _ in }, delegate: recorder) { _, _ in nil }
    #expect(output.intervalCapture === series)
    #expect {
      try output.startIntervalCapture(.make { _ in }) { _, _ in nil }
    } throws: { error in
      guard case CaptureError.invalidSettings(let reason) = error else { return false }
      return reason.contains("stop()")
    }
    series.stop()
    _ = await series.result
    #expect(await next.value?.result.photoCount == 1)
    #expect(await eventually { output.intervalCapture == nil })
  }

  @Test("A series goes on when nobody holds it, and the output still knows it")
  func droppedHandle() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let count = Shared(0)
    try output.startIntervalCapture(.make { _ in }) { _, _ in
      count.withLock { $0 += 1 }
      return nil
    }
    #expect(await eventually { count.value > 2 })
    let series = try #require(output.intervalCapture)
    series.stop()
    #expect(await series.result.end == "stopped")
  }

  @Test("Delegate and events tell the same, and the end last")
  func delegate() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = SeriesRecorder()
    let series = try output.startIntervalCapture(
      .make { $0.maxPhotoCount = 4 }, delegate: recorder
    ) { _, number in
      if number == 1 { try await Task.sleep(for: .milliseconds(150)) }
      return nil
    }
    let names = await series.eventNames()
    _ = await series.result
    #expect(names == recorder.calls.all)
    #expect(names.count { $0 == "finished" } == 1 && names.last == "finished")
  }

  @Test("A series that waits for its start ticks, and can be stopped before it")
  func start() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    var ticks = output.selfTimerTicks.makeAsyncIterator()
    let waiting = try output.startIntervalCapture(.make { $0.start = .delay(.seconds(3600)) }) {
      _, _ in nil
    }
    let first = try #require(await ticks.next()?.remaining)
    #expect(first > .zero && first <= .seconds(3600))
    waiting.stop()
    // Ticks of the seconds that passed come before.
    var last = first
    while last > .zero { last = try #require(await ticks.next()?.remaining) }
    #expect(last == .zero)
    #expect(await waiting.eventNames() == ["finished"])
    let delayed = try output.startIntervalCapture(
      .make {
        $0.start = .date(Date(timeIntervalSinceNow: 0.1))
        $0.maxPhotoCount = 1
      }
    ) { _, _ in
      nil
    }
    #expect(await delayed.eventNames() == ["saved 1", "finished"])
  }

  @Test(
    "Settings that can't be, a missing folder and a session that doesn't run are refused at once")
  func refusals() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    #expect(throws: CaptureError.sessionNotRunning) {
      try output.startIntervalCapture { _, _ in nil }
    }
    try await rig.start(output)
    let changes: [(inout IntervalCaptureSettings) -> Void] = [
      { $0.interval = .seconds(-1) }, { $0.interval = .nanoseconds(1) }, { $0.maxPhotoCount = 0 },
      { $0.maxByteCount = 0 }, { $0.maxDuration = .zero }, { $0.minFreeDiskSpaceLimit = -1 },
    ]
    for change in changes {
      #expect {
        try output.startIntervalCapture(.make(change)) { _, _ in nil }
      } throws: { error in
        if case .invalidSettings = error as? CaptureError { true } else { false }
      }
    }
    let folder = URL(fileURLWithPath: "/nowhere/at/all")
    #expect(throws: CaptureError.cannotWrite(path: folder.path, code: ENOENT)) {
      try output.startIntervalCapture(to: folder)
    }
    #expect(output.intervalCapture == nil)
  }
}
