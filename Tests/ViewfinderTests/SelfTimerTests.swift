import Foundation
import Testing

@testable import Viewfinder

@Suite(.timeLimit(.minutes(5))) struct SelfTimerTests {
  @Test(
    "A display shows whole seconds, also when a timer is a moment early or late",
    arguments: [(3, 3), (2.0005, 2), (2, 2), (1.9, 2), (1.0009, 1), (0.2, 1), (0.0005, 0), (0, 0)])
  func wholeSeconds(remaining: Double, shown: Double) {
    #expect(Countdown.wholeSeconds(in: remaining) == shown)
  }

  @Test("A timer ticks at its start and at each whole second, and then takes the photo")
  func ticks() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let ticks = output.selfTimerTicks
    let recorder = PhotoRecorder()
    let settings = CapturePhotoSettings.make { $0.selfTimer = .delay(.milliseconds(1200)) }
    output.capturePhoto(with: settings, delegate: recorder)
    #expect(
      await recorder.names()
        == ["tick", "tick", "willBegin", "willCapture", "didCapture", "didProcess", "didFinish"])
    #expect(try #require(recorder.ticks.first) > .seconds(1))
    #expect(recorder.ticks.last == .seconds(1))
    var shown: [SelfTimerTick] = []
    for await tick in ticks {
      shown.append(tick)
      if tick.remaining == .zero { break }
    }
    #expect(shown.map(\.remaining) == recorder.ticks + [.zero])
    #expect(shown.allSatisfy { $0.uniqueID == settings.uniqueID })
  }

  @Test("A timer of whole seconds shows them, and not a moment less")
  func wholeStart() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    output.capturePhoto(with: .make { $0.selfTimer = .delay(.seconds(60)) }, delegate: recorder)
    #expect(await eventually { !recorder.ticks.isEmpty })
    #expect(recorder.ticks.first == .seconds(60))
  }

  @Test("A timer that starts late shows first what was asked for")
  func lateStart() throws {
    let countdown = Countdown(.delay(.seconds(60)))
    Thread.sleep(forTimeInterval: 0.05)
    let ticks = Log<Duration>()
    countdown.run(on: .global(), tick: { ticks.append($0) }, completion: {})
    #expect(countdown.cancel())
    #expect(ticks.all == [.seconds(60)])
  }

  @Test("A timer that runs to a date takes its photo then")
  func date() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    let date = Date(timeIntervalSinceNow: 0.5)
    output.capturePhoto(with: .make { $0.selfTimer = .date(date) }, delegate: recorder)
    #expect(await recorder.names().contains("didProcess"))
    guard
      case .didProcess(let photo?, _) = recorder.calls.all.first(where: {
        $0.name == "didProcess"
      })
    else { return }
    // A frame of the moment counts, and the clocks are read one after the other.
    #expect(photo.date > date - 0.1)
  }

  @Test(
    "A date that has passed, or is none, means at once",
    arguments: [-1, -Double.infinity, .nan] as [Double])
  func pastDate(interval: Double) async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    let date = Date(timeIntervalSinceNow: interval)
    output.capturePhoto(with: .make { $0.selfTimer = .date(date) }, delegate: recorder)
    #expect(
      await recorder.names()
        == ["willBegin", "willCapture", "didCapture", "didProcess", "didFinish"])
  }

  @Test(
    "A timer without an end in sight runs, and can be cancelled",
    arguments: [false, true])
  func endless(isDate: Bool) async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let timer =
      isDate
      ? SelfTimer.date(Date(timeIntervalSince1970: .infinity)) : .delay(.seconds(Int64.max))
    let recorder = PhotoRecorder()
    let settings = CapturePhotoSettings.make { $0.selfTimer = timer }
    output.capturePhoto(with: settings, delegate: recorder)
    output.cancelCapture(settings.uniqueID)
    #expect(await recorder.names() == ["tick", "didFinish"])
  }

  @Test(
    "A timer that is cancelled, or whose session stops, clears its display",
    arguments: [true, false])
  func clearing(byCancelling: Bool) async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    var ticks = output.selfTimerTicks.makeAsyncIterator()
    let recorder = PhotoRecorder()
    let settings = CapturePhotoSettings.make { $0.selfTimer = .delay(.seconds(60)) }
    output.capturePhoto(with: settings, delegate: recorder)
    #expect(await ticks.next()?.remaining == .seconds(60))
    if byCancelling {
      output.cancelCapture(settings.uniqueID)
    } else {
      await rig.session.stopRunning()
    }
    #expect(await ticks.next() == SelfTimerTick(uniqueID: settings.uniqueID, remaining: .zero))
    #expect(await recorder.names() == ["tick", "didFinish"])
    guard case .cancelled = recorder.error else {
      Issue.record("\(String(describing: recorder.error))")
      return
    }
  }
}
