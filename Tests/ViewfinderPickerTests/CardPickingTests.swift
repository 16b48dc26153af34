import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

@Suite("Picking cards", .timeLimit(.minutes(5))) struct CardPickingTests {
  /// What a picker shows of a card that it cuts out.
  private static func correction(_ picker: ImagePicker) -> OutlineCorrection? {
    if case .correcting(_, let correction) = picker.state.screen { correction } else { nil }
  }

  @Test("A card takes its photo by itself, is corrected, and comes straight and cut to its edges")
  func automatic() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ configuration in
      configuration.cameraOutline = .detected(fallback: .card())
      configuration.automaticShutter?.steadyDuration = .milliseconds(200)
    }) { picker in
      for await state in picker.states {
        if case .correcting = state.screen { break }
        if !state.isPresented { return }
      }
      let found = try #require(Self.correction(picker))
      #expect(found.detected != nil && found.quarterTurns == 0)
      try picker.correct { $0.move(0, to: CGPoint(x: $0.corners[0].x - 0.01, y: $0.corners[0].y)) }
      try picker.correct { $0.turnRight() }
      let corrected = try #require(Self.correction(picker))
      #expect(corrected.corners[0].x < found.corners[0].x && corrected.quarterTurns == 1)
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    let correction = try #require(photo.edit?.correction)
    let edited = try PixelBuffer(decoding: try await photo.data().data)
    #expect(edited.dimensions == correction.crop.rectifiedSize)
    // Turned by a quarter, the card stands.
    #expect(edited.dimensions.height > edited.dimensions.width)
    let size = try #require(photo.originalDimensions)
    let truth = try #require(rig.camera.cardCorners(inFrame: 0, size: size))
    #expect(
      hypot(correction.corners[1].x - truth.topRight.x, correction.corners[1].y - truth.topRight.y)
        < 0.02)
  }

  @Test("By hand a photo comes at once, also without a card: the guide is there to be moved")
  func byHand() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ configuration in
      configuration.cameraOutline = .detected(
        within: CGRect(x: 0, y: 0, width: 0.01, height: 0.01), fallback: .card(fraction: 0.5))
    }) { picker in
      for await state in picker.states where state.camera.status == .running { break }
      #expect(picker.state.camera.automaticShutter == true)
      try picker.setAutomaticShutter(false)
      #expect(picker.state.camera.automaticShutter == false)
      try await picker.takePicture()
      let guide = try #require(Self.correction(picker))
      #expect(guide.detected == nil)
      #expect(abs(guide.corners[1].x - guide.corners[0].x - 0.5) < 0.01)
      try picker.retake()
      try picker.setAutomaticShutter(true)
      // Whoever presses is faster than any card.
      try await picker.takePicture()
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    #expect(photo.edit?.correction?.detected == nil)
    #expect(photo.edit != nil)
  }

  @Test(
    "A card in a picture of the library is found as well, in one without any the whole picture is marked"
  )
  func library() async throws {
    let rig = try PickerRig()
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: rig.second.device))
      try session.addOutput(output)
    }
    try await session.startRunning()
    let taken = try await output.capturePhoto(with: CapturePhotoSettings())
    await session.stopRunning()
    try rig.add("card.jpg", taken.fileDataRepresentation())
    try rig.add("plain.jpg", quarters(64, 48).jpegData())
    let picker = rig.picker({ configuration in
      configuration.cameraOutline = .detected(fallback: .card())
      configuration.sourceType = .photoLibrary
    }) { picker in
      for await state in picker.states where state.library == .open { break }
      let list = try await picker.assets(in: nil)
      let assets = try await list.assets(in: 0..<list.count)
      for (name, isFound) in [("plain.jpg", false), ("card.jpg", true)] {
        let asset = assets.first { $0.fileName == name }
        try picker.toggle(#require(asset))
        for await state in picker.states { if case .correcting = state.screen { break } }
        let correction = try #require(Self.correction(picker))
        #expect((correction.detected != nil) == isFound)
        if isFound {
          try picker.usePhoto()
        } else {
          #expect(correction.corners[0] == .zero && correction.corners[2] == CGPoint(x: 1, y: 1))
          try picker.retake()
        }
      }
    }
    let photo = try #require(try await picker.pick())
    let correction = try #require(photo.edit?.correction)
    #expect(correction.pictureSize == photo.originalDimensions)
    let edited = try PixelBuffer(decoding: try await photo.data().data)
    #expect(edited.dimensions == correction.crop.rectifiedSize)
  }

  @Test("Corners stay clockwise and convex, and near the picture")
  func corners() throws {
    var correction = OutlineCorrection(
      pictureSize: Dimensions(width: 640, height: 480), guess: nil)
    let before = correction
    correction.move(0, to: CGPoint(x: 0.9, y: 0.9))
    correction.move(4, to: .zero)
    correction.move(1, to: CGPoint(x: Double.nan, y: 0))
    #expect(correction == before)
    correction.move(0, to: CGPoint(x: -5, y: -5))
    #expect(correction.corners[0] == CGPoint(x: -0.1, y: -0.1))
    for _ in 0..<4 { correction.turnRight() }
    #expect(correction.quarterTurns == 0)
  }
}
