import Foundation

/// Every field of a card that this program knows, each once, in the order in which people fill them in.
///
/// ``Card`` has each as a property. The names are Catima's where it has the field; `column` is its own name there.
public struct CardFields: Sendable {
  /// The card's name.
  public let name = TypedField<String>(
    "name", .line, "Name", column: "store", limit: 200, isSearched: true)
  /// The number on the card.
  public let cardId = TypedField<String>(
    "cardId", .line, "Card number", column: "cardid", limit: 1000, isSearched: true)
  /// The kind of bar code; `nil` for a card without one.
  public let barcodeType = TypedField<BarcodeType?>(
    "barcodeType", .barcodeType, "Kind of bar code", column: "barcodetype")
  /// What the bar code says where it isn't the card's number; empty otherwise.
  public let barcodeId = TypedField<String>(
    "barcodeId", .verbatim, "Bar code", help: "if it says something else than the number",
    column: "barcodeid", limit: 4000)
  /// The groups that the card is in, sorted.
  public let groups = TypedField<[String]>(
    "groups", .groups, "Groups", help: "with commas between", isSearched: true)
  /// Notes of any length.
  public let note = TypedField<String>(
    "note", .text, "Note", column: "note", limit: 10_000, isSearched: true)
  /// What is on the card, in the currency of `balanceType`.
  public let balance = TypedField<Decimal>("balance", .amount, "Balance", column: "balance")
  /// The balance's currency as ISO 4217 has it; empty for points.
  public let balanceType = TypedField<String>(
    "balanceType", .currency, "Currency", help: "such as EUR; empty for points",
    column: "balancetype")
  /// The first day on which the card is good.
  public let validFrom = TypedField<CardDate?>(
    "validFrom", .day, "Valid from", column: "validfrom")
  /// The last day on which the card is good.
  public let expiry = TypedField<CardDate?>("expiry", .day, "Valid until", column: "expiry")
  /// The card's colour as "#rrggbb"; `nil` for none.
  public let headerColor = TypedField<CardColor?>(
    "headerColor", .color, "Colour", help: "such as #0a5fd1", column: "headercolor")
  /// Whether the card is a favourite.
  public let starStatus = TypedField<Bool>("starStatus", .flag, "Star", column: "starstatus")
  /// Whether the card is put away.
  public let archiveStatus = TypedField<Bool>("archiveStatus", .flag, "Archive", column: "archive")
  /// When the card was last shown.
  public let lastUsed = TypedField<Date?>("lastUsed", .moment, "Last used", column: "lastused")
  /// The photo of the front.
  public let front = TypedField<CardPicture?>("front", .picture, "Front")
  /// The photo of the back.
  public let back = TypedField<CardPicture?>("back", .picture, "Back")

  /// The fields without their types, for who goes through all of them.
  public static let all = Mirror(reflecting: Card.fields).children
    .compactMap { ($0.value as? any Described)?.field }
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The field of a name; `nil` for a member that this program doesn't know.
  public static subscript(name: String) -> CardField? { byName[name] }
}

/// What the parts of the wallet have to know of a field.
public struct CardField: Hashable, Sendable, Encodable {
  /// What a field's value is: how people type it, how Catima writes it and how two of it are merged.
  public enum Kind: String, Sendable, Encodable {
    /// One line, without spaces around it.
    case line
    /// One line as it was typed.
    case verbatim
    /// Lines as they were typed.
    case text
    case barcodeType, groups, amount, currency, day, color, flag, picture
    /// A moment that nobody types: of two the later one stands.
    case moment
  }

  /// The member of the card's JSON object.
  public let name: String
  /// What it is.
  public let kind: Kind
  /// What people call it.
  public let label: String
  /// What people are told beside the label.
  public let help: String
  /// The column in Catima's files; `nil` where it has none.
  public let column: String?
  /// How many characters it may have at most.
  public let limit: Int?
  /// Whether a card is found by it.
  public let isSearched: Bool
}

/// A field with the type of its value.
public struct TypedField<Value: CardValue>: Described, Sendable {
  /// What else is to be known of it.
  public let field: CardField

  init(
    _ name: String, _ kind: CardField.Kind, _ label: String, help: String = "",
    column: String? = nil, limit: Int? = nil, isSearched: Bool = false
  ) {
    field = CardField(
      name: name, kind: kind, label: label, help: help, column: column, limit: limit,
      isSearched: isSearched)
  }
}

private protocol Described { var field: CardField { get } }
