import Dispatch
import Foundation
import Testing

@testable import Viewfinder

/// Writes down what was found.
private final class Finder: CaptureMetadataOutputObjectsDelegate {
  let calls = Log<[MetadataOutlineObject]>()

  func metadataOutput(
    _ output: CaptureMetadataOutput, didOutput metadataObjects: [any MetadataObject],
    from connection: CaptureConnection
  ) { calls.append(metadataObjects.compactMap { $0 as? MetadataOutlineObject }) }
}

@Suite("Metadata output", .timeLimit(.minutes(5))) struct CaptureMetadataOutputTests {
  @Test(
    "The delegate and the sequence get the card of each frame, and nothing once when it is gone")
  func cards() async throws {
    let rig = try Rig()
    let output = CaptureMetadataOutput()
    let finder = Finder()
    output.setMetadataObjectsDelegate(finder, queue: DispatchQueue(label: "finder"))
    let sequence = output.metadataObjects
    try await rig.start(output)
    #expect(await eventually { finder.calls.all.count >= 5 })
    let cards = finder.calls.all.prefix(5).compactMap(\.first)
    #expect(cards.count == 5)
    #expect(Set(cards.map(\.card.identifier)).count == 1)
    #expect(cards.map(\.time) == cards.map(\.time).sorted())
    let format = try #require(rig.session.activeVideoFormat)
    let truth = try #require(rig.camera.cardCorners(inFrame: 0, size: format.dimensions))
    for card in cards {
      #expect(card.card.outline.quadrilateral.distance(to: truth) < 0.03)
      #expect(card.bounds.insetBy(dx: -0.03, dy: -0.03).contains(truth.center))
      #expect(card.type == .outline && card.card.conditions.fill > 0.05)
    }
    await rig.session.stopRunning()
    #expect(await eventually { finder.calls.all.last?.isEmpty == true })
    #expect(finder.calls.all.count { $0.isEmpty } == 1)
    for await objects in sequence where objects.isEmpty { break }
  }

  @Test("With no type, outside the rectangle of interest and without a reader nothing is told")
  func silence() async throws {
    let rig = try Rig()
    let (output, other) = (CaptureMetadataOutput(), CaptureMetadataOutput())
    let (finder, otherFinder) = (Finder(), Finder())
    output.setMetadataObjectsDelegate(finder, queue: nil)
    other.setMetadataObjectsDelegate(otherFinder, queue: nil)
    output.metadataObjectTypes = []
    other.rectOfInterest = CGRect(x: 0, y: 0, width: 0.1, height: 0.1)
    let video = CaptureVideoDataOutput()
    try await rig.start(output, other, video)
    var frames = video.frames.makeAsyncIterator()
    for _ in 0..<20 { _ = await frames.next() }
    #expect(finder.calls.all.isEmpty && otherFinder.calls.all.isEmpty)
    other.rectOfInterest = Outline.wholePicture
    #expect(await eventually { !otherFinder.calls.all.isEmpty })
    other.rectOfInterest = CGRect(x: 0, y: 0, width: 0.1, height: 0.1)
    #expect(await eventually { otherFinder.calls.all.last?.isEmpty == true })
    #expect(finder.calls.all.isEmpty)
  }

  @Test("A turned connection's cards lie as the picture does")
  func rotation() async throws {
    let rig = try Rig()
    let output = CaptureMetadataOutput()
    let sequence = output.metadataObjects
    try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    try rig.session.addOutput(output)
    output.connection(with: .video)?.videoRotationAngle = 90
    try await rig.session.startRunning()
    let format = try #require(rig.session.activeVideoFormat)
    let truth = try #require(rig.camera.cardCorners(inFrame: 0, size: format.dimensions))
    for await objects in sequence {
      let card = try #require(objects.first as? MetadataOutlineObject).card
      #expect(card.outline.pictureDimensions == format.dimensions.swapped)
      let turned = truth.map { CGPoint(x: 1 - $0.y, y: $0.x) }
      #expect(card.outline.quadrilateral.distance(to: turned) < 0.03)
      break
    }
  }

  @Test(
    "Where the package reads them, a card's bar code is told beside the card",
    .enabled(
      if: CaptureMetadataOutput().availableMetadataObjectTypes.contains(.ean13),
      "the trait Barcodes is off"))
  func codes() async throws {
    let rig = try Rig()
    try rig.choose(.mjpeg, Dimensions(width: 1280, height: 720))
    let output = CaptureMetadataOutput()
    output.metadataObjectTypes = [.outline, .ean13]
    let sequence = output.metadataObjects
    try await rig.start(output)
    for await objects in sequence where objects.count == 2 {
      let card = try #require(objects[0] as? MetadataOutlineObject)
      let code = try #require(objects[1] as? MetadataMachineReadableCodeObject)
      #expect(code.type == .ean13 && code.stringValue == "2914035827649")
      #expect(card.bounds.contains(code.bounds))
      break
    }
    // Those that aren't asked for aren't told.
    output.metadataObjectTypes = [.qr]
    for await objects in sequence where objects.isEmpty { break }
  }

  @Test(
    "A turned connection's codes lie as the picture does",
    .enabled(
      if: CaptureMetadataOutput().availableMetadataObjectTypes.contains(.ean13),
      "the trait Barcodes is off"))
  func turnedCodes() async throws {
    var centers: [CGPoint] = []
    for angle in [0.0, 90] {
      let rig = try Rig()
      try rig.choose(.mjpeg, Dimensions(width: 1280, height: 720))
      let output = CaptureMetadataOutput()
      output.metadataObjectTypes = [.ean13]
      let sequence = output.metadataObjects
      try rig.session.addInput(CaptureDeviceInput(device: rig.device))
      try rig.session.addOutput(output)
      output.connection(with: .video)?.videoRotationAngle = angle
      try await rig.session.startRunning()
      for await objects in sequence {
        let bounds = try #require(objects.first).bounds
        centers.append(CGPoint(x: bounds.midX, y: bounds.midY))
        break
      }
    }
    let turned = CGPoint(x: 1 - centers[0].y, y: centers[0].x)
    #expect(hypot(turned.x - centers[1].x, turned.y - centers[1].y) < 0.05, "\(centers)")
  }

  @Test(
    "A QR code turned with its picture keeps its corners clockwise",
    arguments: ImageOrientation.allCases)
  func turnedCode(orientation: ImageOrientation) {
    let corners = [(0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (0.1, 0.6)].map { CGPoint(x: $0.0, y: $0.1) }
    let code = MetadataMachineReadableCodeObject(
      type: .qr, time: .zero, corners: corners, stringValue: nil
    ).upright(orientation)
    let area = (0..<4).reduce(0.0) { sum, i in
      let (a, b) = (code.corners[i], code.corners[(i + 1) % 4])
      return sum + (a.x * b.y - b.x * a.y) / 2
    }
    #expect(abs(area - 0.12) < 1e-9)
  }
}

@Suite("Outline tracker") struct OutlineTrackerTests {
  @Test(
    "In a turned or mirrored frame the card lies where it does in the upright picture",
    arguments: ImageOrientation.allCases)
  func orientations(orientation: ImageOrientation) async throws {
    let rig = try Rig()
    let video = CaptureVideoDataOutput()
    try await rig.start(video)
    let frame = try #require(await video.frames.first { _ in true })
    let found = try OutlineDetector().outlines(in: frame, orientation: orientation)
    let upright = try #require(found.first)
    let followed = try OutlineTracker().follow(frame, orientation: orientation)
    let tracked = try #require(followed)
    #expect(tracked.outline.pictureDimensions == upright.pictureDimensions)
    // Corner by corner, the first one too.
    for (a, b) in zip(tracked.outline.quadrilateral.corners, upright.quadrilateral.corners) {
      #expect(hypot(a.x - b.x, a.y - b.y) < 0.02)
    }
    for (a, b) in zip(tracked.outline.edgeSupport, upright.edgeSupport) {
      #expect(abs(a - b) < 0.3)
    }
  }

  @Test("What is wrong with a picture is told with its figure, the most urgent first")
  func advice() {
    var good = OutlineConditions(
      fill: 0.3, margin: 0.1, slant: 10, edgeWidth: 2, longestSide: 500, luminance: 0.5,
      pictureLuminance: 0.5, glare: 0.01, glareCenter: .zero, contrast: 0.4)
    #expect(good.advice == [])
    good.slant = 55
    #expect(good.advice == [.tooSlanted(degrees: 55)])
    good.margin = -0.02
    #expect(good.advice == [.cutOff(margin: 0.02), .tooSlanted(degrees: 55)])
    (good.margin, good.slant, good.fill) = (0.002, 0, 0.02)
    #expect(good.advice == [.tooNear(margin: 0.002), .tooFar(fill: 0.02)])
    (good.margin, good.fill, good.edgeWidth, good.glare) = (0.1, 0.2, 30, 0.6)
    #expect(good.advice == [.glare(share: 0.6, center: .zero), .blurred(edgeWidth: 30)])
    (good.edgeWidth, good.glare, good.contrast, good.pictureLuminance) = (2, 0, 0.01, 0.05)
    #expect(good.advice == [.tooDark(luminance: 0.05), .lowContrast(range: 0.01)])
  }
}
