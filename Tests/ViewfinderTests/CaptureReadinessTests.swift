import Foundation
import Testing

@testable import Viewfinder

/// Notes the readiness at a photo's last call.
private final class ReadinessWitness: CapturePhotoCaptureDelegate {
  let readiness = Shared<CapturePhotoOutput.CaptureReadiness?>(nil)

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) { readiness.value = output.captureReadiness }
}

@Suite(.timeLimit(.minutes(5))) struct CaptureReadinessTests {
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
    let mayGoOn = DispatchSemaphore(value: 0)
    // Photos are told of in their order.
    output.processing.begin {
      mayGoOn.wait()
      return {}
    }
    let witness = ReadinessWitness()
    output.capturePhoto(with: CapturePhotoSettings(), delegate: witness)
    #expect(await eventually { output.captureReadiness == .notReadyWaitingForProcessing })
    let second = PhotoRecorder()
    output.capturePhoto(with: Self.unhurried(), delegate: second)
    #expect(await second.names() == ["didFinish"])
    #expect(second.error == .shutterNotReady(.notReadyWaitingForProcessing))
    mayGoOn.signal()
    #expect(await eventually { witness.readiness.value != nil })
    #expect(witness.readiness.value == .ready)
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

  @Test("Of requests that don't wait and come from several threads at once, exactly one is taken")
  func doubleShots() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let rounds = (0..<400).map { _ in (0..<4).map { _ in (Self.unhurried(), PhotoRecorder()) } }
    let arrivals = Shared(0)
    /// Waits for the other threads.
    let meet = { @Sendable (count: Int) in
      arrivals.withLock { $0 += 1 }
      while arrivals.value < count { sched_yield() }
    }
    await withCheckedContinuation { continuation in
      for thread in 0..<4 {
        Thread.detachNewThread {
          for (round, requests) in rounds.enumerated() {
            meet(8 * round + 4)
            output.capturePhoto(with: requests[thread].0, delegate: requests[thread].1)
            meet(8 * round + 8)
            output.cancelCapture(requests[thread].0.uniqueID)
          }
          meet(8 * rounds.count + 4)
          if thread == 0 { continuation.resume() }
        }
      }
    }
    for requests in rounds {
      var refusals = 0
      for (_, recorder) in requests {
        #expect(await recorder.names().last == "didFinish")
        if recorder.error == .shutterNotReady(.notReadyWaitingForCapture) { refusals += 1 }
      }
      #expect(refusals == requests.count - 1)
    }
  }

  @Test("An error of a shutter that isn't ready says what to do")
  func advice() {
    let error = CaptureError.shutterNotReady(.notReadyWaitingForCapture)
    #expect(error.description.contains("another photo is about to be taken"))
    #expect(error.description.contains(".waits"))
  }
}
