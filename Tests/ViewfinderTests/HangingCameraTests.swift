import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// What opens a camera, or asks it, when its driver hangs.
@Suite struct HangingCameraTests {
  @Test func aCallThatHangsEndsAtItsLimitAndWhatItFindsLaterIsLetGoOf() async throws {
    final class Finding: Sendable {}
    let gate = DispatchSemaphore(value: 0)
    let left = Shared<Bool>(false)
    #expect(throws: CaptureError.stalled(device: "Slow camera", seconds: 0.1)) {
      _ = try CaptureDevice.bounded("Slow camera", limit: 0.1) { () throws(CaptureError) in
        gate.wait()
        left.value = true
        return Finding()
      }
    }
    #expect(!left.value)
    gate.signal()
    #expect(await eventually { left.value })
  }

  @Test(.timeLimit(.minutes(2))) func aDriverThatHangsStopsNoCallForEver() throws {
    let rig = try TamperedRig()
    let gate = DispatchSemaphore(value: 0)
    let isHanging = Shared(true)
    defer {
      isHanging.value = false
      for _ in 0..<100 { gate.signal() }
    }
    rig.onCall { call in
      if call == .open, isHanging.value { gate.wait() }
      return 0
    }
    let limit = CaptureDevice.callLimit
    let begin = ContinuousClock.now
    let calls: [@Sendable (CaptureDevice) throws -> Void] = [
      { _ = try $0.supportedFormats() }, { _ = try $0.controls() },
      { try $0.lockForConfiguration() }, { _ = try CaptureDeviceInput(device: $0) },
    ]
    let (device, errors) = (rig.device, Log<CaptureError?>())
    DispatchQueue.concurrentPerform(iterations: calls.count) { number in
      do {
        try calls[number](device)
        errors.append(nil)
      } catch {
        errors.append(error as? CaptureError)
      }
    }
    #expect(begin.duration(to: .now) >= .seconds(limit))
    let stalled = CaptureError.stalled(device: device.localizedName, seconds: limit)
    #expect(errors.all == Array(repeating: stalled, count: calls.count))
  }

  @Test func controlsOfACameraThatWasAwayAreReadThroughANewDescriptor() throws {
    let camera = try SimulatedCamera()
    let device = camera.device
    try device.configure { (device) throws(CaptureError) in
      _ = try device.setControl("brightness", to: 7)
    }
    camera.unplug()
    #expect(throws: CaptureError.disconnected(device: device.localizedName)) {
      try device.controls()
    }
    camera.plugIn()
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    camera.unplug()
    camera.plugIn()
    #expect(try device.setControl("brightness", to: 9) == 9)
    camera.unplug()
    camera.plugIn()
    #expect(device.exposureMode == .continuousAutoExposure)
  }

  @Test func asyncFormsGiveWhatTheOthersGive() async throws {
    let device = try SimulatedCamera().device
    let formats = try await device.perform { (device) throws(CaptureError) in
      try device.supportedFormats()
    }
    #expect(formats == device.formats)
    await #expect(throws: CaptureError.sessionNotRunning) {
      try await device.perform { (_) throws(CaptureError) in throw .sessionNotRunning }
    }
    let (found, again) = (
      await CaptureDevice.DiscoverySession.search(), CaptureDevice.DiscoverySession()
    )
    #expect(found.devices == again.devices)
  }
}
