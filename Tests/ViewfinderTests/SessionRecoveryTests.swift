import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// What a session does when its camera or its driver misbehaves.
@Suite struct SessionRecoveryTests {
  @Test func aStallIsMendedByARestartWithoutOpeningTheCameraAgain() async throws {
    let rig = try TamperedRig(limits: TamperedRig.limits.soonStalled) { $0.faults = "stall@3:60" }
    let opens = Shared(0)
    rig.onCall { call in
      if call == .open { opens.next() }
      return 0
    }
    let events = rig.session.events
    try await rig.start()
    let before = opens.value
    let reasons = await eventsUntilEnd(of: events)
    #expect(reasons == [.stalled(device: rig.device.localizedName, seconds: 1)])
    #expect(opens.value == before)
    #expect(!rig.session.isInterrupted)
  }

  @Test func aCameraThatARestartDoesNotHelpIsOpenedAgainAndReportedOnce() async throws {
    let rig = try TamperedRig(limits: TamperedRig.limits.soonStalled) { $0.faults = "stall@3:60" }
    let (opens, starts, opensBefore) = (Shared(0), Shared(0), Shared(0))
    rig.onCall { call in
      if call == .open { opens.next() }
      guard call == .streamOn else { return 0 }
      // The second start is the restart, the third its repetition.
      let start = starts.next()
      if start == 2 { opensBefore.value = opens.value }
      return [2, 3].contains(start) ? EIO : 0
    }
    let events = rig.session.events
    try await rig.start()
    let reasons = await eventsUntilEnd(of: events)
    #expect(reasons.count == 1)
    #expect(opens.value > opensBefore.value)
  }

