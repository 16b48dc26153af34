import Foundation
import Testing

@testable import Viewfinder

@Suite("Automatic shutter", .timeLimit(.minutes(5))) struct AutomaticShutterTests {
  /// A card that lies well in the picture.
  private static func card(
    _ identifier: Int = 1, steady seconds: Double = 10, edgeWidth: Double = 1.5,
    fill: Double = 0.3, x: Double = 0.2
  ) -> TrackedOutline {
    let frame = CGRect(x: x, y: 0.2, width: 0.6, height: 0.6)
    return TrackedOutline(
      outline: DetectedOutline(
        in: .vga, quadrilateral: Quadrilateral(frame), confidence: 0.9, aspectRatio: 1.586,
        kind: .card, edgeSupport: [1, 1, 1, 1]),
      identifier: identifier, speed: 0, steadyDuration: .seconds(seconds),
      conditions: OutlineConditions(
        fill: fill, margin: 0.1, slant: 5, edgeWidth: edgeWidth, longestSide: 384, luminance: 0.5,
        pictureLuminance: 0.5, glare: 0, glareCenter: CGPoint(x: 0.5, y: 0.5), contrast: 0.5))
  }

  /// The frame, by its number, and when it comes; frames come ten a second.
  private func fired(_ cards: [TrackedOutline?], by shutter: AutomaticShutter = AutomaticShutter())
    -> (chosen: Int, at: Int)?
  {
    var watch = SteadyWatch<Int>(shutter)
    for (number, card) in cards.enumerated() {
      if let moment = watch.look(at: number, .milliseconds(100 * number), card) {
        return (moment.frame, number)
      }
    }
    return nil
  }

  @Test("A card must lie still and good for 0.8 s while somebody looks")
  func moment() throws {
    let cards = [TrackedOutline?](repeating: Self.card(), count: 20)
    #expect(try #require(fired(cards)) == (0, 8))
    var shutter = AutomaticShutter()
    shutter.steadyDuration = .milliseconds(300)
    #expect(try #require(fired(cards, by: shutter)) == (0, 3))
    #expect(fired([TrackedOutline?](repeating: nil, count: 20)) == nil)
  }

  @Test("Movement, advice, another card and a card that was gone begin anew")
  func interruptions() throws {
    func at(_ change: TrackedOutline?) throws -> Int {
      var cards = [TrackedOutline?](repeating: Self.card(), count: 30)
      cards[5] = change
      return try #require(fired(cards)).at
    }
    #expect(try at(Self.card(steady: 0)) == 13)
    #expect(try at(Self.card(fill: 0.05)) == 14)
    #expect(try at(nil) == 14)
    #expect(try at(Self.card(2)) == 14)
  }

  @Test("Of the time that the card lay still, the sharpest frame is taken")
  func sharpest() throws {
    var cards = [TrackedOutline?](repeating: Self.card(edgeWidth: 3), count: 20)
    cards[2] = Self.card(edgeWidth: 1)  // Before it moved.
    cards[4] = Self.card(steady: 0, edgeWidth: 4)
    cards[7] = Self.card(edgeWidth: 1.2)
    let moment = try #require(fired(cards))
    #expect(moment == (7, 12))
  }

  @Test("A card to ignore and one beside the rectangle of interest take no photo")
  func left() throws {
    let cards = [TrackedOutline?](repeating: Self.card(7), count: 20)
    var shutter = AutomaticShutter()
    shutter.ignoredIdentifier = 7
    #expect(fired(cards, by: shutter) == nil)
    shutter.ignoredIdentifier = 6
    #expect(fired(cards, by: shutter) != nil)
    shutter.rectOfInterest = CGRect(x: 0, y: 0, width: 0.4, height: 1)
    #expect(fired(cards, by: shutter) == nil)
  }

  @Test("The camera's card takes its photo by itself, straight, and the same card no second one")
  func photo() async throws {
    let rig = try Rig()
    try rig.choose(.mjpeg, Dimensions(width: 1280, height: 720))
    let (output, metadata) = (CapturePhotoOutput(), CaptureMetadataOutput())
    try await rig.start(output, metadata)
    var settings = CapturePhotoSettings.make { settings in
      settings.outline = .detected()
      settings.automaticShutter = AutomaticShutter()
      settings.automaticShutter?.steadyDuration = .milliseconds(200)
    }
    let photo = try await output.capturePhoto(with: settings)
    let found = try #require(photo.detectedOutline)
    let truth = try #require(
      rig.camera.cardCorners(
        inFrame: photo.sequenceNumber, size: photo.resolvedSettings.captureDimensions))
    #expect(found.quadrilateral.distance(to: truth) < 0.01)
    #expect(photo.crop == found.crop && photo.dimensions == found.crop.rectifiedSize)
    #expect(photo.resolvedSettings.photoDimensions == photo.dimensions)
    let identifier = try #require(photo.trackedIdentifier)

    settings = CapturePhotoSettings(from: settings)
    settings.automaticShutter?.ignoredIdentifier = identifier
    let second = Task { [settings] in try await output.capturePhoto(with: settings) }
    var objects = metadata.metadataObjects.makeAsyncIterator()
    for _ in 0..<10 {
      let card = try #require(await objects.next()?.first as? MetadataOutlineObject)
      #expect(card.card.identifier == identifier)
    }
    #expect(output.captureReadiness == .notReadyWaitingForCapture)
    second.cancel()
    await #expect(throws: CaptureError.self) { try await second.value }
    #expect(output.captureReadiness == .ready)
  }

  @Test("A session that stops ends the wait")
  func stop() async throws {
    let rig = try Rig { $0.source = .scene(.bars) }
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder()
    output.capturePhoto(
      with: .make { $0.automaticShutter = AutomaticShutter() }, delegate: recorder)
    #expect(output.captureReadiness == .notReadyWaitingForCapture)
    await rig.session.stopRunning()
    #expect(await recorder.names() == ["didFinish"])
  }
}
