import CardModel
import Foundation
import WebServing

/// What a page changes about a card: some of its members, by name.
struct CardChange {
  private let members: [String: JSONValue]

  /// Takes members from a page; values of the wrong kind are refused with words that say what is right.
  init(_ json: JSONValue) throws {
    guard let members = json.object else { throw Self.refusal("A card is a JSON object.") }
    self.members = members
  }

  /// Changes a card.
  func apply(to card: inout Card) throws {
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try apply(name, value, to: &card)
    }
  }

  private func apply(_ name: String, _ value: JSONValue, to card: inout Card) throws {
    switch name {
    case "name": card.name = try text(value).trimmingCharacters(in: .whitespacesAndNewlines)
    case "note": card.note = try text(value)
    case "cardId": card.cardId = try text(value).trimmingCharacters(in: .whitespacesAndNewlines)
    case "barcodeId": card.barcodeId = try text(value)
    case "validFrom":
      card.validFrom = try read(value, CardDate.init, "A day is such as 2026-12-31.")
    case "expiry": card.expiry = try read(value, CardDate.init, "A day is such as 2026-12-31.")
    case "balance":
      let words = "The balance is a number such as 12.50."
      card.balance = try read(value, Self.amount, words) ?? 0
    case "balanceType":
      let words = "The currency is three letters, such as EUR; leave it empty for points."
      let code = try read(value, { $0.wholeMatch(of: /[A-Za-z]{3}/) == nil ? nil : $0 }, words)
      card.balanceType = code?.uppercased() ?? ""
    case "barcodeType":
      card.barcodeType = try read(value, BarcodeType.init, "There is no such kind of bar code.")
    case "headerColor":
      card.headerColor = try read(value, CardColor.init, "A colour is such as #0a5fd1.")
    case "starStatus": card.starStatus = try bool(value)
    case "archiveStatus": card.archiveStatus = try bool(value)
    case "groups":
      guard let names = value.array?.map(\.text), !names.contains(nil) else {
        throw Self.refusal("Groups are a list of names.")
      }
      card.groups = names.compactMap { $0?.trimmingCharacters(in: .whitespacesAndNewlines) }
    case "front": card.front = try picture(value)
    case "back": card.back = try picture(value)
    default: throw Self.refusal("A card has no “\(name.prefix(40))” that a page may change.")
    }
  }

  private static func refusal(_ words: String) -> WebError { WebError(.badRequest, words) }

  private static func amount(_ text: String) -> Decimal? {
    let text = text.replacing(",", with: ".")
    guard text.wholeMatch(of: /-?[0-9]{1,15}(?:\.[0-9]{1,6})?/) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  private func text(_ value: JSONValue) throws -> String {
    guard let text = value.text else { throw Self.refusal("Texts are JSON strings.") }
    return text
  }

  private func bool(_ value: JSONValue) throws -> Bool {
    guard let bool = value.bool else { throw Self.refusal("Switches are true or false.") }
    return bool
  }

  /// Reads a text; `nil` for an empty one.
  private func read<Value>(
    _ value: JSONValue, _ parse: (String) -> Value?, _ words: String
  ) throws -> Value? {
    let text = try text(value).trimmingCharacters(in: .whitespaces)
    if text.isEmpty { return nil }
    guard let parsed = parse(text) else { throw Self.refusal(words) }
    return parsed
  }

  private func picture(_ value: JSONValue) throws -> CardPicture? {
    if value == .null { return nil }
    guard let picture = CardPicture(value) else { throw Self.refusal("That is no picture.") }
    return picture
  }
}
