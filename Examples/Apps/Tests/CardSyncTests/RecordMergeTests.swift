import CardModel
import Foundation
import Testing

@testable import CardStore

@Suite("Three-way merge")
struct RecordMergeTests {
  private static let id = UUID()
  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  private static func record(_ edit: String, _ members: [String: JSONValue]?) -> CardRecord {
    CardRecord(id: id, edit: edit, isDeleted: members == nil, members: members ?? [:])
  }

  private static func merge(
    _ base: [String: JSONValue]?, _ mine: [String: JSONValue]?, _ theirs: [String: JSONValue]?
  ) -> CardRecord {
    RecordMerge(
      base: base.map { record("base", $0) }, mine: record("mine", mine),
      theirs: record("theirs", theirs), date: date
    ).result
  }

  private static func lost(_ field: String, _ value: JSONValue?) -> JSONValue {
    KeptValue(of: record("mine", [:]), field: field, value: value, when: date).json
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var base: JSONValue?
    var mine: JSONValue?
    var theirs: JSONValue?
    var result: JSONValue?
    var isKept = false
  }

  @Test(
    "Of one member",
    arguments: [
      Case(testDescription: "nobody changed it", base: "a", mine: "a", theirs: "a", result: "a"),
      Case(testDescription: "only I did", base: "a", mine: "b", theirs: "a", result: "b"),
      Case(testDescription: "only they did", base: "a", mine: "a", theirs: "c", result: "c"),
      Case(testDescription: "both did alike", base: "a", mine: "b", theirs: "b", result: "b"),
      Case(
        testDescription: "both did differently", base: "a", mine: "b", theirs: "c", result: "c",
        isKept: true),
      Case(testDescription: "I added it", mine: "b", result: "b"),
      Case(testDescription: "they added it", theirs: "c", result: "c"),
      Case(testDescription: "both added others", mine: "b", theirs: "c", result: "c", isKept: true),
      Case(testDescription: "I removed it", base: "a", theirs: "a"),
      Case(testDescription: "they removed it", base: "a", mine: "a"),
      Case(
        testDescription: "I removed it, they changed it", base: "a", theirs: "c", result: "c",
        isKept: true),
      Case(testDescription: "they removed it, I changed it", base: "a", mine: "b", isKept: true),
      Case(testDescription: "both removed it", base: "a"),
      Case(
        testDescription: "objects are one value", base: .object(["x": "1", "y": "1"]),
        mine: .object(["x": "2", "y": "1"]), theirs: .object(["x": "1", "y": "2"]),
        result: .object(["x": "1", "y": "2"]), isKept: true),
    ])
  func member(of item: Case) {
    func members(_ value: JSONValue?) -> [String: JSONValue] {
      value.map { ["unknown": $0] } ?? [:]
    }
    let merged = Self.merge(members(item.base), members(item.mine), members(item.theirs))
    #expect(merged.members["unknown"] == item.result)
    #expect(merged.kept == (item.isKept ? [Self.lost("unknown", item.mine)] : []))
  }

  @Test("Changes of different members are all there, and nothing is kept")
  func differentMembers() {
    let merged = Self.merge(
      ["name": "a", "note": "a", "x": "a"], ["name": "b", "note": "a", "x": "a"],
      ["name": "a", "note": "c", "x": "a"])
    #expect(merged.members == ["name": "b", "note": "c", "x": "a"])
    #expect(merged.kept.isEmpty)
  }

  @Test("A version that says what theirs says is theirs, so that nothing is sent for it")
  func sameAsTheirs() {
    let merged = Self.merge(["name": "a"], ["name": "a"], ["name": "b"])
    #expect(merged.edit == "theirs")
  }

  @Test("Groups merge one by one")
  func groups() {
    func groups(_ names: String...) -> [String: JSONValue] {
      ["groups": .array(names.map(JSONValue.string))]
    }
    let merged = Self.merge(
      groups("a", "b", "c"), groups("b", "c", "mine"), groups("a", "c", "theirs"))
    #expect(merged.members == groups("c", "mine", "theirs"))
    #expect(merged.kept.isEmpty)
    #expect(Self.merge(groups("a"), [:], groups("a", "b")).members == groups("b"))
    // Not a list of texts: one value.
    let odd = Self.merge(groups("a"), ["groups": "odd"], groups("b"))
    #expect(odd.members == groups("b"))
    #expect(odd.kept == [Self.lost("groups", "odd")])
  }

  @Test("Of two times of last use the later stands, whoever's it is")
  func lastUsed() {
    let (early, late): (JSONValue, JSONValue) = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    for (mine, theirs) in [(early, late), (late, early)] {
      let merged = Self.merge([:], ["lastUsed": mine], ["lastUsed": theirs])
      #expect(merged.members == ["lastUsed": late])
      #expect(merged.kept.isEmpty)
    }
    #expect(Self.merge([:], ["lastUsed": late], ["lastUsed": "soon"]).members["lastUsed"] == late)
  }

