import Foundation

/// A loyalty card: what is known of it, and photos of its sides.
///
/// A card is the members of its JSON object. Those that this program doesn't know, and those of another type than
/// expected, stay as they came until somebody changes them. ``CardFields`` lists those that it knows, each of which is
/// a property of the card.
@dynamicMemberLookup
public struct Card: Hashable, Sendable, Identifiable {
  /// The fields that this program knows.
  public static let fields = CardFields()

  /// Made by the wallet in which the card was made; the same in all wallets.
  public let id: UUID
  /// All else, by name.
  public var members: [String: JSONValue]

  /// Creates an empty card.
  public init(id: UUID = UUID()) {
    self.id = id
    members = [:]
  }

  /// The value of a field, such as `card.name`.
  public subscript<Value>(dynamicMember path: KeyPath<CardFields, TypedField<Value>>) -> Value {
    get { Value(member: members[Self.fields[keyPath: path].field.name]) }
    set { members[Self.fields[keyPath: path].field.name] = newValue.member }
  }

  /// What the bar code says.
  public var barcodeText: String { self.barcodeId.isEmpty ? self.cardId : self.barcodeId }

  /// The pictures that the card needs, of both sides.
  public var pictures: Set<PictureHash> {
    let sides = [self.front, self.back].compactMap { $0 }
    return Set(sides.flatMap { [$0.picture, $0.original].compactMap { $0 } })
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
