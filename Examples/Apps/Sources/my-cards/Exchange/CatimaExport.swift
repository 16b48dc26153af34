import CardModel
import CardStore
import Foundation
import Viewfinder

/// Writes a wallet as a zip file that Catima imports, part by part: a wallet's pictures are larger than memory.
///
/// ```swift
/// let export = try CatimaExport(of: store)
/// while let part = try await export.next() { file.write(part) }
/// ```
public actor CatimaExport {
  private enum Step {
    case table(CatimaTable)
    case picture(name: String, PictureHash)
    case end
  }

  private let store: CardStore
  private let zip: ZipWriter
  private var steps: ArraySlice<Step>

  /// Begins with all cards as they are now, also those that are put away.
  ///
  /// - Parameter store: The wallet.
  /// - Throws: ``ExchangeError/cannotWrite(reason:)``, and what the store throws.
  public init(of store: CardStore) throws {
    self.store = store
    zip = try ZipWriter()
    let table = CatimaTable(try store.cards(.all))
    let pictures = table.cards.flatMap { number, card in
      [("front", card.front), ("back", card.back)].compactMap { side, picture in
        picture.map { Step.picture(name: "card_\(number)_\(side).png", $0.picture) }
      }
    }
    steps = ([.table(table)] + pictures + [.end])[...]
  }

  /// Makes the file's next part: a picture takes a tenth of a second and some megabytes.
  ///
  /// - Returns: Its bytes; `nil` at the end.
  /// - Throws: ``ExchangeError/cannotWrite(reason:)``, and what the store throws.
  public func next() throws -> Data? {
    guard let step = steps.popFirst() else { return nil }
    switch step {
    case .table(let table):
      return try zip.add("catima.csv", Data(table.text.utf8), date: store.now())
    case .picture(let name, let hash):
      guard let jpeg = try store.picture(hash) else { return Data() }
      // Catima takes PNG files only.
      return try zip.add(name, try PixelBuffer(decoding: jpeg).pngData(), date: store.now())
    case .end: return try zip.end()
    }
  }
}
