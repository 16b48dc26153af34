import CardSync
import Foundation

extension SyncStatus {
  /// How the wallet and its backend stand, for the person to read.
  var words: String {
    let cards = problems.first.map { "A card isn't taken: \($0.reason)" }
    let pictures = missingPictures > 0 ? "\(missingPictures) photos are still to come." : nil
    return [phase.words(isReadOnly: isReadOnly, lastSuccess: lastSuccess), cards, pictures]
      .compactMap { $0 }.joined(separator: " ")
  }
}

extension SyncStatus.Phase {
  fileprivate func words(isReadOnly: Bool, lastSuccess: Date?) -> String {
    switch self {
    case .idle:
      guard lastSuccess != nil else { return "Not synchronised yet." }
      return isReadOnly ? "The cards there are shown here; yours stay here." : "Synchronised."
    case .syncing(let done, let all):
      return all > 0 ? "Synchronising: \(done) of \(all)." : "Synchronising."
    case .waiting(_, let reason): return "Not synchronised; it is tried again. \(reason)"
    case .refused(let reason): return "Not synchronised. \(reason)"
    }
  }
}
