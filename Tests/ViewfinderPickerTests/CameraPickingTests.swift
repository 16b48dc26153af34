import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

@Suite struct CameraPickingTests {
  @Test("A photo is taken, shown, used, and given to whoever waits")
  func picksOne() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      let taken = try await picker.takePicture()
      guard case .review(let shown) = picker.state.screen else { return }
      #expect(shown.id == taken.id)
      #expect(picker.state.selection.isEmpty)
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    #expect(photo.source == .camera)
    #expect(photo.asset == nil)
    #expect(photo.cropRectangle == nil)
    let file = try await photo.data()
    #expect(file.contentType == .jpeg)
    #expect(try PixelBuffer(decoding: file.data).dimensions == photo.originalDimensions)
    #expect(picker.state.selection.map(\.id) == [photo.id])
    #expect(!picker.isPresented)
  }

  @Test("Delegate, completion and async call get the same, each once")
  func threeWays() async throws {
    let rig = try PickerRig()
    let delegate = Listener()
    let picker = rig.picker { picker in
      try await picker.takePicture()
      try picker.usePhoto()
    }
    picker.delegate = delegate
    let completed = await withCheckedContinuation { continuation in
      #expect(throws: Never.self) { try picker.present { continuation.resume(returning: $0) } }
    }
    guard case .picked(let photos) = completed else {
      Issue.record("\(completed)")
      return
    }
    #expect(delegate.calls.all == ["took", "finished 1"])
    #expect(photos.count == 1)
    // The picker can be used again.
    #expect(try await picker.pickPhotos().count == 1)
    #expect(delegate.calls.all == ["took", "finished 1", "took", "finished 1"])
  }

  @Test("Cancelling gives nil, tells the delegate, keeps no file, and gives the camera back")
  func cancels() async throws {
    let rig = try PickerRig()
    let delegate = Listener()
    let picker = rig.picker { picker in
      try await picker.takePicture()
      picker.cancel()
      picker.cancel()
    }
    picker.delegate = delegate
    #expect(try await picker.pick() == nil)
    #expect(delegate.calls.all == ["took", "cancelled"])
    let session = CaptureSession()
    try session.configure { try session.addInput(CaptureDeviceInput(device: rig.camera.device)) }
    try session.addOutput(CapturePhotoOutput())
    try await session.startRunning()
    await session.stopRunning()
  }

  @Test("A presenter that ends cancels the picker; one that fails ends it with the error")
  func presenterEnds() async throws {
    let rig = try PickerRig()
    #expect(try await rig.picker { _ in }.pick() == nil)
    let failing = rig.picker { _ in throw CocoaError(.featureUnsupported) }
    await #expect { _ = try await failing.pick() } throws: { error in
      if case .presenter = error as? PickerError { true } else { false }
    }
  }

  @Test("A task that is cancelled cancels its picker")
  func cancelledTask() async throws {
    let rig = try PickerRig()
    let (shown, isShown) = AsyncStream.makeStream(of: Void.self)
    let picker = rig.picker { _ in
      isShown.finish()
      try await Task.sleep(for: .seconds(600))
    }
    let task = Task { try await picker.pick() }
    for await _ in shown {}
    task.cancel()
    await #expect(throws: PickerError.cancelled) { _ = try await task.value }
    #expect(!picker.isPresented)
  }

  @Test("A start that waits for a silent camera is given up by a stop, and by the next start")
  func startIsGivenUp() async throws {
    let rig = try PickerRig()
    var configuration = SimulatedCamera.Configuration()
    configuration.faults = "stall@0:600"
    // One each: the fault strikes once.
    let silent = [try SimulatedCamera(configuration), try SimulatedCamera(configuration)]
    let camera = PickerCamera()
    func start(_ device: CaptureDevice) async -> Task<Void, any Error> {
      let task = Task { _ = try await camera.start(device, rig.configuration()) }
      for await readiness in camera.photoOutput.captureReadinessUpdates
      where readiness == .notReadyMomentarily { break }
      return task
    }
    let first = await start(silent[0].device)
    await camera.stop()
    await #expect { try await first.value } throws: { error in
      if case .cancelled = error as? CaptureError { true } else { false }
    }
    for await readiness in camera.photoOutput.captureReadinessUpdates
    where readiness == .sessionNotRunning { break }
    let second = await start(silent[1].device)
    _ = try await camera.start(rig.camera.device, rig.configuration())
    await #expect { try await second.value } throws: { error in
      if case .cancelled = error as? CaptureError { true } else { false }
    }
    await camera.stop()
  }

  @Test("Who is refused because the picker is shown doesn't cancel it")
  func refused() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      let second = Task { try await picker.pick() }
      second.cancel()
      await #expect(throws: PickerError.alreadyPresented) { _ = try await second.value }
      try await picker.takePicture()
      try picker.usePhoto()
    }
    #expect(try await picker.pick() != nil)
  }

  @Test("The last state that is told is the newest")
  func newestState() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 0
    }) { picker in
      let states = picker.states
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { try? picker.setZoomFactor(1 + Double(number) / 100) }
        }
      }
      for await state in states {
        #expect(state.camera.zoomFactor == picker.state.camera.zoomFactor)
        break
      }
    }
    _ = try await picker.pick()
  }

  @Test("Of many taps at once one takes a photo, and the others are refused")
  func fastTaps() async throws {
    let rig = try PickerRig()
    let results = Log<Bool>()
    let picker = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 0
    }) { picker in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            do {
              try await picker.takePicture()
              results.append(true)
            } catch {
              results.append(false)
            }
          }
        }
      }
      try picker.done()
    }
    #expect(try await picker.pickPhotos().count == 1)
    #expect(results.all.count == 16)
    #expect(results.all.filter { $0 }.count == 1)
    #expect(rig.captured.count == 1)
  }

  @Test("A picker that is closed in mid-shot is cancelled once, and the photo is thrown away")
  func closedInMidShot() async throws {
    let rig = try PickerRig()
    let delegate = Listener()
    let picker = rig.picker { picker in
      let shot = Task { try await picker.takePicture() }
      for await state in picker.states where state.camera.activity != .idle { break }
      picker.cancel()
      await #expect(throws: PickerError.notPresented) { try await shot.value }
    }
    picker.delegate = delegate
    #expect(try await picker.pick() == nil)
    #expect(delegate.calls.all == ["cancelled"])
  }

  @Test("Without the presenter's controls, photos are picked in the order in which they are taken")
  func ordered() async throws {
    let rig = try PickerRig()
    let taken = Log<UUID>()
    let picker = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 0
    }) { picker in
      for _ in 0..<4 { taken.append(try await picker.takePicture().id) }
      try picker.remove(picker.state.selection[1])
      try picker.done()
    }
    let photos = try await picker.pickPhotos()
    #expect(photos.map(\.id) == [taken.all[0], taken.all[2], taken.all[3]])
    for photo in photos { _ = try await photo.data() }
  }

  @Test("Repeated capture picks photos in order until it is stopped, and other controls are off")
  func repeating() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 0
    }) { picker in
      let series = Task { try await picker.takePictures(every: .milliseconds(50)) }
      for await state in picker.states {
        if case .repeating(let taken, _) = state.camera.activity, taken >= 3 { break }
      }
      #expect(throws: PickerError.busy) { try picker.done() }
      await #expect(throws: PickerError.busy) { try await picker.takePicture() }
      picker.stopCapture()
      let summary = try await series.value
      #expect(summary.photoCount == picker.state.selection.count)
      #expect(picker.state.camera.areControlsEnabled)
      try picker.done()
    }
    let photos = try await picker.pickPhotos()
    #expect(photos.count >= 3)
    let dates = try photos.map { try #require($0.date) }
    #expect(dates == dates.sorted())
    for photo in photos { _ = try await photo.data() }
  }

  @Test("Repeated capture ends when as many are picked as asked for, or when the picker is closed")
  func repeatingEnds() async throws {
    let rig = try PickerRig()
    let limited = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 2
    }) { picker in
      let summary = try await picker.takePictures(every: .milliseconds(20))
      #expect(summary.photoCount == 2)
      try picker.done()
    }
    #expect(try await limited.pickPhotos().count == 2)
    let closed = rig.picker({ $0.selectionLimit = 0 }) { picker in
      let series = Task { try await picker.takePictures(every: .milliseconds(20)) }
      for await state in picker.states where !state.selection.isEmpty { break }
      picker.cancel()
      await #expect(throws: PickerError.notPresented) { _ = try await series.value }
    }
    #expect(try await closed.pick() == nil)
  }

  @Test("No more photos are taken than asked for")
  func limited() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({
      $0.showsCameraControls = false
      $0.selectionLimit = 2
    }) { picker in
      #expect { try picker.done() } throws: { error in
        if case PickerError.invalidRequest = error { true } else { false }
      }
      for _ in 0..<2 { try await picker.takePicture() }
      await #expect(throws: PickerError.limitReached(2)) { try await picker.takePicture() }
      try picker.done()
    }
    #expect(try await picker.pickPhotos().count == 2)
    #expect(rig.captured.count == 2)
  }

  @Test("The crop is what was inside the outline, and the original is kept")
  func outline() async throws {
    let rig = try PickerRig()
    let corners = try #require(
      rig.camera.cardCorners(inFrame: 0, size: Dimensions(width: 640, height: 480)))
    let box = corners.corners.reduce(CGRect.null) { box, corner in
      box.union(CGRect(x: corner.x, y: corner.y, width: 0, height: 0))
    }
    let picker = rig.picker({ $0.cameraOutline = .rectangle(box) }) { picker in
      try await picker.takePicture()
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    let rectangle = try #require(photo.cropRectangle)
    let original = try PixelBuffer(decoding: try await photo.data(.original).data)
    let edited = try PixelBuffer(decoding: try await photo.data().data)
    #expect(original.dimensions == photo.originalDimensions)
    #expect(edited.dimensions.width == Int(rectangle.width))
    #expect(edited.dimensions.height == Int(rectangle.height))
    let size = original.dimensions
    for (x, y) in [(0.25, 0.3), (0.5, 0.5), (0.8, 0.7)] {
      let inCrop = try edited.color(x, y)
      let inWhole = try original.color(
        (rectangle.minX + x * rectangle.width) / Double(size.width),
        (rectangle.minY + y * rectangle.height) / Double(size.height))
      #expect(zip(inCrop, inWhole).allSatisfy { abs($0 - $1) < 24 }, "\(inCrop) \(inWhole)")
    }
  }

  @Test("A photo that was cropped to the outline isn't cropped again")
  func outlineAndEditing() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({
      $0.cameraOutline = .card()
      $0.editing = .card()
    }) { picker in
      let taken = try await picker.takePicture()
      #expect { try picker.adjust { $0.zoom = 2 } } throws: { error in
        if case PickerError.invalidRequest = error { true } else { false }
      }
      try picker.usePhoto()
      #expect(taken.cropRectangle != nil)
    }
    let photo = try #require(try await picker.pick())
    #expect(photo.edit?.adjustment == nil)
    let edited = try PixelBuffer(decoding: try await photo.data().data)
    #expect(edited.dimensions.width < photo.originalDimensions?.width ?? 0)
  }

  @Test("A photo is cropped as the person lays it under the frame")
  func edits() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ $0.editing = .square }) { picker in
      try await picker.takePicture()
      try picker.adjust { $0.zoom = 2 }
      try picker.adjust { $0.turnRight() }
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    let side = min(photo.originalDimensions?.width ?? 0, photo.originalDimensions?.height ?? 0) / 2
    let edited = try PixelBuffer(decoding: try await photo.data().data)
    #expect(edited.dimensions == Dimensions(width: side, height: side))
    #expect(photo.edit?.adjustment?.angle == 90)
  }

  @Test("A photo that isn't wanted can be taken again")
  func retakes() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      try await picker.takePicture()
      await #expect { try await picker.takePicture() } throws: { error in
        if case PickerError.invalidRequest = error { true } else { false }
      }
      try picker.retake()
      try await picker.takePicture()
      try picker.usePhoto()
    }
    #expect(try await picker.pickPhotos().count == 1)
    #expect(rig.captured.count == 2)
  }

  @Test(
    "Cancelling leaves what was picked before; what is picked next takes its place, and its file goes"
  )
  func lastSelection() async throws {
    let rig = try PickerRig()
    let cancels = Log<Void>()
    let picker = rig.picker({ $0.captureFolder = nil }) { picker in
      #expect(picker.state.selection.isEmpty)
      try await picker.takePicture()
      // The second time it is cancelled.
      cancels.append(())
      if cancels.all.count != 2 { try picker.usePhoto() }
    }
    let url = try #require(try await picker.pick()?.originalURL)
    #expect(try await picker.pick() == nil)
    #expect(picker.state.selection.map(\.originalURL) == [url])
    #expect(FileManager.default.fileExists(atPath: url.path))
    let next = try #require(try await picker.pick())
    #expect(picker.state.selection.map(\.id) == [next.id])
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }
}

/// Writes down a delegate's calls.
final class Listener: ImagePickerDelegate {
  let calls = Log<String>()

  func imagePicker(_ picker: ImagePicker, didTake photo: PickedPhoto) { calls.append("took") }
  func imagePicker(_ picker: ImagePicker, didFinishPicking photos: [PickedPhoto]) {
    calls.append("finished \(photos.count)")
  }
  func imagePickerDidCancel(_ picker: ImagePicker) { calls.append("cancelled") }
  func imagePicker(_ picker: ImagePicker, didFailWith error: PickerError) {
    calls.append("failed")
  }
}