  @Test func aLostCameraIsLetGoOfBeforeItIsOpenedAgainAndItsFramesStayCounted() async throws {
    let rig = try TamperedRig()
    let (descriptors, leftOpen) = (Shared(0), Shared<Int?>(nil))
    let (isLosing, isLost) = (Shared(false), Shared(false))
    rig.onCall { call in
      switch call {
      case .open:
        let others = descriptors.next() - 1
        if isLost.value, leftOpen.value == nil { leftOpen.value = others }
        return 0
      case .close:
        descriptors.withLock { $0 -= 1 }
        return 0
      case .dequeue where isLosing.value:
        (isLosing.value, isLost.value) = (false, true)
        return ENODEV
      default:
        return 0
      }
    }
    try await rig.start()
    #expect(await eventually { rig.session.statistics.deliveredFrames >= 3 })
    let events = rig.session.events
    isLosing.value = true
    let reasons = await eventsUntilEnd(of: events)
    #expect(reasons == [.disconnected(device: rig.device.localizedName)])
    #expect(leftOpen.value == 0)
    let counts = rig.session.statistics
    #expect(counts.deliveredFrames >= 4)
    #expect(
      counts.producedFrames
        >= counts.deliveredFrames + counts.lostFrames + counts.corruptFrames + counts.starvedFrames)
  }

  @Test func aStallIsToldWhileTheDriverHangsInTheEndOfTheStream() async throws {
    let rig = try TamperedRig(limits: TamperedRig.limits.soonStalled) { $0.faults = "stall@3:60" }
    let isHanging = Shared(true)
    defer { isHanging.value = false }
    rig.onCall { call in
      while call == .ioctl(19), isHanging.value { usleep(1000) }
      return 0
    }
    try await rig.start()
    #expect(await eventually { rig.session.isInterrupted })
    isHanging.value = false
    #expect(await eventually { !rig.session.isInterrupted })
  }

  @Test(arguments: [nil, Dimensions(width: 800, height: 600)])
  func aPhotoThatMeetsAnInterruptionHalfWayEndsWithItsReason(size: Dimensions?) async throws {
    let rig = try TamperedRig()
    let output = CapturePhotoOutput()
    let (isArmed, isLost) = (Shared(false), Shared(false))
    rig.onCall { [weak session = rig.session] call in
      // VIDIOC_S_EXT_CTRLS: the flash is lit after the last look at the session, before the photo
      // waits for a frame.
      if call == .ioctl(72), isArmed.value, !isLost.value {
        isLost.value = true
        for _ in 0..<10_000 where session?.isInterrupted == false { usleep(1000) }
        return 0
      }
      return isLost.value && [.dequeue, .open, .streamOn].contains(call) ? ENODEV : 0
    }
    try await rig.start(output)
    isArmed.value = true
    let failure = Shared<(any Error)?>(nil)
    let request = Task {
      do {
        let settings = CapturePhotoSettings.make {
          $0.flashMode = .on
          $0.maxPhotoDimensions = size
        }
        _ = try await output.capturePhoto(with: settings)
      } catch {
        failure.value = error
      }
    }
    #expect(await eventually { failure.value != nil })
    guard case .disconnected? = failure.value as? CaptureError else {
      Issue.record("\(String(describing: failure.value))")
      return request.cancel()
    }
  }

  @Test(arguments: [EIO, EPIPE, EPROTO])
  func unpluggingInTheMiddleOfAStartIsToldAsThatWhateverFails(code: Int32) async throws {
    let rig = try TamperedRig()
    let camera = rig.camera
    rig.onCall { call in
      guard call == .setFormat else { return 0 }
      camera.unplug()
      return code
    }
    #expect(await rig.failureToStart() == .disconnected(device: rig.device.localizedName))
  }

  @Test func aCallThatFailsWhileTheCameraIsThereIsNamed() async throws {
    let rig = try TamperedRig()
    rig.onCall { $0 == .setFormat ? EPIPE : 0 }
    let name = rig.device.localizedName
    #expect(
      await rig.failureToStart() == .system(call: "VIDIOC_S_FMT", code: EPIPE, subject: name))
  }

  @Test func aStreamThatIsRefusedAnotherFormatGoesOnInTheLast() async throws {
    let rig = try TamperedRig()
    let size = Shared(0)
    rig.onImageSize { size.value = $0 }
    try await rig.start()
    rig.onCall { call in call == .streamOn && size.value > 640 * 480 * 2 ? ENOSPC : 0 }
    let events = rig.session.events
    try rig.session.setSessionPreset(.hd1280x720)
    let reason = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reason } else { nil }
    }
    guard case .insufficientBandwidth? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(await eventually { rig.session.activeVideoFormat?.dimensions == .vga })
    #expect(rig.session.isRunning)
  }

  @Test func tooLittleBandwidthIsToldWithAFormatThatFits() async throws {
    let rig = try TamperedRig()
    let size = Shared(0)
    rig.onCall { call in
      call == .streamOn && size.value > 640 * 480 * 2 ? ENOSPC : 0
    }
    rig.onImageSize { size.value = $0 }
    try rig.session.setSessionPreset(.hd1920x1080)
    guard case .insufficientBandwidth(_, let format, let alternative) = await rig.failureToStart()
    else {
      Issue.record("No bandwidth was missing.")
      return
    }
    #expect(format.contains("1920x1080"))
    let fitting = try #require(alternative)
    #expect(fitting.dimensions.area < 1920 * 1080)
    try rig.device.configure { device throws(CaptureError) in try device.setActiveFormat(fitting) }
    try await rig.session.startRunning()
    #expect(rig.session.activeVideoFormat?.dimensions == fitting.dimensions)
  }

  @Test func aBandwidthThatSufficesForNothingLeavesNoAlternative() async throws {
    let rig = try TamperedRig()
    rig.onCall { call in call == .streamOn ? ENOSPC : 0 }
    guard case .insufficientBandwidth(_, _, let alternative) = await rig.failureToStart() else {
      Issue.record("No bandwidth was missing.")
      return
    }
    #expect(alternative == nil)
    #expect(await eventually { rig.camera.simulator.leaks == (0, 0) })
  }

  @Test func aSecondSessionOfTheSameProgramIsNamedAsThat() async throws {
    let rig = try TamperedRig()
    try await rig.start()
    let second = CaptureSession(limits: TamperedRig.limits)
    try second.addInput(CaptureDeviceInput(device: rig.device))
    await #expect { try await second.startRunning() } throws: { error in
      guard case CaptureError.deviceInUse = error else { return false }
      return "\(error)".contains("another session of this program")
    }
    await rig.session.stopRunning()
    try await second.startRunning()
    await second.stopRunning()
  }

  @Test func aHolderThatLetsGoSoonIsWaitedFor() async throws {
    // Soon for the slowest machine.
    var limits = TamperedRig.limits
    limits.busy = 60
    let rig = try TamperedRig(limits: limits)
    let tries = Shared(0)
    rig.onCall { call in
      call == .requestBuffers && tries.next() <= 2 ? EBUSY : 0
    }
    try await rig.start()
    #expect(rig.session.isRunning)
  }

  @Test(arguments: [ENOLINK, ENOLCK, ERANGE])
  func noSignalIsNamedAndTheSessionGoesOnWhenItComes(code: Int32) async throws {
    let rig = try TamperedRig()
    let (hasSignal, hasChanged) = (Shared(true), Shared(false))
    rig.onCall { call in
      if call == .dequeue, hasChanged.value {
        hasChanged.value = false
        return EPIPE
      }
      // VIDIOC_QUERY_DV_TIMINGS
      return call == .ioctl(99) && !hasSignal.value ? code : 0
    }
    let events = rig.session.events
    try await rig.start()
    hasSignal.value = false
    hasChanged.value = true
    let reason = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reason } else { nil }
    }
    #expect(reason == .sourceChanged(device: rig.device.localizedName))
    let back = rig.session.events
    hasSignal.value = true
    #expect(
      await firstEvent(back) { if case .interruptionEnded = $0 { true } else { nil } } == true)
    await rig.session.stopRunning()
    hasSignal.value = false
    await #expect(throws: CaptureError.noSignal(device: rig.device.localizedName)) {
      try await rig.session.startRunning()
    }
  }

  @Test func controlsThatADriverForgetsAreSetUntilTheyAreRead() async throws {
    let rig = try TamperedRig()
    try rig.device.configure { device throws(CaptureError) in
      _ = try device.setControl("brightness", to: 42)
    }
    let isRestoring = Shared(false)
    let ignored = Shared(0)
    rig.onCall { call in
      // VIDIOC_S_EXT_CTRLS, once without effect.
      guard call == .ioctl(72), isRestoring.value, ignored.next() == 1 else { return 0 }
      return EIO
    }
    try await rig.start()
    isRestoring.value = true
    let events = rig.session.events
    rig.camera.unplug()
    rig.camera.plugIn()
    _ = await firstEvent(events) { if case .interruptionEnded = $0 { true } else { nil } }
    #expect(ignored.value > 1)
    #expect(try rig.device.control(named: "brightness")?.value == 42)
  }

  /// Why the session was interrupted until it went on.
  private func eventsUntilEnd(of events: AsyncStream<CaptureSession.Event>) async -> [CaptureError]
  {
    let reasons = Log<CaptureError>()
    _ = await firstEvent(events) { event in
      if case .wasInterrupted(let reason) = event { reasons.append(reason) }
      if case .interruptionEnded = event { return true }
      return nil
    }
    return reasons.all
  }
}

extension Shared<Int> {
  /// The number of this call, the first being 1.
  @discardableResult
  func next() -> Int {
    withLock { value in
      value += 1
      return value
    }
  }
}
