import CardModel
import Foundation

/// Catima's `catima.csv`, version 2: the version, groups, cards, and which card is in which group, with an empty
/// line between; or version 1, cards alone.
struct CatimaTable {
  /// A card by the number that it has in the file.
  var cards: [(number: Int, card: Card)] = []

  /// A column of ours, which Catima passes over: the card's identifier.
  private static let ownIdentifier = "viewfinder_id"
  /// Catima needs a card number; this one means none.
  private static let noNumber = "-"
  /// The fields that have a column.
  private static let fields = CardFields.all.filter { $0.column != nil }

  /// Numbers cards from 1.
  init(_ cards: [Card]) { self.cards = cards.enumerated().map { ($0.offset + 1, $0.element) } }

  // MARK: Reading

  /// The most cards that a file may have: what has more is no wallet.
  private static let most = 20_000

  /// Reads a table, and refuses it at the first row that can't be.
  ///
  /// - Throws: ``ExchangeError``.
  init(parsing text: String) throws(ExchangeError) {
    var header: [String]?
    var (isFirst, hasCards) = (true, false)
    var groups: [Int: [String]] = [:]
    try CSV.read(text) { (row) throws(ExchangeError) in
      defer { isFirst = false }
      if row.isBlank {
        // What follows is another table.
        header = nil
      } else if isFirst, let version = Int(row.fields[0]) {
        guard version == 2 else {
          throw .notCatima(reason: "its version isn't known; 1 and 2 are")
        }
      } else if let header {
        let fields = Dictionary(zip(header, row.fields)) { first, _ in first }
        if header.contains("store") {
          guard cards.count < Self.most else { throw .tooLarge(what: "The number of cards") }
          cards.append(try Self.card(fields, row.line))
        } else if let group = fields["groupid"],
          let number = fields["cardid"].flatMap({ Int($0) })
        {
          groups[number, default: []].append(group)
        }
      } else {
        header = row.fields.map { $0.lowercased() }
        hasCards = hasCards || header?.contains("store") == true
      }
    }
    guard !isFirst else { throw .notCatima(reason: "catima.csv is empty") }
    guard hasCards else { throw .notCatima(reason: "catima.csv has no cards") }
    for place in cards.indices { cards[place].card.groups = groups[cards[place].number] ?? [] }
  }

  private static func card(_ fields: [String: String], _ line: Int) throws(ExchangeError)
    -> (number: Int, card: Card)
  {
    func text(_ name: String) -> String { fields[name] ?? "" }
    guard let number = Int(text("_id")) else {
      throw .badRow(line: line, reason: "_id is not a number")
    }
    guard !text("store").isEmpty else { throw .badRow(line: line, reason: "store is empty") }
    var card = Card(id: UUID(uuidString: text(ownIdentifier)) ?? UUID())
    for field in Self.fields {
      card.members[field.name] = field.kind.member(fromCatima: text(field.column ?? ""))
    }
    if card.cardId == noNumber { card.cardId = "" }
    return (number, card)
  }

  // MARK: Writing

  /// The table as Catima reads it.
  var text: String {
    let groups = Set(cards.flatMap(\.card.groups)).sorted()
    let sections = [
      ["2"].map { CSV.line([$0]) },
      [CSV.line(["_id"])] + groups.map { CSV.line([$0]) },
      [CSV.line(["_id"] + Self.fields.compactMap(\.column) + [Self.ownIdentifier])]
        + cards.map { CSV.line(Self.row($0.card, $0.number)) },
      [CSV.line(["cardId", "groupId"])]
        + cards.flatMap { number, card in card.groups.map { CSV.line(["\(number)", $0]) } },
    ]
    return sections.map { $0.joined() }.joined(separator: "\r\n")
  }

  private static func row(_ card: Card, _ number: Int) -> [String] {
    var card = card
    if card.cardId.isEmpty { card.cardId = noNumber }
    return ["\(number)"] + fields.map { $0.kind.catima(card.members[$0.name]) }
      + [card.id.uuidString.lowercased()]
  }
}
