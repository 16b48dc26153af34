import CardModel
import CardStore
import Foundation
import Viewfinder

/// The cards of Catima's zip file, or of its `catima.csv` alone, on their way into a wallet.
public struct CatimaImport: Sendable {
  /// What became of the cards.
  public struct Report: Hashable, Codable, Sendable {
    /// How many are new.
    public var added = 0
    /// How many were in the wallet already.
    public var known = 0
    /// Which cards were left out and which pictures weren't any, in words.
    public var remarks: [String] = []
  }

  private let cards: [(number: Int, card: Card)]
  private let pictures: [String: Data]

  /// Reads a file.
  ///
  /// - Parameter file: The zip file, or catima.csv.
  /// - Throws: ``ExchangeError``; nothing is imported then.
  public init(_ file: Data) throws(ExchangeError) {
    var table: Data?
    var pictures: [String: Data] = [:]
    if ZipArchive.isArchive(file) {
      try ZipArchive.read(file) { (name, data) throws(ExchangeError) in
        if name == "catima.csv" { table = data } else { pictures[name] = data }
      }
    } else {
      table = file
    }
    guard let text = table.flatMap({ String(data: $0, encoding: .utf8) }) else {
      throw .notCatima(reason: "it has no catima.csv in UTF-8")
    }
    cards = try CatimaTable(parsing: String(text.trimmingPrefix("\u{feff}"))).cards
    self.pictures = pictures
  }

  /// Puts the cards into a wallet; those that it has stay as they are.
  ///
  /// A side without a photo becomes a plain card in the card's colour.
  ///
  /// - Parameters:
  ///   - store: The wallet.
  ///   - progress: Is told how many of how many cards are done.
  /// - Returns: What became of the cards.
  /// - Throws: What the store throws; the cards before are in the wallet, and the rest comes with another try.
  public func run(into store: CardStore, progress: (Int, Int) -> Void = { _, _ in }) throws
    -> Report
  {
    var all = CardStore.Filter()
    all.isArchived = nil
    var known = Set(try store.cards(all).map(Likeness.init))
    var plain = PlainCards(store: store)
    var report = Report()
    for (place, (number, card)) in cards.enumerated() {
      progress(place, cards.count)
      let isNew = try store.card(card.id) == nil && known.insert(Likeness(card)).inserted
      guard isNew else {
        report.known += 1
        continue
      }
      var card = card
      card.front = try side("front", number, of: card, in: store, &plain, &report)
      card.back = try side("back", number, of: card, in: store, &plain, &report)
      guard card.problems.isEmpty else {
        let words = card.problems.map(\.description).joined(separator: " ")
        report.remarks.append("\(card.name.prefix(40)) isn't imported. \(words)")
        continue
      }
      try store.save(card)
      report.added += 1
    }
    return report
  }

  /// Two cards of one name and number are the same, whatever their identifiers.
  private struct Likeness: Hashable {
    var name: String
    var number: String

    init(_ card: Card) { (name, number) = (card.name, card.barcodeText) }
  }

  private func side(
    _ name: String, _ number: Int, of card: Card, in store: CardStore, _ plain: inout PlainCards,
    _ report: inout Report
  ) throws -> CardPicture {
    if let data = pictures["card_\(number)_\(name).png"] {
      do {
        return CardPicture(picture: try store.addPicture(try CardPhoto.jpeg(of: data)))
      } catch let error as CaptureError {
        report.remarks.append(
          "\(card.name.prefix(40)): the photo of the \(name) is none (\(error))")
      }
    }
    // Catima's cards without a colour have one of their name's; any will do here.
    return CardPicture(picture: try plain.picture(rgb: card.headerColor?.rgb ?? 0x4a6572))
  }
}

/// Plain cards, one of each colour.
private struct PlainCards {
  let store: CardStore
  private var made: [UInt32: PictureHash] = [:]

  init(store: CardStore) { self.store = store }

  mutating func picture(rgb: UInt32) throws -> PictureHash {
    if let hash = made[rgb] { return hash }
    let hash = try store.addPicture(try CardPhoto.plain(rgb: rgb))
    made[rgb] = hash
    return hash
  }
}
