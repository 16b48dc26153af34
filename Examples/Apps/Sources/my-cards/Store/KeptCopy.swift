import CardModel
import Foundation

/// A value that lost a merge, for the person to look at, take or dismiss.
public struct KeptCopy: Hashable, Sendable {
  /// The card that it belongs to.
  public let card: UUID
  /// What the card is called, or was when it was deleted.
  public let name: String
  /// The member's name; `nil` for a whole card, which was edited in one wallet and deleted in another.
  public let field: String?
  /// The value: null where an edit had removed the member, for a whole card its members.
  public let value: JSONValue
  /// When the merge was, by the clock of the wallet that made it.
  public let date: Date?
  /// Whether this wallet made the version that lost.
  public let isOwn: Bool
  /// The wallet that made the version which lost, as ``CardStore/device`` names it; `nil` where it isn't known.
  public let wallet: String?
  /// The wallet that the present value comes from; `nil` where it isn't known.
  public let winner: String?
  /// The entry in the record.
  let entry: JSONValue
}

/// An element of a record's `kept`: `{by, edit, field, over, value, when}`.
///
/// Without `value` an edit had removed the member. Without `field` the value is a whole card's members. Without `by` it
/// isn't known whose edit lost, and without `over` whose won: wallets of before didn't say.
struct KeptValue: Hashable, Sendable {
  /// The edit that made the version which lost.
  var edit: String
  /// The wallet that made it.
  var wallet: String?
  var field: String?
  var value: JSONValue?
  var when: String
  /// What it lost against.
  var winner: Winner?

  /// A wallet whose value won, `{by, is}`.
  struct Winner: Hashable, Sendable {
    /// The wallet.
    var wallet: String
    /// Names the value: another one that stands there later isn't that wallet's.
    var value: String

    /// Keeps whose value it is; `nil` where that isn't known.
    init?(_ wallet: String?, _ value: JSONValue?) {
      guard let wallet else { return nil }
      (self.wallet, self.value) = (wallet, Self.name(of: value))
    }

    /// Takes an entry's member; `nil` for one of another form.
    init?(_ json: JSONValue?) {
      guard let wallet = json?.object?["by"]?.text, let value = json?.object?["is"]?.text else {
        return nil
      }
      (self.wallet, self.value) = (wallet, value)
    }

    var json: JSONValue { .object(["by": .string(wallet), "is": .string(value)]) }

    /// The wallet, if a value is still the one that won.
    func wallet(of value: JSONValue?) -> String? {
      Self.name(of: value) == self.value ? wallet : nil
    }

    /// Too short for servers to take it for a blob's name.
    private static func name(of value: JSONValue?) -> String {
      String(PictureHash(of: (value ?? .null).data).text.prefix(16))
    }
  }

  /// Keeps what a version says, against a wallet's value where it is known whose that is.
  init(
    of version: CardRecord, field: String?, value: JSONValue?, when: Date,
    over winner: Winner? = nil
  ) {
    edit = version.edit
    wallet = version.edits.first { $0.value == version.edit }?.key
    self.field = field
    self.value = value
    self.when = when.formatted(.iso8601)
    self.winner = winner
  }

  /// Takes an entry; `nil` for one of another form.
  init?(_ json: JSONValue) {
    guard let object = json.object, let edit = object["edit"]?.text else { return nil }
    self.edit = edit
    wallet = object["by"]?.text
    field = object["field"]?.text
    value = object["value"]
    when = object["when"]?.text ?? ""
    winner = Winner(object["over"])
    if field == nil, value?.object == nil { return nil }
  }

  var json: JSONValue {
    var object = ["edit": JSONValue.string(edit), "when": .string(when)]
    object["by"] = wallet.map(JSONValue.string)
    object["field"] = field.map(JSONValue.string)
    object["over"] = winner?.json
    object["value"] = value
    return .object(object)
  }

  /// The pictures that are needed to show the value.
  var pictures: Set<PictureHash> {
    var card = Card()
    if let field { card.members[field] = value } else { card.members = value?.object ?? [:] }
    return card.pictures
  }
}
