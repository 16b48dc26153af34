import CardModel
import CardStore
import ErrorWords
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
    /// Which cards were left out and which pictures weren't any.
    public var remarks: [ErrorWords] = []
  }

  private let cards: [(number: Int, card: Card)]
  /// Where the pictures are; `nil` for a table alone.
  private let archive: ZipReader?

  /// Reads the table of a file, which must stay until the import has run.
  ///
  /// - Parameter file: The zip file, or catima.csv.
  /// - Throws: ``ExchangeError``; nothing is imported then.
  public init(_ file: URL) throws {
    archive = ZipReader.isArchive(file) ? ZipReader(file: file) : nil
    var table: Data?
    if let archive {
      try archive.read(where: { $0 == "catima.csv" }) { _, data in
        table = data
        return false
      }
    } else {
      let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
      guard size <= ZipReader.Limits().size else {
        throw ExchangeError.tooLarge(what: "The table")
      }
      table = try? Data(contentsOf: file)
    }
    guard let text = table.flatMap({ String(data: $0, encoding: .utf8) }) else {
      throw ExchangeError.notCatima(reason: "it has no catima.csv in UTF-8")
    }
    cards = try CatimaTable(parsing: String(text.trimmingPrefix("\u{feff}"))).cards
  }

  /// Puts the cards into a wallet, all of them at the end; those that it has stay as they are.
  ///
  /// A card without photos keeps its colour, on which the page draws its name.
  ///
  /// - Parameters:
  ///   - store: The wallet.
  ///   - progress: Is told how many of how many cards are done; that all are once, before they count. What it throws ends
  ///     the import.
  /// - Returns: What became of the cards.
  /// - Throws: What the store and `progress` throw; nothing of the file is in the wallet then.
  public func run(
    into store: CardStore, progress: (Int, Int) throws -> Void = { _, _ in }
  ) throws -> Report {
    var report = Report()
    var drafts = try newCards(in: store, &report)
    for (number, draft) in drafts.sorted(by: { $0.key < $1.key })
    where !Self.isValid(draft.card, &report) {
      drafts[number] = nil
    }
    let wanted = Set(drafts.values.flatMap(\.pictures))
    let there = try archive?.names().intersection(wanted) ?? []
    var waiting: Set<Int> = []
    for number in drafts.keys {
      drafts[number]?.pictures.formIntersection(there)
      if drafts[number]?.pictures.isEmpty == false { waiting.insert(number) }
    }
    try archive?.read(where: there.contains) { name, data in
      guard let (number, side) = Self.place(of: name), var draft = drafts[number],
        draft.pictures.remove(name) != nil
      else { return !waiting.isEmpty }
      try progress(cards.count - waiting.count, cards.count)
      do {
        let hash = try store.addPicture(try CardPhoto.jpeg(of: data))
        if side == "front" { draft.card.front = CardPicture(picture: hash) }
        if side == "back" { draft.card.back = CardPicture(picture: hash) }
      } catch let error as CaptureError {
        let name = String(draft.card.name.prefix(40))
        report.remarks.append(
          ErrorWords(
            "\(name): the photo of the \(side) is none (\(error))",
            Coded("noPhoto", ["name": name, "side": side], because: [ErrorWords(error)])))
      }
      drafts[number] = draft
      if draft.pictures.isEmpty { waiting.remove(number) }
      return !waiting.isEmpty
    }
    let ready = drafts.sorted { $0.key < $1.key }.map(\.value.card)
    report.added = try store.add(ready) { try progress(cards.count, cards.count) }
    report.known += ready.count - report.added
    return report
  }

  /// Whether a card can be saved; one that can't is remarked on.
  private static func isValid(_ card: Card, _ report: inout Report) -> Bool {
    guard !card.problems.isEmpty else { return true }
    let words = card.problems.map(\.description).joined(separator: " ")
    let name = String(card.name.prefix(40))
    report.remarks.append(
      ErrorWords(
        "\(name) isn't imported. \(words)",
        Coded("notImported", ["name": name], because: card.problems.map { ErrorWords($0) })))
    return false
  }

  /// A new card on its way, and the files of its pictures that haven't come yet.
  private struct Draft {
    var card: Card
    var pictures: Set<String>
  }

  /// The cards that the wallet hasn't got, by their numbers in the file.
  private func newCards(in store: CardStore, _ report: inout Report) throws -> [Int: Draft] {
    var known = Set(try store.cards(.all).map(Likeness.init))
    var drafts: [Int: Draft] = [:]
    for (number, card) in cards {
      let isNew = try store.card(card.id) == nil && known.insert(Likeness(card)).inserted
      guard isNew, drafts[number] == nil else {
        report.known += 1
        continue
      }
      let pictures = ["front", "back"].map { "card_\(number)_\($0).png" }
      drafts[number] = Draft(card: card, pictures: Set(pictures))
    }
    return drafts
  }

  /// The card's number and the side that a picture's file is of.
  private static func place(of name: String) -> (number: Int, side: String)? {
    let match = name.wholeMatch(of: /card_(-?[0-9]+)_(front|back)\.png/)
    return match.flatMap { match in Int(match.1).map { ($0, String(match.2)) } }
  }

  /// Two cards of one name and number are the same, whatever their identifiers.
  private struct Likeness: Hashable {
    var name: String
    var number: String

    init(_ card: Card) { (name, number) = (card.name, card.barcodeText) }
  }
}