  @Test("A delete wins over an edit, which is kept as a whole, whichever side it is on")
  func deletes() {
    let edited: [String: JSONValue] = ["name": "b"]
    let mine = Self.merge(["name": "a"], edited, nil)
    #expect(mine.isDeleted && mine.members.isEmpty)
    #expect(mine.kept.compactMap(KeptValue.init).map(\.value) == [.object(edited)])
    let theirs = Self.merge(["name": "a"], nil, edited)
    #expect(theirs.isDeleted && theirs.members.isEmpty)
    #expect(theirs.kept.compactMap(KeptValue.init).map(\.value) == [.object(edited)])
    #expect(Self.merge(["name": "a"], ["name": "a"], nil).kept.isEmpty)
    #expect(Self.merge(["name": "a"], nil, ["name": "a"]).kept.isEmpty)
    #expect(Self.merge(["name": "a"], nil, nil).kept.isEmpty)
    // Nothing is known of before.
    #expect(Self.merge(nil, ["name": "a"], nil).kept.count == 1)
  }

  @Test("Kept values of both sides stay, and what one side dismissed goes")
  func kept() {
    let values = ["a", "b", "c", "d"].map { Self.lost($0, "x") }
    var (base, mine, theirs) = (Self.record("1", [:]), Self.record("2", [:]), Self.record("3", [:]))
    base.kept = [values[0], values[1]]
    mine.kept = [values[1], values[2]]
    theirs.kept = [values[0], values[3]]
    let merged = RecordMerge(base: base, mine: mine, theirs: theirs, date: Self.date).result
    #expect(merged.kept == [values[2], values[3]])
  }

  /// Two versions that change the name, and whose edits there were before and since.
  private static func winner(
    before: [String: String]?, theirs: [String: String], isDeleted: Bool = false
  ) -> KeptValue? {
    let base = before.map { CardRecord(id: id, edit: "base", edits: $0, members: ["name": "a"]) }
    let mine = CardRecord(id: id, edit: "m", edits: ["me": "m"], members: ["name": "b"])
    let other = CardRecord(
      id: id, edit: "t", edits: theirs, isDeleted: isDeleted,
      members: isDeleted ? [:] : ["name": "c"])
    let merged = RecordMerge(base: base, mine: mine, theirs: other, date: date).result
    return merged.kept.first.flatMap(KeptValue.init)
  }

  @Test("Whose value won is noted where one wallet alone has made edits since, also of a delete")
  func winner() throws {
    for isDeleted in [false, true] {
      let one = try #require(
        Self.winner(
          before: ["x": "1", "y": "1"], theirs: ["x": "1", "y": "t"], isDeleted: isDeleted))
      #expect(one.wallet == "me" && one.winner?.wallet == "y")
      let value: JSONValue? = isDeleted ? nil : "c"
      #expect(one.winner?.wallet(of: value) == "y")
      // Another value that stands there later is somebody else's.
      #expect(one.winner?.wallet(of: "d") == nil)
    }
    let several = Self.winner(before: ["x": "1", "y": "1"], theirs: ["x": "2", "y": "t"])
    #expect(several != nil && several?.winner == nil)
    #expect(Self.winner(before: nil, theirs: ["x": "1", "y": "t"])?.winner == nil)
    #expect(Self.winner(before: ["x": "1"], theirs: [:])?.winner == nil, "as other programs write")
  }

  @Test("What wallets of before kept is read, and what one of today keeps has no name of a blob")
  func keptJSON() throws {
    let before = JSONValue.object(
      ["edit": "e", "field": "note", "value": "x", "when": "2026-01-01T00:00:00Z"])
    let old = try #require(KeptValue(before))
    #expect(old.wallet == nil && old.winner == nil && old.json == before)
    let new = try #require(Self.winner(before: ["x": "1"], theirs: ["x": "t"]))
    #expect(KeptValue(new.json) == new)
    // Servers take each text of 64 hexadecimal digits for one.
    let text = String(decoding: new.json.data, as: UTF8.self)
    #expect(text.contains("over") && text.firstMatch(of: /[0-9a-f]{64}/) == nil)
  }

  @Test("A record is the same bytes however its kept values came, and back")
  func json() throws {
    var record = Self.record("e", ["name": "a", "unknown": .object(["x": .array([.null])])])
    record.edits = ["wallet": "e"]
    record.kept = [Self.lost("b", "x"), Self.lost("a", nil), .string("of another form")]
    let again = try #require(CardRecord(try JSONValue(parsing: record.json.data)))
    #expect(again == record)
    #expect(again.json.data == record.json.data)
    #expect(CardRecord(.object(["name": "no identifier"])) == nil)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// Takes a text.
  public init(stringLiteral value: String) { self = .string(value) }
}
