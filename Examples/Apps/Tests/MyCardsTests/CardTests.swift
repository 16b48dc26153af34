import CardModel
import Foundation
import Testing

@Suite("Cards") struct CardTests {
  static let hash = PictureHash(String(repeating: "0a", count: 32))!

  static func card(_ name: String) -> Card {
    var card = Card()
    card.name = name
    card.front = CardPicture(picture: hash, original: hash)
    card.back = CardPicture(picture: hash)
    return card
  }

  @Test("A card needs a name and no photo, and says what is missing")
  func problems() {
    #expect(Card().problems == [.noName])
    var card = Self.card("Library")
    #expect(card.problems == [])
    card.name = " \n"
    #expect(card.problems == [.noName])
    card.name = String(repeating: "n", count: 10_000)
    #expect(card.problems == [.tooLong(field: "name", characters: 10_000, limit: 200)])
    #expect("\(card.problems[0])" == "The name has 10000 characters; make it 200 at most.")
  }

  @Test("What isn't known, or of another type, is kept as it came")
  func unknownMembers() throws {
    let text = """
      {"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11","name":7,"colour":{"of":[1,2.50,null,true]},"note":"n"}
      """
    var card = try #require(Card(JSONValue(parsing: Data(text.utf8))))
    #expect(card.name == "")
    card.note = "changed"
    let object = try #require(card.json.object)
    #expect(object["name"] == .number(7))
    #expect(object["note"] == .string("changed"))
    #expect(
      object["colour"] == .object(["of": .array([.number(1), .number(2.5), .null, .bool(true)])]))
    #expect(Card(try JSONValue(parsing: card.json.data)) == card)
  }

  @Test(
    "Without an identifier there is no card",
    arguments: ["[]", "{}", #"{"id":5}"#, #"{"id":"../../etc"}"#, #"{"name":"x"}"#])
  func noIdentifier(text: String) throws {
    #expect(Card(try JSONValue(parsing: Data(text.utf8))) == nil)
  }

  @Test("An empty field and none are the same, and groups are a set")
  func emptyFields() {
    var card = Self.card("Library")
    let before = card
    (card.note, card.cardId, card.balance, card.expiry) = ("n", "1", 5, CardDate("2026-01-31"))
    (card.starStatus, card.groups) = (true, ["b", "a", "b", ""])
    #expect(card.groups == ["a", "b"])
    (card.note, card.cardId, card.balance, card.expiry) = ("", "", 0, nil)
    (card.starStatus, card.groups) = (false, [])
    #expect(card == before)
  }

  @Test("A card is in 32 groups at most, and a group's name has 60 characters at most")
  func groupLimits() {
    var card = Card()
    card.name = "Shop"
    func groupProblems() -> [CardProblem] {
      card.problems.filter {
        switch $0 {
        case .tooManyGroups, .groupTooLong: true
        default: false
        }
      }
    }
    card.groups = (1...32).map { "\($0)" + String(repeating: "x", count: 58) }
    #expect(groupProblems().isEmpty)
    card.groups = (1...33).map { "\($0)" }
    #expect(groupProblems() == [.tooManyGroups(count: 33, limit: 32)])
    card.groups = [String(repeating: "x", count: 100_000)]
    #expect(groupProblems() == [.groupTooLong(characters: 100_000, limit: 60)])
  }

  @Test(
    "Only days that a calendar has are days",
    arguments: [
      ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
      ("2026-04-31", false), ("2026-13-01", false), ("0000-01-01", false), ("2026-1-1", false),
      ("2026-01-01T00:00", false), ("٢٠٢٦-٠١-٠١", false),
    ])
  func days(text: String, isDay: Bool) {
    #expect((CardDate(text) != nil) == isDay)
    #expect(CardDate(text).map(\.description) == (isDay ? text : nil))
  }

  @Test(
    "Only 64 small hexadecimal digits name a picture",
    arguments: [
      "", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "a", count: 63),
    ])
  func hashes(text: String) {
    #expect(PictureHash(text) == nil)
  }

  @Test("Colours are six digits", arguments: ["#0a5fd", "0a5fd1x", "#+a5fd1", "#0a5fd12"])
  func colors(text: String) {
    #expect(CardColor(text) == nil)
    #expect(CardColor("#00ff7f")?.description == "#00ff7f")
  }
}
