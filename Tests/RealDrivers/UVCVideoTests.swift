import Foundation
import Testing
import Viewfinder

@Suite("uvcvideo", .serialized, .enabled(if: Driver.uvcvideo.isHere, Driver.comment))
struct UVCVideoTests {
  private let pictures: CameraPictures

  init() throws { pictures = try CameraPictures.shared.get() }

  /// The numbers of the pictures that frames show; `nil` for those that are none of them.
  private func numbers(_ frames: [FrameLog.Frame]) -> [Int?] {
    frames.map { pictures.number(of: $0.data, $0.format.dimensions) }
  }

  /// Whether the pictures advance as the sequence numbers say.
  private func expectOrder(_ frames: [FrameLog.Frame]) {
    for (a, b) in zip(frames, frames.dropFirst()) {
      let steps = b.sequence - a.sequence
      let numbers = numbers([a, b]).map { $0 ?? -1 }
      #expect(steps > 0 && b.timestamp > a.timestamp)
      #expect(numbers[1] == (numbers[0] + steps) % CameraPictures.count, "after \(a.sequence)")
    }
  }

  /// How many frames are missing between those that came.
  private func gaps(_ frames: [FrameLog.Frame]) -> Int {
    guard let first = frames.first, let last = frames.last else { return 0 }
    return last.sequence - first.sequence + 1 - frames.count
  }

  @Test(
    "300 JPEG frames arrive byte for byte, and what doesn't arrive is counted",
    arguments: CameraPictures.sizes, ["", USBCamera.isochronous])
  func jpegFrames(size: Dimensions, transfer: String) async throws {
    let camera = try USBCamera(transfer)
    let run = try await CameraRun(try await camera.device(), .mjpeg, size)
    try await run.waitForFrames(300)
    let counts = await run.stop()
    let frames = run.frames.all
    #expect(!numbers(frames).contains(nil))
    expectOrder(frames)
    #expect(counts.corruptFrames == 0)
    #expect(counts.deliveredFrames == frames.count + run.video.droppedFrameCount)
    let missing = counts.lostFrames + counts.starvedFrames + counts.lateFrames
    #expect(gaps(frames) <= missing + run.video.droppedFrameCount)
    print("\(size) \(transfer): \(frames.count) frames, \(gaps(frames)) missing, \(counts)")
  }

  @Test("YUYV frames arrive whole", arguments: ["", USBCamera.isochronous])
  func rawFrames(transfer: String) async throws {
    let camera = try USBCamera(transfer)
    let size = Dimensions(width: 320, height: 240)
    let run = try await CameraRun(try await camera.device(), .yuyv, size)
    try await run.waitForFrames(45)
    _ = await run.stop()
    let frames = run.frames.all
    for frame in frames { #expect(frame.data == Self.ramp(startingAt: frame.data.first ?? 0)) }
    for (a, b) in zip(frames, frames.dropFirst()) {
      let steps = UInt8(truncatingIfNeeded: b.sequence - a.sequence)
      #expect(b.data.first == a.data.first.map { $0 &+ 4 &* steps })
    }
  }

  /// A YUYV frame of `uvcsim`: in each row luma rises by one every other pixel.
  private static func ramp(startingAt luma: UInt8) -> Data {
    let row = Data((0..<320).flatMap { [luma &+ UInt8($0 / 2), 0x80] })
    return (0..<240).reduce(into: Data()) { frame, _ in frame += row }
  }

  @Test("A photo is a frame of the running stream, byte for byte behind its Exif data")
  func photo() async throws {
    let camera = try USBCamera()
    let size = Dimensions(width: 1280, height: 720)
    let run = try await CameraRun(try await camera.device(), .mjpeg, size)
    try await run.waitForFrames(5)
    let photo = try await run.photo.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.dimensions == size)
    let file = try #require(photo.fileDataRepresentation())
    let picture = try pictures.picture(size)
    #expect(file.suffix(picture.count) == picture)
    try await run.waitForFrames(5)
    _ = await run.stop()
    expectOrder(run.frames.all)
  }

