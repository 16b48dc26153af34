/// Tells other copies of the server that there is news.
///
/// A hint may be lost, or come twice: who waits asks the engine now and then without one.
protocol Hints: Sendable {
  /// What others tell; `nil` where hints may have been lost.
  var heard: AsyncStream<NewsKey?> { get }

  /// Tells the others, soon.
  func tell(_ key: NewsKey)
}
