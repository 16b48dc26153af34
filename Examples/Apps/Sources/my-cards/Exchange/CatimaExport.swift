import CardStore
import CardModel
import Foundation
import Viewfinder

/// Writes a wallet as a zip file that Catima imports.
public enum CatimaExport {
  /// Makes the file of all cards, also those that are put away.
  ///
  /// - Parameter store: The wallet.
  /// - Returns: The zip file.
  /// - Throws: ``ExchangeError/cannotWrite(reason:)``, and what the store throws.
  public static func zip(_ store: CardStore) throws -> Data {
    var filter = CardStore.Filter()
    filter.isArchived = nil
    let table = CatimaTable(try store.cards(filter))
    var files = [(name: "catima.csv", data: Data(table.text.utf8))]
    for (number, card) in table.cards {
      for (side, picture) in [("front", card.front), ("back", card.back)] {
        guard let picture, let jpeg = try store.picture(picture.picture) else { continue }
        // Catima takes PNG files only.
        let png = try PixelBuffer(decoding: jpeg).pngData()
        files.append(("card_\(number)_\(side).png", png))
      }
    }
    return try ZipArchive.make(files)
  }
}
