import Foundation
import Testing

@testable import Viewfinder

@Suite struct CapturePhotoOutputTests {
  @Test(
    "A photo isn't written under the name of another kind of file",
    arguments: [
      ("a.gif", false), ("a.PNG", false), ("a.tiff", false), ("a.JPG", true), ("a", true),
      ("a.2026", true),
    ])
  func names(name: String, isTaken: Bool) async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let folder = try TemporaryFolder()
    let photo = try await output.capturePhoto(with: .make { $0.waitsForExposure = false })
    var error: CaptureError?
    do throws(CaptureError) {
      try photo.write(to: folder.url.appending(component: name))
    } catch let thrown {
      error = thrown
    }
    #expect(folder.contents == (isTaken ? [name] : []))
    guard !isTaken else { return }
    guard case .invalidSettings(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(name) && reason.contains(".jpg"))
  }

  @Test func theDelegateIsCalledInApplesOrder() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    let settings = CapturePhotoSettings()
    output.capturePhoto(with: settings, delegate: recorder)
    #expect(
      await recorder.names()
        == ["willBegin", "willCapture", "didCapture", "didProcess", "didFinish"])
    guard case .willBegin(let resolved) = recorder.calls.all[0] else { return }
    #expect(resolved.uniqueID == settings.uniqueID)
    #expect(resolved.photoDimensions == .vga)
  }

  @Test func theOutputHoldsTheDelegateUntilItsLastCall() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    var recorder: PhotoRecorder? = PhotoRecorder()
    weak let weakPhotoRecorder = recorder
    let calls = recorder!.calls
    output.capturePhoto(with: CapturePhotoSettings(), delegate: recorder!)
    recorder = nil
    #expect(await eventually { calls.all.last?.name == "didFinish" })
    #expect(await eventually { weakPhotoRecorder == nil })
  }

  @Test func settingsAndTheirCopiesAreUsedOnce() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let settings = CapturePhotoSettings()
    var copy = settings
    copy.quality = 0.1
    _ = try await output.capturePhoto(with: settings)
    await #expect { try await output.capturePhoto(with: copy) } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
    _ = try await output.capturePhoto(with: CapturePhotoSettings(from: copy))
  }

  @Test func aPhotoWithoutARunningSessionFailsAtOnce() async throws {
    let output = CapturePhotoOutput()
    let recorder = PhotoRecorder()
    output.capturePhoto(with: CapturePhotoSettings(), delegate: recorder)
    #expect(await recorder.names() == ["didFinish"])
    #expect(recorder.error == .sessionNotRunning)
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .grey, .mjpeg])
  func everyFormatBecomesAJPEGOfItsSize(format: PixelFormat) async throws {
    let rig = try Rig()
    try rig.choose(format, .vga)
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.dimensions == .vga)
    #expect(try photo.pixelBuffer().dimensions == .vga)
  }

  @Test func aJPEGCamerasPictureIsKeptByteForByte() async throws {
    let rig = try Rig()
    try rig.choose(.mjpeg, .vga)
    let output = CapturePhotoOutput()
    let video = CaptureVideoDataOutput()
    try await rig.start(output, video)
    var frames = video.frames.makeAsyncIterator()
    let frame = try #require(await frames.next()).jpegData()
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    // The steady scene's frames are all alike; a photo adds Exif data before them.
    let count = frame.count - 20
    let (kept, taken) = (photo.fileDataRepresentation().suffix(count), frame.suffix(count))
    #expect(kept == taken)
    #expect(photo.fileDataRepresentation().count > frame.count)
  }

  @Test func anOutlineCropsThePhotoToItsBounds() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(
      with: .make { $0.outline = .rectangle(CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.25)) })
    #expect(photo.dimensions == Dimensions(width: 320, height: 120))
    #expect(photo.resolvedSettings.photoDimensions == photo.dimensions)
    #expect(photo.resolvedSettings.captureDimensions == .vga)
  }

  @Test func theCornersOutsideACardAreTransparentInAPNGAndWhiteInAJPEG() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let png = try await output.capturePhoto(
      with: .make {
        $0.outline = .card()
        $0.fileType = .png
      }
    ).pixelBuffer()
    #expect(png.hasAlpha)
    #expect(try pixel(png, x: 0, y: 0)[3] == 0)
    let middle = (png.dimensions.width / 2, png.dimensions.height / 2)
    #expect(try pixel(png, x: middle.0, y: middle.1)[3] == 255)
    let jpeg = try await output.capturePhoto(with: .make { $0.outline = .card() }).pixelBuffer()
    #expect(try pixel(jpeg, x: 0, y: 0).prefix(3).allSatisfy { $0 > 245 })
  }

  @Test func rectifyingTheTrueCornersShowsTheCardAlone() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let corners = try #require(rig.camera.cardCorners(inFrame: 0, size: .vga))
    let photo = try await output.capturePhoto(
      with: .make {
        $0.outline = .quadrilateral(corners)
        $0.rectifiedSize = Dimensions(width: 506, height: 319)
      })
    #expect(photo.dimensions == Dimensions(width: 506, height: 319))
    // The card's face is blue to violet right up to its edges; the table is brown.
    let picture = try photo.pixelBuffer()
    for (x, y) in [(253, 8), (253, 310), (8, 160), (497, 160)] {
      let color = try pixel(picture, x: x, y: y)
      #expect(color[2] > color[0], "At (\(x), \(y)) is \(color), the table.")
    }
    // 506 pixels across 85.60 mm.
    #expect(photo.metadata.dotsPerInch == 150)
  }

  @Test func theConnectionsRotationIsATagInWholePhotosAndTurnsCroppedOnes() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    try #require(output.connections.first).videoRotationAngle = 90
    let whole = try await output.capturePhoto(with: CapturePhotoSettings())
    #expect(whole.dimensions == .vga)
    #expect(whole.resolvedSettings.orientation == .right)
    #expect(try whole.pixelBuffer().dimensions == Dimensions.vga.swapped)
    let cropped = try await output.capturePhoto(
      with: .make { $0.outline = .rectangle(CGRect(x: 0, y: 0, width: 1, height: 0.5)) })
    #expect(cropped.dimensions == Dimensions(width: 480, height: 320))
    #expect(cropped.resolvedSettings.orientation == .up)
    let upper = try whole.pixelBuffer()
    #expect(
      zip(try lumaGrid(upper).prefix(8), try lumaGrid(cropped.pixelBuffer()).prefix(8))
        .allSatisfy { abs($0 - $1) < 40 })
  }

  @Test func anOutlineOutsideThePictureIsAnErrorThatNamesThePicturesSize() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let settings = CapturePhotoSettings.make {
      $0.outline = .rectangle(CGRect(x: 2, y: 2, width: 1, height: 1))
    }
    await #expect {
      try await output.capturePhoto(with: settings)
    } throws: { error in
      guard case CaptureError.invalidSettings(let reason) = error else { return false }
      return reason.contains("640x480")
    }
  }

  @Test func aSelfTimerWaitsAndStoppingTheSessionEndsIt() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let clock = ContinuousClock()
    let begin = clock.now
    _ = try await output.capturePhoto(with: .make { $0.selfTimer = .delay(.milliseconds(200)) })
    #expect(begin.duration(to: clock.now) >= .milliseconds(200))
    let recorder = PhotoRecorder()
    output.capturePhoto(with: .make { $0.selfTimer = .delay(.seconds(60)) }, delegate: recorder)
    await rig.session.stopRunning()
    #expect(await recorder.names() == ["tick", "didFinish"])
    guard case .cancelled = recorder.error else {
      Issue.record("\(String(describing: recorder.error))")
      return
    }
  }

  @Test("Photos that wait end with the session, also when it fails or nobody holds it any more")
  func sessionsThatEnd() async throws {
    let output = CapturePhotoOutput()
    let recorders = (0..<2).map { _ in PhotoRecorder() }
    do {
      let rig = try Rig()
      try await rig.start(output)
      output.capturePhoto(
        with: .make { $0.selfTimer = .delay(.seconds(60)) }, delegate: recorders[0])
      // The next camera isn't there any more when the session turns to it.
      let other = try SimulatedCamera()
      let input = try CaptureDeviceInput(device: other.device)
      other.unplug()
      try rig.session.configure {
        rig.session.removeInput(rig.session.inputs[0])
        try rig.session.addInput(input)
      }
      #expect(await recorders[0].names().last == "didFinish")
      #expect(!rig.session.isRunning)
      rig.session.removeOutput(output)
    }
    let camera = try SimulatedCamera(SimulatedCamera.Configuration())
    do {
      let session = CaptureSession(limits: Rig.patience)
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(output)
      try await session.startRunning()
      output.capturePhoto(
        with: .make { $0.selfTimer = .delay(.seconds(60)) }, delegate: recorders[1])
    }
    #expect(await recorders[1].names().last == "didFinish")
  }

  @Test func cancellingTheTaskCancelsTheRequest() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let task = Task {
      try await output.capturePhoto(with: .make { $0.selfTimer = .delay(.seconds(60)) })
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect { try await task.value } throws: { error in
      if case CaptureError.cancelled = error { true } else { false }
    }
  }

  @Test func anUnpluggedCameraEndsPendingPhotosWithAnError() async throws {
    let rig = try Rig { $0.faults = "stall@3:30" }
    let output = CapturePhotoOutput()
    try await rig.start(output)
    try await Task.sleep(for: .milliseconds(300))
    let recorder = PhotoRecorder()
    output.capturePhoto(with: CapturePhotoSettings(), delegate: recorder)
    rig.camera.unplug()
    let names = await recorder.names()
    #expect(!names.contains("didCapture") && !names.contains("didProcess"))
    #expect(recorder.error != nil)
  }

  @Test func requestsMadeAtOnceAllBecomePhotosAndThoseOfADelegateInOrder() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    // Each delegate has a queue of its own: another one's photos may come between.
    let others = (0..<3).map { _ in PhotoRecorder() }
    let settings = (0..<5).map { _ in CapturePhotoSettings.make { _ in } }
    for (number, each) in settings.enumerated() {
      output.capturePhoto(with: each, delegate: recorder)
      if number < others.count {
        output.capturePhoto(with: .make { _ in }, delegate: others[number])
      }
    }
    for other in others { #expect(await other.names().count == 5) }
    let isFinished = { @Sendable in recorder.calls.all.count { $0.name == "didFinish" } == 5 }
    #expect(await eventually { isFinished() })
    let photos = recorder.calls.all.compactMap { call in
      if case .didProcess(let photo, _) = call { photo } else { nil }
    }
    #expect(photos.map(\.resolvedSettings.uniqueID) == settings.map(\.uniqueID))
    #expect(photos.map(\.timestamp) == photos.map(\.timestamp).sorted())
  }

  @Test func theFlashLightsForThePhotoAndGoesOut() async throws {
    let rig = try Rig { $0.source = .scene(.grey) }
    let output = CapturePhotoOutput()
    try await rig.start(output)
    #expect(rig.device.hasFlash)
    #expect(output.supportedFlashModes == [.off, .on, .auto])
    let dark = try await output.capturePhoto(with: .make { _ in })
    let lit = try await output.capturePhoto(with: .make { $0.flashMode = .on })
    #expect(lit.resolvedSettings.isFlashEnabled)
    #expect(try lumaGrid(lit.pixelBuffer())[27] > lumaGrid(dark.pixelBuffer())[27] + 3)
    #expect(try rig.device.controls().first { $0.id == ControlID.flashLEDMode }?.value == 0)
  }

  @Test(
    arguments: [
      ([10, 60, 110, 130, 131, 131, 131], 6), ([128, 128, 128, 128], 3),
      ([9, 50, 9, 50, 9, 50], nil),
      ([0, 0, 0, 0, 0, 0], nil), ([0, 0, 0, 0, 90, 90, 90, 90], 7),
    ] as [([Double], Int?)])
  func exposureHasSettledOnceFramesAreAlike(lumas: [Double], settledAt: Int?) {
    var meter = ExposureMeter()
    let settled = lumas.firstIndex { luma in
      meter.add(luma)
      return meter.isSettled
    }
    #expect(settled == settledAt)
  }

  @Test func photosWaitUntilTheCameraHasWokenUp() async throws {
    let rig = try Rig {
      $0.source = .scene(.grey)
      $0.faults = "black@0-25"
    }
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(with: .make { _ in })
    #expect(try lumaGrid(photo.pixelBuffer())[27] > 60)
  }

  @Test func aCameraThatNeverWakesUpHasItsPhotoTakenAtTheDeadline() async throws {
    let rig = try Rig {
      $0.source = .scene(.grey)
      $0.faults = "black@0-100000"
    }
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(with: .make { _ in })
    #expect(try lumaGrid(photo.pixelBuffer())[27] < 10)
  }
}
