import Foundation
import Testing

@testable import Viewfinder

/// Writes down how far the camera was at the delegate's calls, and can be kept in one.
private final class Onlooker: CapturePhotoCaptureDelegate {
  /// The newest frame that the camera has delivered.
  let newest: Shared<Int>
  let calls = Log<(name: String, frame: Int)>()
  let photo = Shared<CapturePhoto?>(nil)
  /// What the delegate does when the picture is taken.
  let atCapture: @Sendable () -> Void

  init(newest: Shared<Int>, atCapture: @escaping @Sendable () -> Void = {}) {
    self.newest = newest
    self.atCapture = atCapture
  }

  private func note(_ name: String) { calls.append((name, newest.value)) }

  func photoOutput(
    _ output: CapturePhotoOutput, willBeginCaptureFor settings: CaptureResolvedPhotoSettings
  ) { note("willBegin") }

  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor settings: CaptureResolvedPhotoSettings
  ) {
    note("willCapture")
    atCapture()
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) { self.photo.value = photo }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishCaptureFor settings: CaptureResolvedPhotoSettings,
    error: CaptureError?
  ) { note("didFinish") }

  /// The newest frame at a call.
  func frame(at name: String) -> Int? { calls.all.first { $0.name == name }?.frame }

  var isFinished: Bool { calls.all.last?.name == "didFinish" }
}

/// Writes down the newest frame on the camera's own thread.
private final class FrameWatch: CaptureOutput, @unchecked Sendable {
  let newest = Shared(-1)

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    newest.value = frame.sequenceNumber
  }
}

@Suite(.timeLimit(.minutes(5))) struct PhotoAnnouncementTests {
  /// A session whose camera's newest frame is known.
  private static func start(_ rig: borrowing Rig, _ output: CapturePhotoOutput) async throws
    -> Shared<Int>
  {
    let watch = FrameWatch()
    try await rig.start(watch, output)
    return watch.newest
  }

  @Test("The photo's frame comes after the delegate was told that the picture is taken")
  func order() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    let newest = try await Self.start(rig, output)
    // Frames go on while the delegate is in the call.
    let onlooker = Onlooker(newest: newest) {
      let last = newest.value
      while newest.value < last + 3 { usleep(1000) }
    }
    output.capturePhoto(with: .make { _ in }, delegate: onlooker)
    #expect(await eventually { onlooker.isFinished })
    let photo = try #require(onlooker.photo.value)
    let told = try #require(onlooker.frame(at: "willCapture"))
    #expect(try #require(onlooker.frame(at: "willBegin")) <= told)
    #expect(photo.sequenceNumber > told + 2)
  }

  @Test("The same holds for a photo in a size of its own, whose settings are known before as well")
  func still() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let large = Dimensions(width: 1920, height: 1080)
    let returned = Shared(Duration.zero)
    let onlooker = Onlooker(newest: Shared(0)) {
      usleep(300_000)
      returned.value = monotonicTime()
    }
    let settings = CapturePhotoSettings.make { $0.maxPhotoDimensions = large }
    output.capturePhoto(with: settings, delegate: onlooker)
    #expect(await eventually { onlooker.isFinished })
    let photo = try #require(onlooker.photo.value)
    #expect(photo.timestamp >= returned.value)
    #expect(photo.resolvedSettings.photoDimensions == large)
  }

  @Test(
    "The picture isn't announced before the exposure has settled, and its frame comes after that")
  func exposure() async throws {
    let rig = try Rig {
      $0.source = .scene(.grey)
      $0.faults = "black@0-25"
    }
    let (output, watch, session) = (CapturePhotoOutput(), FrameWatch(), rig.session)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: rig.device))
      for each in [output, watch] { try session.addOutput(each) }
    }
    let start = Task { try await session.startRunning() }
    #expect(await eventually { session.isRunning })
    // Asked for while the session starts: the frames that are black come after that.
    let onlooker = Onlooker(newest: watch.newest)
    output.capturePhoto(with: .make { _ in }, delegate: onlooker)
    try await start.value
    #expect(await eventually { onlooker.isFinished })
    let told = onlooker.frame(at: "willCapture")
    #expect(try #require(told) > 25)
    #expect(try #require(onlooker.photo.value).sequenceNumber > #require(told))
  }

  @Test("A photo of the async form and those of a series come of frames after they were asked for")
  func asyncForms() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    let newest = try await Self.start(rig, output)
    let last = newest.value
    let photo = try await output.capturePhoto(with: .make { _ in })
    #expect(photo.sequenceNumber > last)
    var settings = IntervalCaptureSettings()
    settings.photoSettings = .make { _ in }
    settings.interval = .zero
    settings.maxPhotoCount = 4
    let numbers = Log<Int>()
    let series = try output.startIntervalCapture(settings) { photo, _ in
      let before = numbers.all.last ?? last
      #expect(photo.sequenceNumber > before)
      // Frames that come while the photo is saved belong to no later one.
      numbers.append(newest.value)
      return nil
    }
    #expect(await series.result.photoCount == 4)
  }

  @Test("A delegate that hangs keeps its own photo waiting, and nobody else's")
  func hangingDelegate() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    let newest = try await Self.start(rig, output)
    let mayGoOn = DispatchSemaphore(value: 0)
    let hanging = Onlooker(newest: newest) { mayGoOn.wait() }
    output.capturePhoto(with: .make { _ in }, delegate: hanging)
    #expect(await eventually { hanging.frame(at: "willCapture") != nil })
    for _ in 0..<3 { _ = try await output.capturePhoto(with: .make { _ in }) }
    #expect(hanging.photo.value == nil)
    let last = newest.value
    mayGoOn.signal()
    #expect(await eventually { hanging.isFinished })
    #expect(try #require(hanging.photo.value).sequenceNumber > last)
  }

  @Test("A delegate of several photos has their calls one after the other, in their order")
  func sharedDelegate() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    let newest = try await Self.start(rig, output)
    let inside = Shared(0)
    let onlooker = Onlooker(newest: newest) {
      #expect(
        inside.withLock { inside in
          inside += 1; return inside
        } == 1)
      usleep(20_000)
      inside.withLock { $0 -= 1 }
    }
    for _ in 0..<4 { output.capturePhoto(with: .make { _ in }, delegate: onlooker) }
    #expect(await eventually { onlooker.calls.all.count { $0.name == "didFinish" } == 4 })
    #expect(onlooker.calls.all.map(\.frame) == onlooker.calls.all.map(\.frame).sorted())
  }

  @Test("Settings that can't be carried out end before the picture is announced")
  func badOutline() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    output.capturePhoto(
      with: .make { $0.outline = .rectangle(CGRect(x: 2, y: 2, width: 1, height: 1)) },
      delegate: recorder)
    #expect(await recorder.names() == ["didFinish"])
    guard case .invalidSettings = recorder.error else {
      Issue.record("\(String(describing: recorder.error))")
      return
    }
  }
}
