import CardExchange
import CardStore
import ErrorWords
import Foundation
import ViewfinderPages
import WebServing

/// Files of cards that come in while the page goes on: a thousand photos take longer than a browser waits.
final class Imports: Sendable {
  /// How far an import is.
  struct Progress: Codable, Sendable {
    /// Which one.
    var id: UUID
    var done: Int
    var count: Int
    /// What became of the cards, at the end.
    var report: CatimaImport.Report?
    /// Why it ended early.
    var problem: ErrorWords?
  }

  let progress = Watchers<Progress>()
  private let store: CardStore
  private let queue = DispatchQueue(label: "imports")

  init(_ store: CardStore) { self.store = store }

  /// Begins to import a file, which goes with the end; ``progress`` tells of the rest.
  ///
  /// - Returns: The import.
  /// - Throws: `ExchangeError` for a file that is none of Catima's.
  func begin(_ file: SpooledFile) throws -> UUID {
    let cards = try CatimaImport(file.url)
    let begun = Progress(id: UUID(), done: 0, count: 0)
    queue.async { [self] in
      defer { withExtendedLifetime(file) {} }
      var current = begun
      do {
        current.report = try cards.run(into: store) { done, count in
          (current.done, current.count) = (done, count)
          progress.send(current)
        }
      } catch {
        current.problem = ErrorWords(WebError(error))
      }
      progress.send(current)
    }
    return begun.id
  }
}
