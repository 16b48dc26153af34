import CardModel
import CardStore
import Foundation

/// A card in the list.
struct CardSummary: Codable, Sendable {
  var id: UUID
  var name: String
  var groups: [String]
  var isStarred: Bool
  var isExpired: Bool
  var color: String?
  /// The front's picture; `nil` where it isn't here yet.
  var picture: String?

  init(_ card: Card, today: CardDate, in store: CardStore) {
    id = card.id
    // Others' wallets may hold longer names than this one lets in.
    name = String(card.name.prefix(Card.fields.name.field.limit ?? 200))
    groups = card.groups
    isStarred = card.starStatus
    isExpired = card.expiry.map { $0 < today } ?? false
    color = card.headerColor?.description
    picture = card.front.flatMap { store.hasPicture($0.picture) ? $0.picture.text : nil }
  }
}

/// The list: what a page shows first.
struct CardListReport: Codable, Sendable {
  struct Group: Codable, Sendable {
    var name: String
    var count: Int
  }

  var cards: [CardSummary]
  var groups: [Group]
  /// Whether the wallet has no card at all, whatever is searched for.
  var isEmpty: Bool
  /// Cards that were changed on one device and deleted on another.
  var lost: [KeptReport]
}

/// A value that lost against another device's.
struct KeptReport: Codable, Sendable {
  var id: String
  /// The card's name.
  var name: String
  /// The member's name; `nil` for a whole card.
  var field: String?
  /// What it was, for people.
  var text: String

  init(_ copy: KeptCopy) {
    id = copy.address
    name = String(copy.name.prefix(Card.fields.name.field.limit ?? 200))
    field = copy.field
    text = Self.words(copy.value)
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .null: "nothing"
    case .bool(let bool): bool ? "yes" : "no"
    case .number(let number): "\(number)"
    case .string(let text): text
    case .array(let array): array.map(words).joined(separator: ", ")
    case .object(let object): object["name"]?.text ?? "another photo"
    }
  }
}

extension KeptCopy {
  /// Names it in addresses, the same whenever it is asked for.
  var address: String {
    let words = [JSONValue.string("\(card)"), field.map(JSONValue.string) ?? .null, value]
    return PictureHash(of: JSONValue.array(words).data).text
  }
}

/// One card, with all that the page shows of it.
struct CardReport: Encodable {
  var card: JSONValue
  /// What it needs before it can be saved.
  var problems: [String]
  var hasBarcode: Bool
  var kept: [KeptReport]

  init(_ card: Card, kept: [KeptCopy]) {
    self.card = card.json
    problems = card.problems.map(\.description)
    hasBarcode = card.barcodeType != nil && !card.barcodeText.isEmpty
    self.kept = kept.map(KeptReport.init)
  }
}
