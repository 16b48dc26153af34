import Foundation
import Synchronization

/// Hints through PostgreSQL's `NOTIFY`, on a connection of their own.
///
/// No write waits for them: `NOTIFY` takes a lock of the whole server when its transaction ends. What comes meanwhile
/// goes together, and needs neither a disk nor a standby.
final class PostgresHints: Hints {
  let heard: AsyncStream<NewsKey?>
  private let continuation: AsyncStream<NewsKey?>.Continuation
  private let told = Mutex<Set<NewsKey>>([])
  /// Wakes the thread when something is told.
  private let bell = Pipe()

  /// After what time without a word the server is asked whether it is there.
  private static let silence = Duration.seconds(10)
  /// How many fit into a payload of 8,000 bytes.
  private static let maximumKeys = 100

  /// Starts a thread, which connects again when its connection is lost, for as long as the program runs.
  init(_ address: String) {
    (heard, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
    let thread = Thread { [self] in
      while true {
        // Nobody waits for this; polls go on meanwhile.
        _ = try? exchange(PostgresConnection(address))
        Thread.sleep(forTimeInterval: .random(in: 0.5...1))
      }
    }
    thread.name = "postgres-hints"
    thread.start()
  }

  func tell(_ key: NewsKey) {
    let isFirst = told.withLock { told in
      told.insert(key)
      return told.count == 1
    }
    if isFirst { bell.fileHandleForWriting.write(Data([0])) }
  }

  /// Hears and tells until the connection is lost.
  private func exchange(_ connection: PostgresConnection) throws {
    try connection.run("SET synchronous_commit = off; LISTEN feed_news")
    // Whatever came before that.
    continuation.yield(nil)
    while true {
      for key in connection.notifications().flatMap(NewsKey.keys) { continuation.yield(key) }
      let bell = bell.fileHandleForReading.fileDescriptor
      if try !connection.awaitInput(or: bell, for: Self.silence) { try connection.run("SELECT 1") }
      try send(take(), on: connection)
    }
  }

  private func take() -> Set<NewsKey> {
    let keys = told.withLock { told in
      defer { told = [] }
      return told
    }
    // Who tells first rings once.
    if !keys.isEmpty { _ = try? bell.fileHandleForReading.read(upToCount: 1) }
    return keys
  }

  private func send(_ keys: Set<NewsKey>, on connection: PostgresConnection) throws {
    var rest = Array(keys)[...]
    while !rest.isEmpty {
      let words = rest.prefix(Self.maximumKeys).map(\.words).joined(separator: " ")
      rest = rest.dropFirst(Self.maximumKeys)
      _ = try connection.rows("SELECT pg_notify('feed_news', $1)", [.text(words)])
    }
  }
}

extension NewsKey {
  /// As it is sent; names of feeds have no space.
  fileprivate var words: String { "\(person)/\(feed)" }

  fileprivate static func keys(_ words: String) -> [NewsKey] {
    words.split(separator: " ").compactMap { word in
      let parts = word.split(separator: "/")
      guard parts.count == 2, let person = Int64(parts[0]) else { return nil }
      return NewsKey(person: person, feed: String(parts[1]))
    }
  }
}
