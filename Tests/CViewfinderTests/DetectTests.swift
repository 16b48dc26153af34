import CViewfinder
import Foundation
import Testing

@Suite("Card detector") struct DetectTests {
  @Test(
    "A card is found to half a pixel, whichever way it is turned",
    arguments: [0.0, 7, 24, 45, 61, 90, 133, 178])
  func turned(degrees: Double) throws {
    let card = DrawnCard(318, 243, length: 300, turn: degrees)
    let found = try Detector().find(drawCards([card]))
    #expect(found.count == 1)
    let candidate = try #require(found.first)
    #expect(cornerDistance(candidate.quadrilateral, card.corners) < 0.5)
    #expect(abs(candidate.aspect - 1.586) < 0.02)
    #expect(candidate.kind == VF_KIND_CARD)
  }

  @Test("Corners go clockwise from the one nearest the top left")
  func order() throws {
    let card = DrawnCard(318, 243, length: 300, turn: 200)
    let corners = try #require(Detector().find(drawCards([card])).first).quadrilateral
    #expect(corners[0].x + corners[0].y == corners.map { $0.x + $0.y }.min())
    let (a, b, c) = (corners[0], corners[1], corners[2])
    #expect((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0)
  }

  @Test("Perspective is taken out of the proportions", arguments: [15.0, 30, 40])
  func tilted(degrees: Double) throws {
    let card = DrawnCard(320, 240, length: 330, turn: 90, tilt: degrees)
    let candidate = try #require(Detector().find(drawCards([card])).first)
    #expect(cornerDistance(candidate.quadrilateral, card.corners) < 0.7)
    #expect(abs(candidate.aspect - 1.586) < 0.08)
  }

  @Test("A sheet is told from a card")
  func sheet() throws {
    let sheet = DrawnCard(320, 240, length: 400, aspect: 1.414, turn: 5)
    let candidate = try #require(Detector().find(drawCards([sheet])).first)
    #expect(candidate.kind == VF_KIND_SHEET)
  }

  @Test("The same picture in any layout gives the same card", arguments: Layout.all)
  func layouts(layout: Layout) throws {
    var card = DrawnCard(318, 243, length: 300, turn: 24)
    card.color = (215, 205, 200)
    let picture = try drawCards([card]).converted(to: layout.fourcc)
    let found = try Detector().find(picture)
    #expect(found.count == 1)
    #expect(try cornerDistance(#require(found.first).quadrilateral, card.corners) < 0.6)
  }

  @Test("Of several cards each is found")
  func several() throws {
    var cards = [
      DrawnCard(160, 130, length: 200, turn: 4), DrawnCard(460, 130, length: 190, turn: -9),
      DrawnCard(170, 350, length: 210, turn: 2), DrawnCard(470, 350, length: 200, turn: 95),
    ]
    cards[1].color = (40, 120, 190)
    cards[3].color = (230, 230, 225)
    let found = try Detector().find(drawCards(cards))
    for card in cards {
      #expect(found.contains { cornerDistance($0.quadrilateral, card.corners) < 1 })
    }
  }

  @Test("A card that much lies across is found, too, where others of its size lie around it")
  func neighbours() throws {
    var cards: [DrawnCard] = []
    for y in [150.0, 278] {
      for x in [115.0, 307, 499] {
        cards.append(DrawnCard(x, y, length: 175))
        cards[cards.count - 1].color = (220, 220, 215)
      }
    }
    let covered = cards[5].corners
    let bars = [(551.5, -0.8), (446.5, -0.7)].map { x, lean in
      let length = hypot(160 * lean, 180)
      let turn = atan2(180, 160 * lean) * 180 / .pi
      var bar = DrawnCard(x, 278, length: length, aspect: length / 34, turn: turn)
      bar.color = (30, 28, 26)
      bar.radius = 0.001
      return bar
    }
    let found = try Detector().find(drawCards(cards + bars, ground: 150))
    #expect(found.contains { cornerDistance($0.quadrilateral, covered) < 3 })
  }

