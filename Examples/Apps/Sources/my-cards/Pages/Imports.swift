import CardExchange
import CardStore
import ErrorWords
import Foundation
import Synchronization
import ViewfinderPages
import WebServing

/// Files of cards that come in while the page goes on: a thousand photos take longer than a browser waits.
///
/// The cards of a file are there all at once at its end, so that nothing of it is in the wallet until then.
final class Imports: Sendable {
  /// How far an import is.
  struct Progress: Codable, Sendable {
    /// Which one.
    var id: UUID
    /// What the file is called; `nil` where nobody said.
    var name: String?
    var done = 0
    var count = 0
    /// Whether somebody stopped it: nothing of it is in the wallet.
    var isStopped = false
    /// What became of the cards, at the end.
    var report: CatimaImport.Report?
    /// Why it ended early: nothing of it is in the wallet.
    var problem: ErrorWords?
  }

  /// An import ended because somebody stopped it.
  private struct Stopped: Error {}

  /// The import that was told of last.
  let last = LatestValue<Progress?>(nil)
  private let store: CardStore
  private let queue = DispatchQueue(label: "imports")
  /// The imports that can be stopped, and whether they are to.
  private let running = Mutex<[UUID: Bool]>([:])

  init(_ store: CardStore) { self.store = store }

  /// Receives a file and begins to import it; ``last`` tells of the rest.
  ///
  /// - Parameters:
  ///   - id: Names the import, which can be stopped from now on.
  ///   - name: What the file is called.
  ///   - receive: Gets the file, and calls what it is given from time to time.
  /// - Throws: `ExchangeError` for a file that is none of Catima's.
  func run(
    _ id: UUID, named name: String?, receive: (() throws -> Void) async throws -> SpooledFile
  ) async throws {
    try running.withLock { running in
      guard running[id] == nil else {
        throw WebError(.conflict, "There is such an import already.")
      }
      running[id] = false
    }
    do {
      let file = try await receive { try check(id) }
      let cards = try CatimaImport(file.url)
      try check(id)
      begin(cards, file, Progress(id: id, name: name))
    } catch {
      running.withLock { $0[id] = nil }
      guard error is Stopped else { throw error }
      throw WebError(
        .conflict, "The import is stopped. Nothing of it is in the wallet.", code: "importStopped")
    }
  }

  private func begin(_ cards: CatimaImport, _ file: SpooledFile, _ begun: Progress) {
    last.change { $0 = begun }
    queue.async { [self] in
      defer { withExtendedLifetime(file) {} }
      var current = begun
      do {
        current.report = try cards.run(into: store) { done, count in
          try check(begun.id, isLast: done == count)
          (current.done, current.count) = (done, count)
          last.change { [current] in $0 = current }
        }
      } catch is Stopped {
        current.isStopped = true
      } catch {
        current.problem = ErrorWords(WebError(error))
      }
      running.withLock { $0[begun.id] = nil }
      last.change { [current] in $0 = current }
    }
  }

  /// Stops an import: nothing of it is in the wallet, nor will be.
  ///
  /// - Throws: 409 for one that is over, 404 for one that never was.
  func stop(_ id: UUID) throws {
    try running.withLock { running in
      guard running[id] == nil else { return running[id] = true }
      guard last.value?.id == id else {
        throw WebError(.notFound, "There is no such import.", code: "noImport")
      }
      throw WebError(.conflict, "The import is over already.", code: "importOver")
    }
  }

  /// Ends an import that somebody stopped; after the last time it can't be stopped any more.
  private func check(_ id: UUID, isLast: Bool = false) throws {
    let isStopped = running.withLock { running in
      let isStopped = running[id] == true
      if isLast && !isStopped { running[id] = nil }
      return isStopped
    }
    if isStopped { throw Stopped() }
  }
}
