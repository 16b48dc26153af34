import Foundation

/// A loyalty card: what is known of it, and photos of its sides.
///
/// A card is the members of its JSON object. Those that this program doesn't know, and those of another type than
/// expected, stay as they came until somebody changes them. The names are Catima's where it has the field.
public struct Card: Hashable, Sendable, Identifiable {
  /// Made by the wallet in which the card was made; the same in all wallets.
  public let id: UUID
  /// All else, by name.
  public var members: [String: JSONValue]

  /// Creates an empty card.
  public init(id: UUID = UUID()) {
    self.id = id
    members = [:]
  }

  /// The card's name, Catima's `store`.
  public var name: String {
    get { text("name") }
    set { set("name", newValue) }
  }

  /// Notes of any length.
  public var note: String {
    get { text("note") }
    set { set("note", newValue) }
  }

  /// The first day on which the card is good.
  public var validFrom: CardDate? {
    get { members["validFrom"]?.text.flatMap(CardDate.init) }
    set { set("validFrom", newValue?.description ?? "") }
  }

  /// The last day on which the card is good.
  public var expiry: CardDate? {
    get { members["expiry"]?.text.flatMap(CardDate.init) }
    set { set("expiry", newValue?.description ?? "") }
  }

  /// What is on the card, in the currency of ``balanceType``.
  public var balance: Decimal {
    // As text, because numbers in JSON lose cents on their way through other programs.
    get { members["balance"]?.text.flatMap { Decimal(string: $0, locale: .posix) } ?? 0 }
    set { set("balance", newValue == 0 ? "" : "\(newValue)") }
  }

  /// The balance's currency as ISO 4217 has it; empty for points.
  public var balanceType: String {
    get { text("balanceType") }
    set { set("balanceType", newValue) }
  }

  /// The number on the card.
  public var cardId: String {
    get { text("cardId") }
    set { set("cardId", newValue) }
  }

  /// What the bar code says where it isn't the card's number; empty otherwise.
  public var barcodeId: String {
    get { text("barcodeId") }
    set { set("barcodeId", newValue) }
  }

  /// The kind of bar code; `nil` for a card without one.
  public var barcodeType: BarcodeType? {
    get { members["barcodeType"]?.text.flatMap(BarcodeType.init) }
    set { set("barcodeType", newValue?.rawValue ?? "") }
  }

  /// The card's colour as "#rrggbb"; `nil` for none.
  public var headerColor: CardColor? {
    get { members["headerColor"]?.text.flatMap(CardColor.init) }
    set { set("headerColor", newValue?.description ?? "") }
  }

  /// Whether the card is a favourite.
  public var starStatus: Bool {
    get { members["starStatus"]?.bool ?? false }
    set { members["starStatus"] = newValue ? .bool(true) : nil }
  }

  /// Whether the card is put away.
  public var archiveStatus: Bool {
    get { members["archiveStatus"]?.bool ?? false }
    set { members["archiveStatus"] = newValue ? .bool(true) : nil }
  }

  /// When the card was last shown.
  public var lastUsed: Date? {
    get { members["lastUsed"]?.text.flatMap { try? Date($0, strategy: .iso8601) } }
    set { set("lastUsed", newValue?.formatted(.iso8601) ?? "") }
  }

  /// The groups that the card is in, sorted.
  public var groups: [String] {
    get { Set((members["groups"]?.array ?? []).compactMap(\.text)).sorted() }
    set {
      let names = Set(newValue.filter { !$0.isEmpty }).sorted().map(JSONValue.string)
      members["groups"] = names.isEmpty ? nil : .array(names)
    }
  }

  /// The photo of the front.
  public var front: CardPicture? {
    get { members["front"].flatMap(CardPicture.init) }
    set { members["front"] = newValue?.json }
  }

  /// The photo of the back.
  public var back: CardPicture? {
    get { members["back"].flatMap(CardPicture.init) }
    set { members["back"] = newValue?.json }
  }

  /// What the bar code says.
  public var barcodeText: String { barcodeId.isEmpty ? cardId : barcodeId }

  /// The pictures that the card needs, of both sides.
  public var pictures: Set<PictureHash> {
    Set([front, back].compactMap { $0 }.flatMap { [$0.picture, $0.original].compactMap { $0 } })
  }

  private func text(_ name: String) -> String { members[name]?.text ?? "" }

  /// An empty text and none are the same.
  private mutating func set(_ name: String, _ text: String) {
    members[name] = text.isEmpty ? nil : .string(text)
  }
}

extension Card {
  /// The card as one JSON object, its identifier among the members.
  public var json: JSONValue {
    var object = members
    object["id"] = .string(id.uuidString.lowercased())
    return .object(object)
  }

  /// Takes a card from its JSON object; `nil` where that is none, or has no identifier.
  public init?(_ json: JSONValue) {
    guard var object = json.object, let id = object.removeValue(forKey: "id")?.text,
      let id = UUID(uuidString: id)
    else { return nil }
    self.id = id
    members = object
  }
}

extension Locale {
  fileprivate static let posix = Locale(identifier: "en_US_POSIX")
}