  @Test("A photo in the largest size interrupts a small stream, which goes on as it was")
  func largePhoto() async throws {
    let camera = try USBCamera()
    let (small, large) = (CameraPictures.sizes[0], CameraPictures.sizes[2])
    let run = try await CameraRun(try await camera.device(), .mjpeg, small)
    try await run.waitForFrames(5)
    let events = run.session.events
    var settings = CapturePhotoSettings()
    settings.maxPhotoDimensions = run.photo.supportedMaxPhotoDimensions.last
    let photo = try await run.photo.capturePhoto(with: settings)
    #expect(photo.dimensions == large)
    let file = try #require(photo.fileDataRepresentation())
    let picture = try pictures.picture(large)
    #expect(file.suffix(picture.count) == picture)
    let told = await collect(events, 2)
    guard case .wasInterrupted(.takingStill) = told.first,
      case .interruptionEnded(let format) = told.last
    else {
      Issue.record("The session told \(told)")
      return
    }
    #expect(format.dimensions == small)
    try await run.waitForFrames(5)
    _ = await run.stop()
    #expect(!numbers(run.frames.all).contains(nil))
  }

  @Test("Unplugging ends a photo that waits for its frame with an error", .timeLimit(.minutes(1)))
  func unplugInPhoto() async throws {
    let camera = try USBCamera()
    let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[2])
    try await run.waitForFrames(2)
    camera.hang()
    // What is on its way arrives, and then nothing.
    try await Task.sleep(for: .milliseconds(200))
    let output = run.photo
    let photo = Task { try await output.capturePhoto(with: CapturePhotoSettings()) }
    try await Task.sleep(for: .milliseconds(200))
    camera.unplug()
    await #expect(throws: CaptureError.disconnected(device: run.device.localizedName)) {
      _ = try await photo.value
    }
    #expect(run.session.isInterrupted)
    _ = await run.stop()
  }

  @Test(
    "A camera that is plugged in again goes on with the same outputs and its controls",
    .timeLimit(.minutes(1)))
  func replug() async throws {
    let camera = try USBCamera()
    let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[0])
    let wanted = ["brightness": Int64(-17), "auto_exposure": 1, "exposure_time_absolute": 77]
    try run.device.configure { device throws(CaptureError) in
      for name in ["brightness", "auto_exposure", "exposure_time_absolute"] {
        #expect(try device.setControl(name, to: wanted[name]!) == wanted[name])
      }
    }
    try await run.waitForFrames(5)
    let events = run.session.events
    camera.unplug()
    #expect(await eventually(seconds: 10) { run.session.isInterrupted })
    let before = run.frames.all.count
    try camera.plugIn()
    try await run.waitForFrames(10)
    #expect(!numbers(Array(run.frames.all[before...])).contains(nil))
    guard case .wasInterrupted(.disconnected) = await collect(events, 2).first else {
      Issue.record("The session didn't tell that the camera was disconnected.")
      return
    }
    // As the camera that forgot everything has them now.
    for (name, value) in wanted {
      #expect(try run.device.control(named: name)?.value == value, "\(name)")
    }
    let photo = try await run.photo.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.dimensions == CameraPictures.sizes[0])
    _ = await run.stop()
  }

  @Test("Frames outlive the camera they came from", .timeLimit(.minutes(1)))
  func framesOutliveCamera() async throws {
    let camera = try USBCamera()
    let device = try await camera.device()
    let session = CaptureSession(), output = CaptureVideoDataOutput()
    session.sessionPreset = .vga640x480
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: device))
      try session.addOutput(output)
    }
    let frames = output.frames
    try await session.startRunning()
    let held = await collect(frames, 2)
    camera.unplug()
    await session.stopRunning()
    for frame in held where frame.format.pixelFormat == .mjpeg {
      #expect(pictures.number(of: frame.data, frame.format.dimensions) != nil)
    }
    #expect(held.count == 2)
  }

  @Test(
    "A camera that hangs interrupts the session, which goes on with it", .timeLimit(.minutes(1)))
  func hang() async throws {
    let camera = try USBCamera()
    let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[0])
    try await run.waitForFrames(5)
    camera.hang()
    #expect(await eventually(seconds: 15) { run.session.isInterrupted })
    camera.goOn()
    try await run.waitForFrames(10)
    #expect(!run.session.isInterrupted)
    _ = await run.stop()
    #expect(!numbers(run.frames.all).contains(nil))
  }

  @Test(
    "Frames that were cut short never arrive, whatever the driver does with them",
    arguments: [false, true], [PixelFormat.mjpeg, .yuyv])
  func truncatedFrames(nodrop: Bool, pixelFormat: PixelFormat) async throws {
    let camera = try USBCamera("-i -t 3", nodrop: nodrop)
    let counts = try await expectWholeFrames(camera, pixelFormat)
    // The driver knows the size of raw frames alone.
    let isDropped = pixelFormat == .yuyv && !nodrop
    #expect(isDropped ? counts.lostFrames > 5 : counts.corruptFrames > 5)
    if isDropped { #expect(counts.corruptFrames == 0) }
  }

  @Test(
    "Frames that the camera flags as damaged never arrive, whatever the driver does with them",
    arguments: [false, true])
  func flaggedFrames(nodrop: Bool) async throws {
    let camera = try USBCamera("-i -e 3", nodrop: nodrop)
    let counts = try await expectWholeFrames(camera, .mjpeg)
    #expect(nodrop ? counts.corruptFrames > 5 : counts.lostFrames > 5)
    if !nodrop { #expect(counts.corruptFrames == 0) }
  }

  /// Takes frames from a camera every third of whose frames is damaged.
  private func expectWholeFrames(_ camera: USBCamera, _ pixelFormat: PixelFormat)
    async throws -> CaptureStatistics
  {
    let size =
      pixelFormat == .yuyv ? Dimensions(width: 320, height: 240) : CameraPictures.sizes[0]
    let run = try await CameraRun(try await camera.device(), pixelFormat, size)
    try await run.waitForFrames(30)
    let counts = await run.stop()
    let frames = run.frames.all
    if pixelFormat == .yuyv {
      for frame in frames { #expect(frame.data == Self.ramp(startingAt: frame.data.first ?? 0)) }
    } else {
      #expect(!numbers(frames).contains(nil))
      expectOrder(frames)
    }
    #expect(gaps(frames) >= frames.count / 2 - 2)
    let missing =
      counts.lostFrames + counts.corruptFrames + counts.starvedFrames + counts.lateFrames
    #expect(gaps(frames) <= missing + run.video.droppedFrameCount)
    return counts
  }

  @Test("A camera that another program streams from is in use by it", .timeLimit(.minutes(1)))
  func deviceInUse() async throws {
    let camera = try USBCamera()
    let device = try await camera.device()
    let other = try Program("v4l2-ctl", "-d", device.path, "--stream-mmap", "--silent")
    defer { other.end() }
    try await Task.sleep(for: .seconds(1))
    let error = await #expect(throws: CaptureError.self) {
      _ = try await CameraRun(device, .mjpeg, CameraPictures.sizes[0])
    }
    guard case .deviceInUse(_, let holders) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(holders.contains { $0.name == "v4l2-ctl" })
  }

  @Test("A session starts and stops again and again", .timeLimit(.minutes(1)))
  func restarts() async throws {
    let camera = try USBCamera()
    let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[1])
    for _ in 0..<5 {
      try await run.waitForFrames(2)
      await run.session.stopRunning()
      try await run.session.startRunning()
    }
    try await run.waitForFrames(2)
    #expect(!numbers(run.frames.all).contains(nil))
  }
}
