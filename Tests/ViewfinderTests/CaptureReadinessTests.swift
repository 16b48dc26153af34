import Dispatch
import Testing

@testable import Viewfinder

/// Keeps a photo in processing until it is told to go on.
private final class Bottleneck: CapturePhotoCaptureDelegate {
  let hasBegun = Shared(false)
  let mayGoOn = DispatchSemaphore(value: 0)
  /// At the last call.
  let readiness = Shared<CapturePhotoOutput.CaptureReadiness?>(nil)

  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    hasBegun.value = true
    mayGoOn.wait()
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) { readiness.value = output.captureReadiness }
}

@Suite struct CaptureReadinessTests {
  /// A photo that doesn't wait for others, and has others wait for long.
  private static func unhurried() -> CapturePhotoSettings {
    .make {
      $0.selfTimer = .delay(.seconds(3600))
      $0.readinessPolicy = .fails
    }
  }

  @Test("The readiness follows the session: not running, ready, interrupted, stopped")
  func session() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    #expect(output.captureReadiness == .sessionNotRunning)
    try await rig.start(output)
    #expect(output.captureReadiness == .ready)
    rig.camera.unplug()
    #expect(await eventually { output.captureReadiness == .notReadyMomentarily })
    rig.camera.plugIn()
    #expect(await eventually { output.captureReadiness == .ready })
    await rig.session.stopRunning()
    #expect(output.captureReadiness == .sessionNotRunning)
  }

  @Test("An output that is taken out of a running session isn't ready, and is when put back")
  func removal() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    rig.session.removeOutput(output)
    #expect(output.captureReadiness == .sessionNotRunning)
    try rig.session.addOutput(output)
    #expect(output.captureReadiness == .ready)
  }

  @Test("A self-timer that runs keeps the shutter from being ready until it is cancelled")
  func timer() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let settings = Self.unhurried()
    output.capturePhoto(with: settings, delegate: PhotoRecorder())
    #expect(output.captureReadiness == .notReadyWaitingForCapture)
    output.cancelCapture(settings.uniqueID)
    #expect(output.captureReadiness == .ready)
  }

  @Test("A photo in processing keeps the shutter from being ready until its last call")
  func processing() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let bottleneck = Bottleneck()
    output.capturePhoto(with: CapturePhotoSettings(), delegate: bottleneck)
    #expect(await eventually { bottleneck.hasBegun.value })
    #expect(output.captureReadiness == .notReadyWaitingForProcessing)
    let second = PhotoRecorder()
    output.capturePhoto(with: Self.unhurried(), delegate: second)
    bottleneck.mayGoOn.signal()
    #expect(await second.names() == ["didFinish"])
    #expect(second.error == .shutterNotReady(.notReadyWaitingForProcessing))
    #expect(await eventually { bottleneck.readiness.value != nil })
    #expect(bottleneck.readiness.value == .ready)
  }

  @Test("The updates begin with the readiness as it is, and end with the newest")
  func updates() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    var updates = output.captureReadinessUpdates.makeAsyncIterator()
    #expect(await updates.next() == .sessionNotRunning)
    try await rig.start(output)
    while await updates.next() != .ready {}
    let settings = Self.unhurried()
    output.capturePhoto(with: settings, delegate: PhotoRecorder())
    #expect(await updates.next() == .notReadyWaitingForCapture)
    output.cancelCapture(settings.uniqueID)
    #expect(await updates.next() == .ready)
    rig.camera.unplug()
    #expect(await updates.next() == .notReadyMomentarily)
    await rig.session.stopRunning()
    #expect(await updates.next() == .sessionNotRunning)
  }

  @Test("Of requests from many threads that don't wait, exactly one is taken")
  func doubleShots() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    for _ in 0..<50 {
      let requests = (0..<8).map { _ in (Self.unhurried(), PhotoRecorder()) }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          DispatchQueue.concurrentPerform(iterations: requests.count) { index in
            output.capturePhoto(with: requests[index].0, delegate: requests[index].1)
          }
          continuation.resume()
        }
      }
      #expect(output.captureReadiness == .notReadyWaitingForCapture)
      for (settings, _) in requests { output.cancelCapture(settings.uniqueID) }
      var takenCount = 0
      for (_, recorder) in requests {
        #expect(await recorder.names().last == "didFinish")
        if case .shutterNotReady(let readiness) = recorder.error {
          #expect(readiness == .notReadyWaitingForCapture)
        } else {
          takenCount += 1
        }
      }
      #expect(takenCount == 1)
    }
  }

  @Test("An error of a shutter that isn't ready says what to do")
  func advice() {
    let error = CaptureError.shutterNotReady(.notReadyWaitingForCapture)
    #expect(error.description.contains("another photo is about to be taken"))
    #expect(error.description.contains(".waits"))
  }
}
