import CardModel
import Foundation

/// One version of a card as wallets exchange it: its members, and what they need in order to agree.
///
/// As JSON it is the card's object with four more members: `edit`, `edits`, `deleted` and `kept`.
public struct CardRecord: Hashable, Sendable, Identifiable {
  /// Members that belong to the exchange, so that no card may have them.
  static let reserved: Set<String> = ["id", "edit", "edits", "deleted", "kept"]

  /// The card's identifier.
  public let id: UUID
  /// Names the edit that made this version, so that its author knows it again.
  public var edit: String
  /// By wallet, the last of its edits that this version knows.
  ///
  /// A wallet that never heard whether its write arrived sees here whether others went on from it.
  public var edits: [String: String]
  /// Whether this is a tombstone; no version after it is alive.
  public var isDeleted: Bool
  /// The card's members; none for a tombstone.
  public var members: [String: JSONValue]
  /// Values that lost a merge, without order and each once.
  ///
  /// Elements of other forms than ``KeptValue``'s stay as they came.
  public var kept: Set<JSONValue>

  /// Creates a version.
  public init(
    id: UUID, edit: String = "", edits: [String: String] = [:], isDeleted: Bool = false,
    members: [String: JSONValue] = [:], kept: Set<JSONValue> = []
  ) {
    self.id = id
    self.edit = edit
    self.edits = edits
    self.isDeleted = isDeleted
    self.members = members.filter { !Self.reserved.contains($0.key) }
    self.kept = kept
  }

  /// How many wallets' edits a version names: one that is left out and just lost an answer takes its own edit for
  /// another's, and keeps what both say differently.
  static let maximumEdits = 32

  /// Makes the version a wallet's newest edit.
  mutating func sign(by wallet: String) {
    edit = UUID().uuidString.lowercased()
    edits[wallet] = edit
    for other in edits.keys.sorted() where edits.count > Self.maximumEdits && other != wallet {
      edits[other] = nil
    }
  }

  /// Whether two versions say the same, whoever made them.
  public func says(_ other: CardRecord) -> Bool {
    isDeleted == other.isDeleted && members == other.members && kept == other.kept
  }

  /// The card; `nil` for a tombstone.
  public var card: Card? {
    guard !isDeleted else { return nil }
    var card = Card(id: id)
    card.members = members
    return card
  }

  /// A member's value; with `nil` all that a card is, which a tombstone hasn't.
  func value(of field: String?) -> JSONValue? {
    if let field { return members[field] }
    return isDeleted ? nil : .object(members)
  }

  /// All pictures that the version names, those of kept values included.
  public var pictures: Set<PictureHash> {
    kept.reduce(into: card?.pictures ?? []) { pictures, value in
      pictures.formUnion(KeptValue(value)?.pictures ?? [])
    }
  }
}

extension CardRecord {
  /// Takes a version from its JSON object; `nil` where that is none, or has no identifier.
  ///
  /// One without `edit`, as other programs and people write them, is named by what it says.
  public init?(_ json: JSONValue) {
    guard let card = Card(json) else { return nil }
    let edits = card.members["edits"]?.object ?? [:]
    self.init(
      id: card.id,
      edit: card.members["edit"]?.text ?? Self.unsigned + PictureHash(of: json.data).text,
      edits: edits.compactMapValues(\.text), isDeleted: card.members["deleted"]?.bool ?? false,
      members: card.members, kept: Set(card.members["kept"]?.array ?? []))
  }

  private static let unsigned = "content-"

  /// Whether the version has a name of its own, which no other has.
  var isSigned: Bool { !edit.hasPrefix(Self.unsigned) }

  /// The version as one JSON object; equal versions are equal bytes.
  public var json: JSONValue {
    var card = Card(id: id)
    card.members = members
    var object = card.json.object ?? [:]
    object["edit"] = .string(edit)
    if !edits.isEmpty { object["edits"] = .object(edits.mapValues(JSONValue.string)) }
    if isDeleted { object["deleted"] = .bool(true) }
    if !kept.isEmpty {
      let sorted = kept.map(\.data).sorted { $0.lexicographicallyPrecedes($1) }
      object["kept"] = .array(sorted.compactMap { try? JSONValue(parsing: $0) })
    }
    return .object(object)
  }
}
