import Foundation
import Testing

@testable import Viewfinder

/// Photos in a larger size than the stream's.
@Suite struct StillPhotoTests {
  private static let large = Dimensions(width: 1920, height: 1080)

  @Test func aPhotoIsLargerThanTheStreamWhichGoesOnAfterwards() async throws {
    let rig = try Rig()
    let (photos, video) = (CapturePhotoOutput(), CaptureVideoDataOutput())
    let sizes = Shared<Set<Dimensions>>([])
    try await rig.start(photos, video)
    let viewer = Task { [frames = video.frames] in
      for await frame in frames { sizes.withLock { _ = $0.insert(frame.format.dimensions) } }
    }
    let events = rig.session.events
    let photo = try await photos.capturePhoto(with: .make { $0.maxPhotoDimensions = Self.large })
    #expect(photo.dimensions == Self.large)
    let reasons = Log<CaptureError>()
    let format = await firstEvent(events) { event -> VideoFormat? in
      if case .wasInterrupted(let reason) = event { reasons.append(reason) }
      if case .interruptionEnded(let format) = event { return format }
      return nil
    }
    #expect(format?.dimensions == .vga)
    #expect(reasons.all == [.takingStill(device: rig.device.localizedName)])
    #expect(try await photos.capturePhoto(with: .make { _ in }).dimensions == .vga)
    viewer.cancel()
    #expect(sizes.value == [.vga], "Other outputs get the stream's frames alone.")
  }

  @Test func severalLargePhotosAndAnOrdinaryOneAllArrive() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let sizes = try await withThrowingTaskGroup(of: Dimensions.self) { group in
      for size in [Self.large, nil, Self.large] {
        group.addTask {
          try await output.capturePhoto(with: .make { $0.maxPhotoDimensions = size }).dimensions
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.sorted { $0.area < $1.area } == [.vga, Self.large, Self.large])
  }

  @Test func aSizeNoLargerThanTheStreamsInterruptsNothing() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let before = rig.session.statistics.deliveredFrames
    let photo = try await output.capturePhoto(with: .make { $0.maxPhotoDimensions = .qvga })
    #expect(photo.dimensions == .vga)
    #expect(rig.session.statistics.deliveredFrames >= before, "It is the same stream.")
  }

  @Test func aSizeThatTheCameraLacksIsRefusedWithThoseItHas() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let odd = Dimensions(width: 1234, height: 777)
    await #expect {
      try await output.capturePhoto(with: .make { $0.maxPhotoDimensions = odd })
    } throws: { error in
      guard case CaptureError.unsupportedFormat(_, "1234x777", let nearest) = error else {
        return false
      }
      return nearest.contains { $0.contains("1920x1080") }
    }
    #expect(output.supportedMaxPhotoDimensions.contains(Self.large))
  }

  @Test func anUnpluggedCameraEndsALargePhotoWithAnErrorAndComesBack() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    // The stream in the large size is the next one.
    try rig.camera.inject("unplug@0:0.2")
    let events = rig.session.events
    let photo = Task {
      try await output.capturePhoto(with: .make { $0.maxPhotoDimensions = Self.large })
    }
    await #expect(throws: CaptureError.disconnected(device: rig.device.localizedName)) {
      try await photo.value
    }
    #expect(
      await firstEvent(events) { if case .interruptionEnded = $0 { true } else { nil } } == true)
    #expect(try await output.capturePhoto(with: .make { _ in }).dimensions == .vga)
  }

  @Test func stoppingEndsALargePhotoWithAnError() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    // The stream in the large size gives no frame.
    try rig.camera.inject("stall@0:60")
    let settings = CapturePhotoSettings.make {
      $0.maxPhotoDimensions = Self.large
      $0.selfTimer = .delay(.milliseconds(100))
    }
    let photo = Task { try await output.capturePhoto(with: settings) }
    #expect(await eventually { rig.session.isInterrupted })
    await rig.session.stopRunning()
    await #expect { try await photo.value } throws: { error in
      if case CaptureError.cancelled = error { true } else { false }
    }
  }
}
