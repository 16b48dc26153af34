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
  private static let columns = [
    "_id", "store", "note", "validfrom", "expiry", "balance", "balancetype", "cardid", "barcodeid",
    "barcodetype", "headercolor", "starstatus", "lastused", "archive", ownIdentifier,
  ]

  /// Numbers cards from 1.
  init(_ cards: [Card]) { self.cards = cards.enumerated().map { ($0.offset + 1, $0.element) } }

  // MARK: Reading

  /// Reads a table.
  ///
  /// - Throws: ``ExchangeError``.
  init(parsing text: String) throws(ExchangeError) {
    let rows = try CSV.rows(of: text)
    var sections = rows.split(whereSeparator: \.isBlank).map(Array.init)
    guard let first = sections.first?.first else {
      throw .notCatima(reason: "catima.csv is empty")
    }
    if let version = Int(first.fields[0]) {
      guard version == 2 else {
        throw .notCatima(reason: "its version \(version) isn't known; 1 and 2 are")
      }
      sections.removeFirst()
    }
    var memberships: [(number: Int, group: String)] = []
    var hasCards = false
    for section in sections {
      let header = section[0].fields.map { $0.lowercased() }
      let records = section.dropFirst().map { row in
        (row.line, Dictionary(zip(header, row.fields)) { first, _ in first })
      }
      if header.contains("store") {
        hasCards = true
        for (line, fields) in records { cards.append(try Self.card(fields, line)) }
      } else if header.contains("groupid") {
        memberships += records.compactMap { _, fields in
          guard let number = fields["cardid"].flatMap({ Int($0) }), let group = fields["groupid"]
          else { return nil }
          return (number, group)
        }
      }
    }
    guard hasCards else { throw .notCatima(reason: "catima.csv has no cards") }
    let groups = Dictionary(grouping: memberships, by: \.number)
    for place in cards.indices {
      cards[place].card.groups = groups[cards[place].number]?.map(\.group) ?? []
    }
  }

  private static func card(_ fields: [String: String], _ line: Int) throws(ExchangeError)
    -> (number: Int, card: Card)
  {
    func text(_ name: String) -> String { fields[name] ?? "" }
    func day(_ name: String) -> CardDate? {
      Double(text(name)).map { CardDate(Date(timeIntervalSince1970: $0 / 1000)) }
    }
    guard let number = Int(text("_id")) else {
      throw .badRow(line: line, reason: "_id is “\(text("_id").prefix(20))”, not a number")
    }
    guard !text("store").isEmpty else { throw .badRow(line: line, reason: "store is empty") }
    var card = Card(id: UUID(uuidString: text(ownIdentifier)) ?? UUID())
    card.name = text("store")
    card.note = text("note")
    card.validFrom = day("validfrom")
    card.expiry = day("expiry")
    card.balance = Decimal(string: text("balance"), locale: Locale(identifier: "en_US_POSIX")) ?? 0
    card.balanceType = text("balancetype")
    card.cardId = text("cardid") == noNumber ? "" : text("cardid")
    card.barcodeId = text("barcodeid")
    card.barcodeType = BarcodeType(rawValue: text("barcodetype"))
    // Android's colours: 32 bits with a sign, the opacity on top.
    card.headerColor = Int32(text("headercolor")).map { CardColor(rgb: UInt32(bitPattern: $0)) }
    card.starStatus = text("starstatus") == "1"
    card.archiveStatus = text("archive") == "1"
    if let seconds = Double(text("lastused")), seconds > 0 {
      card.lastUsed = Date(timeIntervalSince1970: seconds)
    }
    return (number, card)
  }

  // MARK: Writing

  /// The table as Catima reads it.
  var text: String {
    let groups = Set(cards.flatMap(\.card.groups)).sorted()
    let sections = [
      ["2"].map { CSV.line([$0]) },
      [CSV.line(["_id"])] + groups.map { CSV.line([$0]) },
      [CSV.line(Self.columns)] + cards.map { CSV.line(Self.fields($0.card, $0.number)) },
      [CSV.line(["cardId", "groupId"])]
        + cards.flatMap { number, card in card.groups.map { CSV.line(["\(number)", $0]) } },
    ]
    return sections.map { $0.joined() }.joined(separator: "\r\n")
  }

  private static func fields(_ card: Card, _ number: Int) -> [String] {
    func milliseconds(_ day: CardDate?) -> String {
      day?.start().map { "\(Int64($0.timeIntervalSince1970 * 1000))" } ?? ""
    }
    return [
      "\(number)", card.name, card.note, milliseconds(card.validFrom), milliseconds(card.expiry),
      "\(card.balance)", card.balanceType, card.cardId.isEmpty ? noNumber : card.cardId,
      card.barcodeId, card.barcodeType?.rawValue ?? "",
      card.headerColor.map { "\(Int32(bitPattern: 0xff00_0000 | $0.rgb))" } ?? "",
      card.starStatus ? "1" : "0",
      card.lastUsed.map { "\(Int64($0.timeIntervalSince1970))" } ?? "0",
      card.archiveStatus ? "1" : "0", card.id.uuidString.lowercased(),
    ]
  }
}
