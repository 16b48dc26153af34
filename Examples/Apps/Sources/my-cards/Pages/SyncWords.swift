import FeedSync
import Foundation

extension SyncStatus {
  /// How the wallet and the cards at an address stand, for the person to read.
  func words(for address: String) -> String {
    let exchange = phase.words(for: address, isReadOnly: isReadOnly, lastSuccess: lastSuccess)
    let cards = problems.first.map { "A card isn't taken: \($0.reason)" }
    let pictures = missingBlobs > 0 ? "\(missingBlobs) photos are still to come." : nil
    let unreadable = self.unreadable.first.map {
      "\(self.unreadable.count) cards of the server can't be read: of the first, \($0.reason)."
    }
    return [exchange, cards, unreadable, pictures].compactMap { $0 }.joined(separator: " ")
  }
}

extension SyncStatus.Phase {
  fileprivate func words(for address: String, isReadOnly: Bool, lastSuccess: Date?) -> String {
    switch self {
    case .idle:
      guard lastSuccess != nil else { return "Not synchronised yet." }
      return isReadOnly
        ? "The cards at \(address) are shown, too. What you add or change stays here."
        : "Synchronised."
    case .syncing(let done, let all):
      return all > 0 ? "Synchronising: \(done) of \(all)." : "Synchronising."
    case .waiting(_, let reason): return "Not synchronised; it is tried again. \(reason)"
    case .refused(let reason): return "Not synchronised. \(reason)"
    }
  }
}
