import CardModel
import Foundation

/// What becomes of a value that lost a merge.
public enum KeptChoice: String, Sendable {
  /// It takes the place of the present one.
  case use
  /// It goes.
  case dismiss
}

/// A choice between two values, to be taken back: both of them, because the store has only one of them any more.
public struct KeptUndo: Hashable, Sendable {
  let card: UUID
  private let choice: KeptChoice
  /// The entry of the value that had lost, as it came, and what it says.
  private let entry: JSONValue
  private let kept: KeptValue
  /// The value that had won, as it is kept where another one has come since; `nil` for a whole card.
  private var winner: KeptValue?

  /// The member's name; `nil` for a whole card.
  var field: String? { kept.field }

  /// Remembers a choice that is about to be made in a record; `nil` for an entry of another form.
  init?(_ entry: JSONValue, of record: CardRecord, _ choice: KeptChoice, at date: Date) {
    guard let kept = KeptValue(entry) else { return nil }
    (card, self.choice, self.entry, self.kept) = (record.id, choice, entry, kept)
    guard let field = kept.field else { return }
    let present = record.members[field]
    var winner = KeptValue(of: record, field: field, value: present, when: date)
    // Who signed the record may have changed something else.
    winner.wallet = kept.winner?.wallet(of: present)
    self.winner = winner
  }

  /// Takes a choice from its JSON object; `nil` where that is none.
  public init?(_ json: JSONValue) {
    guard let object = json.object, let card = object["card"]?.text.flatMap(UUID.init(uuidString:)),
      let choice = object["choice"]?.text.flatMap(KeptChoice.init(rawValue:)),
      let entry = object["kept"],
      let kept = KeptValue(entry)
    else { return nil }
    (self.card, self.choice, self.entry, self.kept) = (card, choice, entry, kept)
    winner = object["winner"].flatMap(KeptValue.init)
    guard winner?.field == kept.field else { return nil }
  }

  /// The choice as a JSON object.
  public var json: JSONValue {
    var object = ["card": JSONValue.string("\(card)"), "kept": entry]
    object["choice"] = .string(choice.rawValue)
    object["winner"] = winner?.json
    return .object(object)
  }

  /// Makes the conflict again.
  ///
  /// Where the member has got another value since, that one stands, and both of before are kept beside it.
  func apply(to record: inout CardRecord) {
    guard let field, let winner else {
      record.kept.insert(entry)
      return
    }
    let chosen = choice == .use ? kept.value : winner.value
    if record.members[field] == chosen { record.members[field] = winner.value }
    let present = record.members[field]
    if present != kept.value { record.kept.insert(entry) }
    if present != winner.value { record.kept.insert(winner.json) }
  }
}
