import FaultInjection
import Foundation

@testable import Viewfinder

/// A session's life by script: it looks at what the camera has, starts, takes frames and photos, and
/// stops.
final class FaultLife: Sendable {
  let rig: TamperedRig
  let journal = Journal()
  let photos = CapturePhotoOutput()
  let taster: Taster
  private let driver: FaultDriver

  init(
    limits: CaptureLimits, driver: FaultDriver = .usual, taster: Taster = Taster(),
    _ change: (inout SimulatedCamera.Configuration) -> Void = {
      $0.source = .scene(.grey)
      $0.runsAtFullSpeed = true
    }
  ) throws {
    self.taster = taster
    self.driver = driver
    rig = try TamperedRig(limits: limits, change)
    driver.prepare(rig.calls)
    journal.follow(rig.session)
  }

  /// Takes all steps, but those that need an earlier one that failed.
  func run() async {
    let (device, session) = (rig.device, rig.session)
    await discover()
    guard await journal.attempt(.configure, configure),
      await journal.attempt(.start, { try await session.startRunning() })
    else { return }
    await journal.attempt(.frames) { await takeFrames(3) }
    await journal.attempt(.control) {
      try device.configure { device throws(CaptureError) in
        _ = try device.setControl("brightness", to: 42)
      }
    }
    await journal.attempt(.export) {
      let frame = await taster.next { session.isInterrupted || !session.isRunning }
      if let frame { close(try frame.exportDMABuffer()) }
    }
    await journal.attempt(.photo, takePhoto)
    if driver.hasSizes {
      await journal.attempt(.still) {
        try await takePhoto(Dimensions(width: 800, height: 600))
      }
    }
    await takeFrames(3)
    await journal.attempt(.stop) { await session.stopRunning() }
  }

  /// Asks what the camera has.
  func discover() async {
    let device = rig.device
    await journal.attempt(.discover) {
      _ = try device.supportedFormats()
      _ = try device.controls()
    }
  }

  /// Whether the camera delivers once the fault is gone: by itself, or when started anew.
  func recovers(starts: Int = 1) async -> String? {
    let session = rig.session
    for number in 1...starts {
      do {
        if session.inputs.isEmpty { try configure() }
        if !session.isRunning { try await session.startRunning() }
        break
      } catch {
        if number == starts { return "It doesn't start again: \(error)" }
      }
    }
    let before = taster.count
    guard
      await eventually(
        { !session.isInterrupted && taster.count > before + 2 }, within: .seconds(60))
    else {
      return "No frames come: \(session.interruption?.description ?? "uninterrupted")"
    }
    do {
      try await takePhoto()
    } catch {
      return "No photo can be taken: \(error)"
    }
    await session.stopRunning()
    return nil
  }

  func configure() throws {
    let session = rig.session
    try session.configure {
      if session.inputs.isEmpty { try session.addInput(CaptureDeviceInput(device: rig.device)) }
      // The taster's pause comes before a photo's work begins.
      for output in [taster, photos] where session.canAddOutput(output) {
        try session.addOutput(output)
      }
    }
  }

  /// Waits for frames, or for word that none come.
  func takeFrames(_ count: Int) async {
    let (session, goal) = (rig.session, taster.count + count)
    _ = await eventually(
      { taster.count >= goal || session.interruption.map { !$0.isPassing } ?? false },
      within: .seconds(60))
  }

  private func takePhoto() async throws { try await takePhoto(nil) }

  func takePhoto(_ size: Dimensions?) async throws {
    _ = try await photos.capturePhoto(
      with: .make {
        $0.maxPhotoDimensions = size
        $0.waitsForExposure = false
      })
  }
}

/// Waits until a condition holds; `false` when it still doesn't after a while.
func eventually(_ condition: () -> Bool, within limit: Duration) async -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(3))
  }
  return condition()
}
