import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// Starts and stops while a driver hangs: limits are kept, and giving up needs no driver.
@Suite struct SessionHangTests {
  /// Limits that nothing but the one of a start can end a wait for.
  private static func limits(start: Double = 600) -> CaptureLimits {
    var limits = TamperedRig.limits
    limits.start = start
    limits.stop = 600
    limits.abandonedStart = 0.01
    return limits
  }

  @Test func aStartThatTimesOutIsToldAndEndsThePhotosThatWait() async throws {
    let rig = try TamperedRig(limits: Self.limits(start: 3))
    let isHanging = Shared(true)
    defer { isHanging.value = false }
    rig.hang(in: .streamOn, while: isHanging)
    let output = CapturePhotoOutput()
    let events = Log<CaptureSession.Event>()
    let follower = rig.follow(events)
    defer { follower.cancel() }
    let session = rig.session
    try rig.connect(output)
    let start = Task { try await session.startRunning() }
    #expect(await eventually { session.isRunning })
    let failure = CaptureError.stalled(device: rig.device.localizedName, seconds: 3)
    await #expect { try await output.capturePhoto(with: CapturePhotoSettings()) } throws: { error in
      if case .cancelled = error as? CaptureError { true } else { false }
    }
    await #expect(throws: failure) { try await start.value }
    #expect(isHanging.value && !session.isRunning)
    #expect(await eventually { events.all == [.runtimeError(failure), .didStopRunning] })
    #expect(output.captureReadiness == .sessionNotRunning)
    // The thread that hung comes back, which is no news of the session.
    isHanging.value = false
    #expect(await eventually { rig.camera.simulator.leaks == (0, 0) })
    #expect(events.all.count == 2)
    // Its short limit may pass on a busy machine.
    for _ in 0..<60 where !session.isRunning { try? await session.startRunning() }
    _ = try await output.capturePhoto(with: CapturePhotoSettings())
  }

  enum GivingUp: CaseIterable {
    case stopping, cancelling, removingTheInput
  }

  @Test(arguments: GivingUp.allCases)
  func aStartIsGivenUpAtOnceThoughTheDriverHangs(way: GivingUp) async throws {
    let rig = try TamperedRig(limits: Self.limits())
    let isHanging = Shared(true)
    defer { isHanging.value = false }
    let hangs = rig.hang(in: .streamOn, while: isHanging)
    let output = CapturePhotoOutput()
    let events = Log<CaptureSession.Event>()
    let follower = rig.follow(events)
    defer { follower.cancel() }
    let session = rig.session
    try rig.connect(output)
    let start = Task { try await session.startRunning() }
    #expect(await eventually { hangs.value > 0 })
    switch way {
    case .stopping: await session.stopRunning()
    case .cancelling: start.cancel()
    case .removingTheInput: session.removeInput(session.inputs[0])
    }
    await #expect { try await start.value } throws: { error in
      if case .cancelled = error as? CaptureError { true } else { false }
    }
    #expect(isHanging.value && !session.isRunning)
    #expect(await eventually { events.all == [.didStopRunning] })
  }

  @Test func aStopKeepsItsLimitThoughTheDriverHangs() async throws {
    var limits = Self.limits()
    limits.stop = 0.1
    let rig = try TamperedRig(limits: limits)
    let isHanging = Shared(false)
    defer { isHanging.value = false }
    rig.hang(in: .ioctl(19), while: isHanging)
    try await rig.start()
    let events = Log<CaptureSession.Event>()
    let follower = rig.follow(events)
    defer { follower.cancel() }
    isHanging.value = true
    await rig.session.stopRunning()
    #expect(isHanging.value && !rig.session.isRunning)
    #expect(await eventually { events.all == [.didStopRunning] })
    isHanging.value = false
    #expect(await eventually { rig.camera.simulator.leaks == (0, 0) })
    #expect(events.all.count == 1)
  }

  @Test func aStartWaitsForTheThreadThatAnEarlierOneLeftBehind() async throws {
    let rig = try TamperedRig(limits: Self.limits())
    let isHanging = Shared(true)
    defer { isHanging.value = false }
    let hangs = rig.hang(in: .streamOn, while: isHanging)
    let session = rig.session
    try rig.connect()
    let first = Task { try await session.startRunning() }
    #expect(await eventually { hangs.value > 0 })
    await session.stopRunning()
    await #expect { try await first.value } throws: { error in
      if case CaptureError.cancelled = error { true } else { false }
    }
    let second = Task { try await session.startRunning() }
    #expect(await eventually { session.isRunning })
    isHanging.value = false
    try await second.value
    #expect(session.activeVideoFormat != nil)
  }

  @Test func aStartDuringAStopComesAfterIt() async throws {
    let rig = try TamperedRig(limits: Self.limits())
    let isHanging = Shared(false)
    defer { isHanging.value = false }
    let hangs = rig.hang(in: .ioctl(19), while: isHanging)
    let session = rig.session
    try await rig.start()
    isHanging.value = true
    let stop = Task { await session.stopRunning() }
    #expect(await eventually { hangs.value > 0 })
    let start = Task { try await session.startRunning() }
    #expect(await eventually { session.isRunning })
    isHanging.value = false
    await stop.value
    try await start.value
    #expect(session.activeVideoFormat != nil)
  }

  @Test func aTaskThatIsCancelledAlreadyStartsNothing() async throws {
    let rig = try TamperedRig(limits: Self.limits())
    try rig.connect()
    let session = rig.session
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await session.startRunning()
    }
    task.cancel()
    await #expect { try await task.value } throws: { error in
      if case CaptureError.cancelled = error { true } else { false }
    }
    #expect(!session.isRunning)
  }

  @Test func startsAndStopsOfManyThreadsAllComeBack() async throws {
    let rig = try TamperedRig(limits: Self.limits())
    try rig.connect(CapturePhotoOutput(), CaptureVideoDataOutput())
    let session = rig.session
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          switch number % 4 {
          case 0, 1: try? await session.startRunning()
          case 2: await session.stopRunning()
          default:
            let start = Task { try? await session.startRunning() }
            await Task.yield()
            start.cancel()
            await start.value
          }
        }
      }
    }
    await session.stopRunning()
    #expect(!session.isRunning)
    try await session.startRunning()
    #expect(session.activeVideoFormat != nil)
  }
}
