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
      guard let field = CardFields[name], field.kind != .moment else {
        throw Self.refusal("A card has no “\(name.prefix(40))” that a page may change.")
      }
      card.members[name] = try member(value, field.kind)
    }
  }

  /// What somebody typed, as the card has it.
  private func member(_ value: JSONValue, _ kind: CardField.Kind) throws -> JSONValue? {
    switch kind {
    case .line: try text(value).trimmingCharacters(in: .whitespacesAndNewlines).member
    case .verbatim, .text, .moment: try text(value).member
    case .day: try read(value, CardDate.init, "A day is such as 2026-12-31.", code: "noDay").member
    case .amount:
      (try read(value, Self.amount, "The balance is a number such as 12.50.", code: "balance")
        ?? 0).member
    case .currency:
      try read(
        value, { $0.wholeMatch(of: /[A-Za-z]{3}/) == nil ? nil : $0 },
        "The currency is three letters, such as EUR; leave it empty for points.", code: "currency")?
        .uppercased().member
    case .barcodeType:
      try read(
        value, BarcodeType.init(rawValue:), "There is no such kind of bar code.", code: "noSuchKind"
      )
      .member
    case .color:
      try read(value, CardColor.init, "A colour is such as #0a5fd1.", code: "noColour").member
    case .flag: try bool(value).member
    case .groups: try groups(value).member
    case .picture: try picture(value).member
    }
  }

  private static func refusal(_ words: String, code: String? = nil) -> WebError {
    WebError(.badRequest, words, code: code)
  }

  private static func amount(_ text: String) -> Decimal? {
    let text = text.replacing(",", with: ".")
    guard text.wholeMatch(of: /-?[0-9]{1,15}(?:\.[0-9]{1,6})?/) != nil else { return nil }
    return Decimal(posix: text)
  }

  private func text(_ value: JSONValue) throws -> String {
    guard let text = value.text else { throw Self.refusal("Texts are JSON strings.") }
    return text
  }

  private func bool(_ value: JSONValue) throws -> Bool {
    guard let bool = value.bool else { throw Self.refusal("Switches are true or false.") }
    return bool
  }

  private func groups(_ value: JSONValue) throws -> [String] {
    guard let names = value.array?.map(\.text), !names.contains(nil) else {
      throw Self.refusal("Groups are a list of names.")
    }
    return names.compactMap { $0?.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// Reads a text; `nil` for an empty one.
  private func read<Value>(
    _ value: JSONValue, _ parse: (String) -> Value?, _ words: String, code: String
  ) throws -> Value? {
    let text = try text(value).trimmingCharacters(in: .whitespaces)
    if text.isEmpty { return nil }
    guard let parsed = parse(text) else { throw Self.refusal(words, code: code) }
    return parsed
  }

  private func picture(_ value: JSONValue) throws -> CardPicture? {
    if value == .null { return nil }
    guard let picture = CardPicture(value) else { throw Self.refusal("That is no picture.") }
    return picture
  }
}