  @Test("A card that something lies across is found whole", arguments: [0.0, 30, 75])
  func across(degrees: Double) throws {
    let card = DrawnCard(318, 243, length: 300, turn: 12)
    var bar = DrawnCard(330, 240, length: 800, aspect: 22, turn: 102 + degrees)
    bar.color = (30, 34, 30)
    let candidate = try #require(Detector().find(drawCards([card, bar])).first)
    #expect(cornerDistance(candidate.quadrilateral, card.corners) < 1.5)
  }

  @Test("A card of which a side hardly shows is found whole, by the other three")
  func coveredSide() throws {
    let card = DrawnCard(
      [(303.2, 74.8), (476.3, 296), (336.8, 405.2), (163.7, 184)], (210, 60, 70))
    var cover = DrawnCard(
      [(271.9, 365.3), (96, 147.8), (154.3, 120), (309.1, 339.7)], (40, 110, 60))
    cover.radius = 0.001
    let found = try Detector().find(drawCards([card, cover]))
    #expect(found.contains { cornerDistance($0.quadrilateral, card.corners) < 8 })
  }

  @Test("A side that something lies along is found where the card ends", arguments: Beside.allCases)
  func beside(scene: Beside) throws {
    let candidate = try #require(Detector().find(drawCards([scene.card, scene.thing])).first)
    #expect(cornerDistance(candidate.quadrilateral, scene.card.corners) < 2)
  }

  @Test("A card is found to its edges where it throws a shadow")
  func shadow() throws {
    let (rig, detector) = (try SimulatorRig(), try Detector())
    try rig.open { grabber in
      try grabber.start(VF_MJPEG, 1920, 1080)
      for _ in 0..<26 {
        let (sequence, found) = try grabber.next { frame in
          var (image, failure) = (vf_image(), vf_failure())
          let code = vf_jpeg_decode(
            &image, frame.planes.0!, frame.counts.0, nil, nil, &failure)
          guard code == 0 else { throw SimulatorFailure(failure) }
          defer { vf_image_free(&image) }
          return (frame.sequence, try detector.find(&image))
        }
        let truth = try rig.corners(sequence, 1920, 1080)
        let distance = try cornerDistance(#require(found.first).quadrilateral, truth)
        #expect(found.count == 1 && distance < 4, "\(distance) pixels in frame \(sequence)")
      }
    }
  }

  @Test("No more candidates are written than there is room for")
  func room() throws {
    let cards = [DrawnCard(160, 240, length: 200), DrawnCard(470, 240, length: 200, turn: 90)]
    let picture = try drawCards(cards)
    #expect(try Detector().find(picture, threshold: 0, count: 1).count == 1)
    #expect(try Detector().find(picture, threshold: 0, count: 0).isEmpty)
  }

  @Test("A large picture is refined at its own size")
  func large() throws {
    let card = DrawnCard(1010, 740, length: 1200, turn: 11)
    let picture = try drawCards([card], width: 2000, height: 1500)
    let candidate = try #require(Detector().find(picture).first)
    #expect(cornerDistance(candidate.quadrilateral, card.corners) < 0.6)
  }

  @Test(
    "Nothing is found where nothing is", arguments: ["flat", "noise", "checkerboard", "stripes"])
  func nothing(pattern: String) throws {
    let noise = Noise.bytes(640 * 480)
    let picture = try Picture(VF_GREY, 640, 480) { _, x, y in
      switch pattern {
      case "flat": 128
      case "noise": Int(noise[y * 640 + x])
      case "checkerboard": (x / 2 + y / 2) % 2 * 255
      default: x / 5 % 2 * 180
      }
    }
    #expect(try Detector().find(picture).isEmpty)
  }

  @Test(
    "Pictures of any size are searched",
    arguments: [
      (1, 1), (1, 4000), (4000, 1), (2, 2), (3, 700), (5, 5), (16, 16), (65500, 1), (9, 1000),
      (511, 513),
    ])
  func sizes(width: Int, height: Int) throws {
    let noise = Noise.bytes(1009)
    let detector = try Detector()
    for fourcc in [VF_GREY, VF_YUYV, VF_NV12, VF_I411, VF_RGB24] {
      let count = vf_image_size(fourcc, UInt32(width), UInt32(height), 0)
      let bytes = (0..<count).map { noise[$0 % 1009] }
      let picture = try Picture(viewing: bytes, fourcc, width, height)
      for candidate in try detector.find(picture, threshold: 0) {
        #expect(candidate.quadrilateral.allSatisfy { $0.x.isFinite && $0.y.isFinite })
        #expect((0...1).contains(candidate.confidence))
      }
    }
  }

  @Test("What was seen before doesn't matter")
  func memory() throws {
    let card = DrawnCard(318, 243, length: 300, turn: 24)
    let picture = try drawCards([card])
    let detector = try Detector()
    let first = try #require(try detector.find(picture).first)
    _ = try detector.find(drawCards([DrawnCard(900, 500, length: 800)], width: 1800, height: 1000))
    let again = try #require(try detector.find(picture).first)
    #expect(cornerDistance(first.quadrilateral, again.quadrilateral) == 0)
    #expect(first.confidence == again.confidence)
  }

  @Test("A malformed image is refused")
  func malformed() throws {
    let picture = try Picture(VF_GREY, 20, 20)
    picture.image.fourcc = VF_MJPEG
    let detector = try Detector()
    #expect(code { _ = try detector.find(picture) } == ENOTSUP)
  }
}

@Suite("Card advice") struct AdviceTests {
  private func advice(_ picture: Picture, _ corners: [vf_point]) throws -> vf_advice {
    var advice = vf_advice()
    var failure = vf_failure()
    let code = vf_advise(&advice, &picture.image, corners, &failure)
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    return advice
  }

