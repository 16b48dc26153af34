import Foundation
import Testing

@testable import Viewfinder

@Suite struct CaptureSessionTests {
  @Test func startReturnsOnceFramesFlowAndTellsWhatWasGranted() async throws {
    let rig = try Rig()
    try await rig.start()
    #expect(rig.session.isRunning)
    #expect(!rig.session.isInterrupted)
    #expect(rig.session.activeVideoFormat?.dimensions == .vga)
    #expect(rig.session.statistics.deliveredFrames >= 1)
    await rig.session.stopRunning()
    #expect(!rig.session.isRunning)
    #expect(rig.session.activeVideoFormat == nil)
    #expect(rig.session.statistics.deliveredFrames >= 1, "The last stream's counts are kept.")
  }

  @Test func aSessionCanBeStartedAndStoppedAgainAndAgain() async throws {
    let rig = try Rig()
    try await rig.start()
    for _ in 0..<5 {
      await rig.session.stopRunning()
      try await rig.session.startRunning()
    }
    #expect(rig.session.isRunning)
  }

  @Test func startingWithoutACameraSaysWhatToAdd() async {
    let session = CaptureSession()
    let events = session.events
    await #expect { try await session.startRunning() } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
    let reason = await firstEvent(events) { event in
      if case .runtimeError(.invalidSettings(let reason)) = event { reason } else { nil }
    }
    #expect(reason?.contains("CaptureDeviceInput") == true)
    #expect(!session.isRunning)
  }

  @Test func theBlockingStartReportsAFailureAsANotification() async throws {
    let rig = try Rig()
    try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    rig.camera.unplug()
    let session = rig.session
    let errors = Log<CaptureError>()
    let observer = NotificationCenter.default.addObserver(
      forName: CaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { note in
      if let error = note.userInfo?[CaptureSession.errorKey] as? CaptureError {
        errors.append(error)
      }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    await Task.detached { blockingStart(session) }.value
    #expect(await eventually { errors.all.count == 1 })
    #expect(!session.isRunning)
  }

  @Test func aSecondCameraIsRefusedAndTheFirstNamed() throws {
    let rig = try Rig()
    let other = try SimulatedCamera()
    try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    let second = try CaptureDeviceInput(device: other.device)
    #expect(!rig.session.canAddInput(second))
    #expect {
      try rig.session.addInput(second)
    } throws: { error in
      guard case CaptureError.invalidSettings(let reason) = error else { return false }
      return reason.contains(rig.device.localizedName)
    }
  }

  @Test func anOutputBelongsToOneSession() throws {
    let first = try Rig()
    let second = CaptureSession()
    let output = CapturePhotoOutput()
    try first.session.addOutput(output)
    #expect(!second.canAddOutput(output))
    #expect { try second.addOutput(output) } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
    first.session.removeOutput(output)
    try second.addOutput(output)
    #expect(second.outputs.count == 1)
  }

  @Test func aFailedConfigurationLeavesTheOldOneInPlace() throws {
    struct Stop: Error {}
    let rig = try Rig()
    let kept = CapturePhotoOutput()
    let added = CaptureVideoDataOutput()
    try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    try rig.session.addOutput(kept)
    #expect(throws: Stop.self) {
      try rig.session.configure {
        try rig.session.setSessionPreset(.hd1280x720)
        rig.session.removeOutput(kept)
        try rig.session.addOutput(added)
        throw Stop()
      }
    }
    #expect(rig.session.sessionPreset == .low)
    #expect(rig.session.outputs.count == 1)
    #expect(rig.session.outputs.first === kept)
    #expect(kept.connections.count == 1)
    #expect(CaptureSession().canAddOutput(added))
  }

  @Test func changingThePresetWhileRunningRestartsInTheNewSize() async throws {
    let rig = try Rig()
    try await rig.start()
    let events = rig.session.events
    try rig.session.setSessionPreset(.hd1280x720)
    #expect(rig.session.isRunning)
    let told = await firstEvent(events) { $0 }
    guard case .didChangeFormat(let format) = told else {
      Issue.record("\(String(describing: told))")
      return
    }
    #expect(format.dimensions == Dimensions(width: 1280, height: 720))
    #expect(rig.session.activeVideoFormat == format)
  }

