import CardModel
import CardStore
import Foundation

extension RandomSequence {
  /// A value that is nowhere else.
  private mutating func newValue() -> JSONValue {
    number += 1
    return .string("value \(number)")
  }

  mutating func add(_ index: Int) async {
    let id = UUID()
    var card = Card(id: id)
    for field in ["name", "note", "cardId", "unknown"] { card.members[field] = newValue() }
    let pictures = ["front", "back"].map { ($0, picture()) }
    let answer = await ask(
      index, "add",
      [
        "id": .string(id.uuidString), "members": .object(card.members),
        "pictures": .object(Dictionary(uniqueKeysWithValues: pictures)),
      ])
    cards.append(id.uuidString.lowercased())
    guard answer.done != nil else { return }
    tally.edits += 1
    ledger.save(CardRecord(id: id, members: card.members))
  }

  private mutating func picture() -> JSONValue {
    number += 1
    return .string(TestJPEG.make("picture \(number) \(UUID())").base64EncodedString())
  }

  mutating func edit(_ index: Int) async {
    guard let card = cards.randomElement(using: &random) else { return }
    let fields = [
      "name", "note", "note", "cardId", "unknown", "another", "groups", "lastUsed", "front",
    ]
    let field = fields.randomElement(using: &random) ?? "note"
    var value = newValue()
    var members: [String: JSONValue] = [
      "id": .string(card), "field": .string(field), "value": value,
    ]
    if field == "front", let jpeg = picture().text {
      members["pictures"] = .object(["front": .string(jpeg)])
      value = CardPicture(picture: PictureHash(of: Data(base64Encoded: jpeg) ?? Data())).json
    }
    let answer = await ask(index, "edit", members)
    guard let seen = answer.seen, answer.error == nil, field != "lastUsed" else { return }
    let new = Ledger.Value(card: card, field: field, value: value)
    if answer.done != nil {
      tally.edits += 1
      ledger.save(new)
    }
    guard field != "groups", seen != .null else { return }
    let old = Ledger.Value(card: card, field: field, value: seen)
    ledger.replace([old], with: new, isAcknowledged: answer.done != nil)
  }

  mutating func delete(_ index: Int) async {
    // What comes within the delete would be deleted without having been seen here.
    await settleSync(index)
    guard let card = cards.randomElement(using: &random) else { return }
    let answer = await ask(index, "delete", ["id": .string(card)])
    guard let record = answer.seen.flatMap({ CardRecord($0) }), !record.isDeleted else { return }
    let number = ledger.replace(
      Ledger.values(of: record), deleting: card, isAcknowledged: answer.done != nil)
    guard answer.done != nil else { return }
    tally.deletes += 1
    guard chance(0.4) else { return }
    if chance(0.5) {
      sync(index)
      if chance(0.5) { await settleSync(index) }
    }
    let back = await wallets[index].ask("undelete", ["id": .string(card)])
    guard let json = back.done, let undone = CardRecord(json) else { return }
    tally.undeletes += 1
    let id = undone.id.uuidString.lowercased()
    if id == card { return ledger.undo(number) }
    cards.append(id)
    ledger.save(undone)
  }

  /// Takes or dismisses a kept value.
  mutating func settleKept(_ index: Int) async {
    await settleSync(index)
    guard let card = cards.randomElement(using: &random), let id = UUID(uuidString: card) else {
      return
    }
    let isUse = chance(0.5)
    let answer = await wallets[index].ask(isUse ? "use" : "dismiss", ["id": .string(card)])
    guard let seen = answer.seen?.object, let done = answer.done else { return }
    let (field, value) = (seen["field"]?.text, seen["value"] ?? .null)
    let kept = Ledger.values(of: field.map { [$0: value] } ?? value.object ?? [:], id)
    guard isUse else {
      let number = ledger.replace(kept, isAcknowledged: true)
      return await takeBack(index, number)
    }
    if let back = CardRecord(done), back.id != id {
      ledger.replace(kept, isAcknowledged: true)
      cards.append(back.id.uuidString.lowercased())
      ledger.save(back)
    } else if let field, done != .null {
      let old = Ledger.values(of: [field: seen["present"] ?? .null], id)
      let number = ledger.replace(old, with: kept.first, isAcknowledged: true)
      await takeBack(index, number)
    }
  }

  /// Takes back a choice between two values, now and then: both are to be found again.
  private mutating func takeBack(_ index: Int, _ number: Int) async {
    guard chance(0.5) else { return }
    if chance(0.5) {
      sync(index)
      if chance(0.5) { await settleSync(index) }
    }
    guard await wallets[index].ask("takeBack").done?.bool == true else { return }
    tally.choicesTakenBack += 1
    ledger.undo(number)
  }
}
