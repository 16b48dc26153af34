import CViewfinder
import Foundation
import Testing

@Suite("Card tracker") struct DetectTrackTests {
  private static let interval = 1.0 / 30

  @Test("A card at rest stays within a pixel though frames are noisy, and is steady")
  func resting() throws {
    let tracker = try Tracker()
    let card = DrawnCard(318, 243, length: 300, turn: 24)
    var first: [vf_point] = []
    for frame in 0..<30 {
      let picture = try drawCards([card], noise: 8, seed: UInt64(frame + 1))
      let tracking = try tracker.follow(picture, at: Double(frame) * Self.interval)
      #expect(tracking.is_found == 1)
      let corners = tracking.candidate.quadrilateral
      if frame == 0 { first = corners }
      #expect(cornerDistance(corners, first) < 1)
      #expect(cornerDistance(corners, card.corners) < 1)
      #expect(abs(tracking.steady - Double(frame) * Self.interval) < 1e-9)
    }
  }

  @Test("Most frames of a card that is followed aren't searched whole")
  func cheap() throws {
    let tracker = try Tracker()
    let picture = try drawCards([DrawnCard(318, 243, length: 300, turn: 24)])
    let searches = try (0..<30).filter {
      try tracker.follow(picture, at: Double($0) * Self.interval).did_search == 1
    }
    #expect(searches.count <= 3)
  }

  @Test("A card that moves is where it is now, and isn't steady")
  func moving() throws {
    let tracker = try Tracker()
    for frame in 0..<24 {
      let step = Double(frame)
      let card = DrawnCard(200 + 6 * step, 200 + 2 * step, length: 240 + step, turn: 10 + step)
      let tracking = try tracker.follow(drawCards([card]), at: step * Self.interval)
      #expect(tracking.is_found == 1)
      #expect(cornerDistance(tracking.candidate.quadrilateral, card.corners) < 1.5)
      #expect(tracking.card == 1)
      if frame > 1 { #expect(tracking.steady < 2.5 * Self.interval) }
    }
  }

  @Test("A card that left is gone at once, and counts as another when it is back")
  func leaving() throws {
    let tracker = try Tracker()
    let picture = try drawCards([DrawnCard(318, 243, length: 300, turn: 24)])
    let table = try drawCards([])
    #expect(try tracker.follow(picture, at: 0).card == 1)
    #expect(try tracker.follow(picture, at: 0.04).is_found == 1)
    #expect(try tracker.follow(table, at: 0.08).is_found == 0)
    #expect(try tracker.follow(table, at: 0.12).is_found == 0)
    let back = try tracker.follow(picture, at: 0.16)
    #expect(back.is_found == 1)
    #expect(back.card == 2)
    #expect(back.steady == 0)
  }

  @Test("Another card in the same place is another card")
  func exchange() throws {
    let tracker = try Tracker()
    var card = DrawnCard(318, 243, length: 300, turn: 24)
    #expect(try tracker.follow(drawCards([card]), at: 0).card == 1)
    card.color = (30, 30, 40)
    let tracking = try tracker.follow(drawCards([card]), at: 0.04)
    #expect(tracking.is_found == 1)
    #expect(tracking.card == 2)
  }

  @Test("A tracker that is reset, or sees frames of another size, starts anew")
  func reset() throws {
    let tracker = try Tracker()
    let card = DrawnCard(318, 243, length: 300, turn: 24)
    let picture = try drawCards([card])
    #expect(try tracker.follow(picture, at: 0).card == 1)
    vf_tracker_reset(tracker.handle)
    #expect(try tracker.follow(picture, at: 0.04).card == 2)
    let larger = try drawCards([card], width: 800, height: 600)
    let tracking = try tracker.follow(larger, at: 0.08)
    #expect(tracking.did_search == 1)
    #expect(tracking.card == 3)
  }
}
