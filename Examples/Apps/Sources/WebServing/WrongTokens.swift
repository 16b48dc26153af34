import Synchronization

/// Makes who guesses wait: with each wrong token from an address longer, up to some seconds.
///
/// Only wrong tokens wait. Who knows the right one is answered at once, also where others guess from the same address.
/// So there is no pace for those who guess over many connections; that is why tokens are long.
final class WrongTokens: Sendable {
  typealias Instant = ContinuousClock.Instant

  private struct Record {
    /// The last wrong token: said again, it is no further guess.
    var last: Int
    var count = 0
    /// When the last of those who wait is answered.
    var end: Instant
  }

  /// How many addresses are remembered.
  static let most = 1024
  /// How long a guess counts.
  static let memory = Duration.seconds(900)
  /// How long one may have to wait; who would wait longer hears that at once.
  static let patience = Duration.seconds(10)
  /// From how many addresses somebody may wait at a time, so that they don't take the places of others.
  static let mostWaiting = 16

  private let records = Mutex<[VisitorAddress: Record]>([:])

  /// Counts a wrong token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - address: Where it comes from.
  ///   - now: The time.
  /// - Returns: How long the answer waits.
  /// - Throws: ``WebError`` where too many wait already.
  func delay(of token: some StringProtocol, from address: VisitorAddress, now: Instant = .now)
    throws(WebError) -> Duration
  {
    let wait = records.withLock { records in
      var record = records[address] ?? Record(last: 0, end: now)
      let isRecent = now < record.end + Self.memory
      let hash = token.hashValue
      guard record.count == 0 || !isRecent || record.last != hash else { return Duration.zero }
      record.count = isRecent ? record.count + 1 : 1
      record.last = hash
      let end = max(now, record.end) + Self.pause(record.count)
      guard end - now <= Self.patience else { return end - now }
      let others = records.count { $0.key != address && $0.value.end > now }
      guard others < Self.mostWaiting else { return Self.patience + .seconds(1) }
      record.end = end
      if records[address] == nil, records.count >= Self.most,
        let oldest = records.min(by: { $0.value.end < $1.value.end })
      {
        records[oldest.key] = nil
      }
      records[address] = record
      return end - now
    }
    guard wait <= Self.patience else {
      var error = WebError(
        .tooManyRequests, "Too many wrong tokens came from your address. Try again in a while.",
        code: "tooManyTokens")
      error.retryAfter = Int(wait.components.seconds) + 1
      throw error
    }
    return wait
  }

  private static func pause(_ count: Int) -> Duration {
    min(.milliseconds(100) * (1 << min(count - 1, 10)), .seconds(5))
  }
}
