/// What was waited for in vain.
public struct WaitedInVain: Error, CustomStringConvertible {
  /// What it was, and what stood there instead.
  public let description: String
}

/// How long is waited: more than anything takes, also where a machine has much else to do.
public let longestWait = Duration.seconds(120)

/// Looks again and again until something is there, and gives it.
///
/// - Parameters:
///   - words: What is waited for, for the error.
///   - limit: How long to wait at most. The default is two minutes.
///   - last: What stands there instead, for the error; asked when the time is over.
///   - find: Looks; `nil` where it isn't there yet.
/// - Returns: What was found.
/// - Throws: ``WaitedInVain`` when it doesn't come about; what `find` throws.
@discardableResult
public func wait<Value>(
  for words: String, limit: Duration = longestWait, last: () async throws -> String = { "" },
  find: () async throws -> Value?
) async throws -> Value {
  let end = ContinuousClock.now + limit
  var pause = Duration.milliseconds(5)
  while true {
    let begin = ContinuousClock.now
    if let value = try await find() { return value }
    guard ContinuousClock.now < end else {
      throw WaitedInVain(description: "Waited in vain for \(words). \(try await last())")
    }
    // Looking takes a quarter of the time at most: what is waited for needs the rest.
    let rest = min((ContinuousClock.now - begin) * 3, .milliseconds(500))
    try await Task.sleep(for: max(pause, rest))
    pause = min(pause * 2, .milliseconds(50))
  }
}

/// Waits until something holds.
///
/// - Parameters:
///   - words: What is waited for, for the error.
///   - limit: How long to wait at most. The default is two minutes.
///   - last: What stands there instead, for the error; asked when the time is over.
///   - condition: Whether it holds.
/// - Throws: ``WaitedInVain`` when it doesn't come about; what `condition` throws.
public func wait(
  _ words: String, limit: Duration = longestWait, last: () async throws -> String = { "" },
  until condition: () async throws -> Bool
) async throws {
  try await wait(for: words, limit: limit, last: last) { try await condition() ? true : nil }
}
