import CardModel
import CardStore
import FeedClient
import Foundation
import Testing

@testable import FeedSync

/// What a backend has at the end.
enum CardSyncEnd {
  static func records(_ url: URL, _ token: String) async throws -> [CardRecord] {
    let backend = FeedClient(cards: url, token: token)
    var (records, cursor): ([CardRecord], String?) = ([], nil)
    while true {
      let page = try await backend.changes(since: cursor)
      records += page.entries.compactMap { CardRecord(data: $0.json) }.filter {
        $0.id != SignOn.probe
      }
      cursor = page.cursor
      if !page.hasMore {
        return records.sorted { "\($0.id)".lowercased() < "\($1.id)".lowercased() }
      }
    }
  }
}

@Suite("Random sequences", .serialized)
struct SequenceTests {
  /// `VIEWFINDER_SEQUENCES`, and which is the first, to repeat one.
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["VIEWFINDER_SEQUENCES"].flatMap { Int($0) } ?? 20
  private static let first = environment["VIEWFINDER_FIRST_SEQUENCE"].flatMap { Int($0) } ?? 0

  @Test("All agree in the end, no edit is lost without a kept copy, and no delete comes back")
  func sequences() async throws {
    var total = Tally()
    for seed in Self.first..<Self.first + Self.count {
      var sequence = try await RandomSequence(seed: UInt64(seed))
      let problems = try await sequence.run(steps: 80)
      #expect(problems == [], "sequence \(seed)")
      total.add(sequence.tally)
    }
    print(total.words)
    #expect(total.kills > 0 && total.lostAnswers > 0 && total.merges > 0)
  }
}
