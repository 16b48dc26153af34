import Dispatch
import Foundation
import Testing

@testable import Viewfinder

/// Writes down frames and drops; may be slow.
private final class Viewer: CaptureVideoDataOutputSampleBufferDelegate {
  let frames = Log<Int>()
  let drops = Log<FrameDropReason>()
  let delay: Double

  init(delay: Double = 0) { self.delay = delay }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    frames.append(frame.sequenceNumber)
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
  }

  func captureOutput(
    _ output: CaptureOutput, didDropFrame sequenceNumber: Int, reason: FrameDropReason,
    from connection: CaptureConnection
  ) { drops.append(reason) }
}

@Suite struct CaptureVideoDataOutputTests {
  @Test func theDelegateGetsFramesInOrder() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    let viewer = Viewer()
    output.setSampleBufferDelegate(viewer, queue: DispatchQueue(label: "viewer"))
    try await rig.start(output)
    #expect(await eventually { viewer.frames.all.count >= 5 })
    let numbers = viewer.frames.all
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == numbers.count)
  }

  @Test func aSlowDelegateCostsFramesThatItIsToldOf() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    let viewer = Viewer(delay: 0.2)
    output.setSampleBufferDelegate(viewer, queue: nil)
    try await rig.start(output)
    #expect(await eventually { viewer.frames.all.count >= 3 })
    #expect(output.droppedFrameCount > 0)
    #expect(await eventually { viewer.drops.all.contains(.frameWasLate) })
    // The camera has gone on meanwhile.
    #expect(rig.session.statistics.deliveredFrames > viewer.frames.all.count)
  }

  @Test func aDelegateThatHangsIsToldOfTheLastFramesItMissedAndNothingPilesUp() async throws {
    let rig = try Rig { $0.runsAtFullSpeed = true }
    let output = CaptureVideoDataOutput()
    let viewer = Viewer()
    let gate = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "viewer")
    output.setSampleBufferDelegate(viewer, queue: queue)
    queue.async { gate.wait() }
    try await rig.start(output)
    #expect(await eventually { output.droppedFrameCount >= 500 })
    await rig.session.stopRunning()
    gate.signal()
    #expect(await eventually { viewer.drops.all.count >= 60 })
    queue.sync {}
    #expect(viewer.drops.all.count == 60)
  }

  @Test func aDelegateThatHangsCostsOtherOutputsNothing() async throws {
    let rig = try Rig()
    let (hanging, other) = (CaptureVideoDataOutput(), CaptureVideoDataOutput())
    let (hangingViewer, viewer) = (Viewer(), Viewer())
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let queue = DispatchQueue(label: "hanging")
    queue.async { gate.wait() }
    hanging.setSampleBufferDelegate(hangingViewer, queue: queue)
    other.setSampleBufferDelegate(viewer, queue: DispatchQueue(label: "other"))
    other.alwaysDiscardsLateVideoFrames = false
    try await rig.start(hanging, other)
    #expect(await eventually { viewer.frames.all.count >= 30 })
    #expect(hangingViewer.frames.all.isEmpty && hanging.droppedFrameCount > 0)
    // The frame that waits for the delegate that hangs keeps one buffer of several.
    #expect(rig.session.statistics.starvedFrames == 0)
  }

  @Test func severalSequencesAndAPhotoShareOneStream() async throws {
    let rig = try Rig()
    let video = CaptureVideoDataOutput()
    let photos = CapturePhotoOutput()
    try await rig.start(video, photos)
    async let first = Array(video.frames.prefix(3).map(\.sequenceNumber))
    async let second = Array(video.frames.prefix(3).map(\.sequenceNumber))
    _ = try await photos.capturePhoto(with: .make { _ in })
    #expect(await first.count == 3)
    #expect(await second.count == 3)
  }

  @Test func aLoopThatFallsBehindSkipsToTheNewestFrame() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var iterator = output.frames.makeAsyncIterator()
    let first = try #require(await iterator.next()).sequenceNumber
    try await Task.sleep(for: .milliseconds(400))
    _ = await iterator.next()
    let next = try #require(await iterator.next()).sequenceNumber
    #expect(next > first + 3)
  }

  @Test func framesHeldForLongNeverStopTheCamera() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var held: [VideoFrame] = []
    let hoarder = Task {
      for await frame in output.frames {
        held.append(frame)
        if held.count == 3 { break }
      }
      return held
    }
    let frames = await hoarder.value
    let before = rig.session.statistics
    #expect(
      await eventually {
        let now = rig.session.statistics
        return now.deliveredFrames + now.starvedFrames
          > before.deliveredFrames + before.starvedFrames + 5
      })
    #expect(!rig.session.isInterrupted)
    #expect(Set(frames.map(\.sequenceNumber)).count == 3)
  }

  @Test func aFrameStaysReadableAfterTheSessionHasEnded() async throws {
    let rig = try Rig()
    try rig.choose(.yuyv, .qvga)
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var iterator = output.frames.makeAsyncIterator()
    let frame = try #require(await iterator.next())
    let before = frame.data
    await rig.session.stopRunning()
    #expect(frame.data == before)
    #expect(before.count == 153_600, "320 × 240, two bytes a pixel")
    let count = frame.bytes.count
    #expect(count == before.count)
  }

  @Test(arguments: [PixelFormat.bgra32, .rgb24, .nv12, .i420, .grey, .yuyv])
  func framesAreConvertedToTheFormatWanted(format: PixelFormat) async throws {
    let rig = try Rig()
    try rig.choose(.mjpeg, .vga)
    let output = CaptureVideoDataOutput()
    output.pixelFormat = format
    try await rig.start(output)
    var iterator = output.frames.makeAsyncIterator()
    let frame = try #require(await iterator.next())
    #expect(frame.format.pixelFormat == format)
    #expect(frame.format.dimensions == .vga)
    #expect(try frame.pixelBuffer().pixelFormat == format)
  }

  @Test func theConnectionsRotationTurnsThePixels() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    try #require(output.connection(with: .video)).videoRotationAngle = 90
    var sizes: [Dimensions] = []
    for await frame in output.frames {
      sizes.append(frame.format.dimensions)
      if sizes.count == 3 { break }
    }
    #expect(sizes.last == Dimensions.vga.swapped)
  }

  @Test func aDisabledConnectionCarriesNothing() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    let viewer = Viewer()
    output.setSampleBufferDelegate(viewer, queue: nil)
    try await rig.start(output)
    try #require(output.connections.first).isEnabled = false
    try await Task.sleep(for: .milliseconds(150))
    let count = viewer.frames.all.count
    try await Task.sleep(for: .milliseconds(200))
    #expect(viewer.frames.all.count == count)
  }
}

extension Array where Element: Sendable {
  /// The elements of a finite async sequence.
  fileprivate init<S: AsyncSequence>(_ sequence: S) async where S.Element == Element {
    self = []
    do {
      for try await element in sequence { append(element) }
    } catch {}
  }
}
