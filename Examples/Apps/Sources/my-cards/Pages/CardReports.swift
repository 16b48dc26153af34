import CardModel
import CardStore
import Foundation

/// A card as pages get it with the list: all that they show of it, so that none has to ask again at the till.
struct CardReport: Encodable, Sendable {
  /// As addresses have it.
  var id: String
  var name: String
  var cardId: String
  var barcodeType: String?
  /// What the bar code says where it isn't the number.
  var barcodeId: String?
  /// Names the bar code's drawing; `nil` for a card without one.
  var code: String?
  var groups: [String]
  var note: String?
  var balance: String?
  var balanceType: String?
  var validFrom: String?
  var expiry: String?
  var headerColor: String?
  var isStarred: Bool
  var isArchived: Bool
  var lastUsed: String?
  /// The sides' pictures; `nil` where they aren't here yet.
  var front: String?
  var back: String?
  /// What other devices changed at the same time.
  var kept: [KeptReport]?

  init(_ card: Card, kept: [KeptCopy], in store: CardStore) {
    // Others' wallets may hold longer texts than this one lets in.
    func clipped(_ text: String, _ field: KeyPath<CardFields, TypedField<String>>) -> String {
      String(text.prefix(Card.fields[keyPath: field].field.limit ?? 200))
    }
    func words(_ text: String) -> String? { text.isEmpty ? nil : text }
    func here(_ side: CardPicture?) -> String? {
      side.flatMap { store.hasPicture($0.picture) ? $0.picture.text : nil }
    }
    id = card.id.uuidString.lowercased()
    name = clipped(card.name, \.name)
    cardId = clipped(card.cardId, \.cardId)
    barcodeType = card.barcodeType?.rawValue
    barcodeId = words(clipped(card.barcodeId, \.barcodeId))
    code = card.codeName
    groups = card.groups.prefix(Card.maximumGroups).map {
      String($0.prefix(Card.maximumGroupName))
    }
    note = words(clipped(card.note, \.note))
    balance = card.balance == 0 ? nil : "\(card.balance)"
    balanceType = words(card.balanceType)
    validFrom = card.validFrom?.description
    expiry = card.expiry?.description
    headerColor = card.headerColor?.description
    isStarred = card.starStatus
    isArchived = card.archiveStatus
    lastUsed = card.lastUsed?.formatted(.iso8601)
    front = here(card.front)
    back = here(card.back)
    self.kept = kept.isEmpty ? nil : kept.map(KeptReport.init)
  }
}

extension Card {
  /// Names the drawing of its bar code: the same for the same code; `nil` without one.
  var codeName: String? {
    guard let type = self.barcodeType, !barcodeText.isEmpty else { return nil }
    return String(
      PictureHash(of: Data("\(type.rawValue)\n\(barcodeText)".utf8)).text.prefix(16))
  }
}

/// A value that lost against another device's.
struct KeptReport: Encodable, Sendable {
  var id: String
  /// The card's name.
  var name: String
  /// The member's name; `nil` for a whole card.
  var field: String?
  var value: JSONValue
  /// Whether it was this device's.
  var isOwn: Bool
  /// Whose it was, and whose the value is that stands; `nil` where it isn't known.
  var wallet: String?
  var winner: String?
  /// When it was noticed.
  var date: String?

  init(_ copy: KeptCopy) {
    (isOwn, wallet, winner) = (copy.isOwn, copy.wallet, copy.winner)
    id = copy.address
    name = String(copy.name.prefix(Card.fields.name.field.limit ?? 200))
    field = copy.field
    value = copy.value
    date = copy.date?.formatted(.iso8601)
  }
}

extension KeptCopy {
  /// Names it in addresses, the same whenever it is asked for.
  var address: String {
    let words = [JSONValue.string("\(card)"), field.map(JSONValue.string) ?? .null, value]
    return PictureHash(of: JSONValue.array(words).data).text
  }
}
