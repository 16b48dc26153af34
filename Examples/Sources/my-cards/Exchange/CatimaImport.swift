import CardModel
import CardStore
import Foundation
import Viewfinder

/// Reads the cards of Catima's zip file, or of its `catima.csv` alone, into a wallet.
public enum CatimaImport {
  /// What became of the cards.
  public struct Report: Hashable, Codable, Sendable {
    /// How many are new.
    public var added = 0
    /// How many were in the wallet already.
    public var known = 0
    /// Which cards were left out and which pictures weren't any, in words.
    public var remarks: [String] = []
  }

  private struct Sides {
    var front: Data?
    var back: Data?
  }

  /// Reads a file's cards; those that the wallet has stay as they are.
  ///
  /// A side without a photo becomes a plain card in the card's colour.
  ///
  /// - Parameters:
  ///   - file: The zip file, or catima.csv.
  ///   - store: The wallet.
  /// - Returns: What became of the cards.
  /// - Throws: ``ExchangeError`` before anything is imported, and what the store throws.
  public static func read(_ file: Data, into store: CardStore) throws -> Report {
    var table: String?
    var pictures: [String: Data] = [:]
    if ZipArchive.isArchive(file) {
      try ZipArchive.read(file) { (name, data) throws(ExchangeError) in
        if name == "catima.csv" {
          table = String(data: data, encoding: .utf8)
        } else {
          pictures[name] = data
        }
      }
    } else {
      table = String(data: file, encoding: .utf8)
    }
    guard let table else { throw ExchangeError.notCatima(reason: "it has no catima.csv in UTF-8") }
    let cards = try CatimaTable(parsing: table.trimmingPrefix("\u{feff}").description).cards

    var all = CardStore.Filter()
    all.isArchived = nil
    var known = Set(try store.cards(all).map(Likeness.init))
    var report = Report()
    for (number, card) in cards {
      let isNew = try store.card(card.id) == nil && known.insert(Likeness(card)).inserted
      guard isNew else {
        report.known += 1
        continue
      }
      let sides = Sides(
        front: pictures["card_\(number)_front.png"], back: pictures["card_\(number)_back.png"])
      try add(card, sides, to: store, &report)
    }
    return report
  }

  /// Two cards of one name and number are the same, whatever their identifiers.
  private struct Likeness: Hashable {
    var name: String
    var number: String

    init(_ card: Card) { (name, number) = (card.name, card.barcodeText) }
  }

  private static func add(
    _ card: Card, _ sides: Sides, to store: CardStore, _ report: inout Report
  ) throws {
    var card = card
    card.front = try side(sides.front, "front", of: card, in: store, &report)
    card.back = try side(sides.back, "back", of: card, in: store, &report)
    guard card.problems.isEmpty else {
      let words = card.problems.map(\.description).joined(separator: " ")
      report.remarks.append("\(card.name.prefix(40)) isn't imported. \(words)")
      return
    }
    try store.save(card)
    report.added += 1
  }

  private static func side(
    _ data: Data?, _ name: String, of card: Card, in store: CardStore, _ report: inout Report
  ) throws -> CardPicture {
    if let data {
      do {
        return CardPicture(picture: try store.addPicture(try CardPhoto.jpeg(of: data)))
      } catch let error as CaptureError {
        report.remarks.append(
          "\(card.name.prefix(40)): the photo of the \(name) is none (\(error))")
      }
    }
    // Catima's cards without a colour have one of their name's; any will do here.
    let plain = try CardPhoto.plain(rgb: card.headerColor?.rgb ?? 0x4a6572)
    return CardPicture(picture: try store.addPicture(plain))
  }
}