  @Test func changesBetweenBeginAndCommitTakeEffectTogether() async throws {
    let rig = try Rig()
    try await rig.start()
    rig.session.beginConfiguration()
    try rig.session.setSessionPreset(.hd1280x720)
    #expect(rig.session.activeVideoFormat?.dimensions == .vga)
    rig.session.commitConfiguration()
    #expect(
      await eventually {
        rig.session.activeVideoFormat?.dimensions == Dimensions(width: 1280, height: 720)
      })
  }

  @Test func anActiveFormatTakesThePresetOverAndAPresetTakesItBack() async throws {
    let rig = try Rig()
    try rig.choose(.yuyv, .qvga)
    try await rig.start()
    #expect(rig.session.sessionPreset == .inputPriority)
    #expect(rig.session.activeVideoFormat?.dimensions == .qvga)
    #expect(rig.session.activeVideoFormat?.pixelFormat == .yuyv)
    try rig.session.setSessionPreset(.low)
    #expect(await eventually { rig.session.activeVideoFormat?.dimensions == .vga })
    #expect(rig.device.activeFormat == nil)
  }

  @Test func presetsThatNameASizeNeedACameraThatHasIt() throws {
    let rig = try Rig()
    try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    #expect(rig.session.canSetSessionPreset(.hd1280x720))
    #expect(rig.session.canSetSessionPreset(.photo))
    #expect(!rig.session.canSetSessionPreset(.cif352x288))
  }

  @Test func thePhotoPresetTakesTheLargestSize() async throws {
    let rig = try Rig { $0.source = .scene(.grey) }
    try rig.session.setSessionPreset(.photo)
    try await rig.start()
    #expect(rig.session.activeVideoFormat?.dimensions == Dimensions(width: 3840, height: 2160))
  }

  @Test func twoSessionsCannotStreamFromOneCameraAndTheErrorSaysSo() async throws {
    let rig = try Rig()
    try await rig.start()
    let second = CaptureSession()
    try second.addInput(CaptureDeviceInput(device: rig.device))
    do {
      try await second.startRunning()
      Issue.record("The second session started.")
    } catch {
      guard case .deviceInUse = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(rig.session.isRunning)
  }

  @Test func anUnpluggedCameraInterruptsTheSessionWhichGoesOnWhenItIsBack() async throws {
    let rig = try Rig()
    try await rig.start()
    let events = rig.session.events
    rig.camera.unplug()
    let reason = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reason } else { nil }
    }
    #expect(reason == .disconnected(device: rig.device.localizedName))
    #expect(rig.session.isRunning && rig.session.isInterrupted)
    let back = rig.session.events
    rig.camera.plugIn()
    let format = await firstEvent(back) { event in
      if case .interruptionEnded(let format) = event { format } else { nil }
    }
    #expect(format?.dimensions == .vga)
    #expect(!rig.session.isInterrupted)
  }

  @Test func controlsThatWereSetAreSetAgainWhenTheCameraComesBack() async throws {
    let rig = try Rig()
    try rig.device.configure { device throws(CaptureError) in
      _ = try device.setControl("brightness", to: 42)
    }
    try await rig.start()
    let events = rig.session.events
    rig.camera.unplug()
    rig.camera.plugIn()
    _ = await firstEvent(events) { if case .interruptionEnded = $0 { true } else { nil } }
    #expect(try rig.device.control(named: "brightness")?.value == 42)
  }

  @Test func aCameraThatStallsIsReportedAndRestarted() async throws {
    let rig = try Rig(limits: Rig.patience.soonStalled) { $0.faults = "stall@3:30" }
    let events = rig.session.events
    try await rig.start()
    let reason = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reason } else { nil }
    }
    guard case .stalled = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(rig.session.isRunning)
  }

  @Test func aCameraWhoseFramesAreAllDamagedIsReportedAsThat() async throws {
    let rig = try Rig(limits: Rig.patience.soonStalled) { $0.faults = "error@3-100000" }
    let events = rig.session.events
    try await rig.start()
    let reason = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reason } else { nil }
    }
    guard case .badImageData = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
  }

  @Test func aStreamThatBreaksIsStartedAnew() async throws {
    let rig = try Rig { $0.faults = "eio@5:60" }
    let events = rig.session.events
    try await rig.start()
    let format = await firstEvent(events) { event in
      if case .interruptionEnded(let format) = event { format } else { nil }
    }
    #expect(format != nil)
  }

  @Test func aSourceThatChangesItsFormatIsRenegotiated() async throws {
    let rig = try Rig { $0.faults = "format@5" }
    let events = rig.session.events
    try await rig.start()
    let format = await firstEvent(events) { event in
      if case .interruptionEnded(let format) = event { format } else { nil }
    }
    #expect(format != nil)
  }

  @Test(
    arguments: [
      ("error@2-4", \CaptureStatistics.corruptFrames), ("truncate@2-4", \.corruptFrames),
      ("drop@2-4", \.lostFrames),
    ] as [(String, any KeyPath<CaptureStatistics, Int> & Sendable)])
  func damagedAndLostFramesAreCountedApart(
    faults: String, count: any KeyPath<CaptureStatistics, Int> & Sendable
  ) async throws {
    let rig = try Rig { $0.faults = faults }
    try await rig.start()
    #expect(await eventually { rig.session.statistics.deliveredFrames >= 6 })
    #expect(rig.session.statistics[keyPath: count] >= 3)
  }

  @Test func twoThousandFramesAtFullSpeedLeaveNoBufferBehind() async throws {
    let rig = try Rig { $0.runsAtFullSpeed = true }
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var count = 0
    for await _ in output.frames {
      count += 1
      if count == 200 { break }
    }
    #expect(await eventually { rig.session.statistics.deliveredFrames >= 2000 })
    #expect(await eventually { rig.session.statistics.lentBuffers <= 1 })
    await rig.session.stopRunning()
    #expect(await eventually { rig.camera.simulator.leaks.mappedBuffers == 0 })
  }

  @Test func aSessionThatIsLetGoOfReleasesTheCamera() async throws {
    let camera = try SimulatedCamera()
    weak var weakSession: CaptureSession?
    do {
      let session = CaptureSession()
      try session.setSessionPreset(.low)
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try await session.startRunning()
      weakSession = session
    }
    #expect(await eventually { weakSession == nil })
    #expect(await eventually { camera.simulator.leaks.mappedBuffers == 0 })
  }
}

/// Blocks its thread, which async functions mustn't.
private func blockingStart(_ session: CaptureSession) { try? session.startRunningAndWait() }