  @Test("Size, margin, light and sharpness are told")
  func values() throws {
    var card = DrawnCard(320, 240, length: 320)
    card.color = (128, 128, 128)
    let advice = try advice(drawCards([card], noise: 0), card.corners)
    #expect(abs(advice.fill - 320 * 320 / 1.586 / (640 * 480)) < 0.002)
    #expect(abs(advice.margin - (240 - 320 / 1.586 / 2) / 480) < 0.002)
    #expect(advice.slant < 3)
    #expect(abs(advice.luminance - 0.5) < 0.02)
    #expect(advice.contrast < 0.05)
    #expect(advice.glare == 0)
    #expect(advice.edge_width > 0.5 && advice.edge_width < 2.5)
  }

  @Test("A slanted card says by how much", arguments: [20.0, 40])
  func slant(degrees: Double) throws {
    let card = DrawnCard(320, 240, length: 330, tilt: degrees)
    let advice = try advice(drawCards([card]), card.corners)
    #expect(abs(advice.slant - degrees) < 12)
  }

  @Test("A card beyond the border has a negative margin")
  func cutOff() throws {
    let card = DrawnCard(120, 240, length: 320)
    #expect(try advice(drawCards([card]), card.corners).margin < -0.05)
  }

  @Test("Glare is measured and placed")
  func glare() throws {
    var card = DrawnCard(320, 240, length: 320)
    card.color = (90, 90, 90)
    var spot = DrawnCard(400, 200, length: 60, aspect: 1)
    spot.color = (255, 255, 255)
    let advice = try advice(drawCards([card, spot], noise: 0), card.corners)
    #expect(abs(advice.glare - 3600 / (320 * 320 / 1.586)) < 0.02)
    #expect(hypot(advice.glare_center.x - 400, advice.glare_center.y - 200) < 8)
    #expect(advice.contrast > 0.5)
  }

  @Test("Smoothed edges are wider than sharp ones")
  func blurred() throws {
    let card = DrawnCard(320, 240, length: 320, turn: 10)
    let sharp = try drawCards([card], noise: 0)
    let blurred = try sharp.scaled(160, 120).scaled(640, 480)
    let widths = try [sharp, blurred].map { try advice($0, card.corners).edge_width }
    #expect(widths[1] > widths[0] + 1.5)
  }

  @Test("Corners that enclose nothing are refused")
  func refusals() throws {
    let picture = try Picture(VF_GREY, 64, 64)
    let point = vf_point(x: 5, y: 5)
    #expect(code { _ = try advice(picture, [point, point, point, point]) } == EINVAL)
    let card = DrawnCard(32, 32, length: 30)
    #expect(code { _ = try advice(picture, card.corners.reversed()) } == EINVAL)
    var broken = card.corners
    broken[2].x = .nan
    #expect(code { _ = try advice(picture, broken) } == EINVAL)
  }
}
