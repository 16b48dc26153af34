import Foundation

/// Why nothing can be exchanged with a server, in words that say what to do and never tell what is in a record.
public enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers, or not in time.
  case unreachable(address: String, reason: String)
  /// The answer takes too long: the line is slow, or the server.
  case tooSlow(address: String, seconds: Int)
  /// The server sends on to another one, which doesn't get the token.
  case redirected(address: String, to: String)
  /// Somebody on the way answers in the server's place, so that nothing of the answer counts.
  case intercepted(address: String)
  /// The answer isn't what such a server says.
  case notUnderstood(address: String, reason: String)
  /// The answer is larger than any that makes sense.
  case tooLarge(address: String, limit: Int)
  /// The server doesn't know the token.
  case notSignedOn(address: String)
  /// The token is another person's than before, who would get everything.
  case otherPerson(address: String, name: String, before: String)
  /// The server writes whatever the conditions, so that edits would be lost.
  case ignoresConditions(address: String, condition: String)
  /// The person's room on the server is used up.
  case full(address: String, message: String)
  /// The server doesn't take this.
  case rejected(address: String, message: String)
  /// The server has trouble of its own.
  case failed(address: String, status: Int, message: String, retryAfter: Duration?)
  /// The cursor is of another database.
  case cursorUnknown(address: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unreachable(let address, let reason):
      "The server at \(address) can't be reached: \(reason)."
    case .tooSlow(let address, let seconds):
      "The server at \(address) didn't answer within \(seconds) s. It is tried again."
    case .redirected(let address, let other):
      """
      The server at \(address) sends on to \(other), which doesn't get your token. If you trust that server, enter \
      its address; if your network wants you to sign in, open a page in a browser.
      """
    case .intercepted(let address):
      """
      Something on the way answers in place of the server at \(address), such as a network that wants you to sign in. \
      Open a page in a browser and sign in: then it goes on. Until then nothing counts as sent.
      """
    case .notUnderstood(let address, let reason):
      "The server at \(address) doesn't answer as one for cards or photos: \(reason). Check the address."
    case .tooLarge(let address, let limit):
      "The server at \(address) answers with more than \(limit >> 20) MB, which isn't read."
    case .notSignedOn(let address):
      "The server at \(address) doesn't know the token. Enter the one that its keeper gave you."
    case .otherPerson(let address, let name, let before):
      """
      The token for the server at \(address) is \(name)'s, and what is here was exchanged with \(before)'s. Nothing is \
      sent. Enter \(before)'s token, or keep what is \(name)'s in a folder of its own (--data).
      """
    case .ignoresConditions(let address, let condition):
      """
      The server at \(address) ignores conditional requests (\(condition)). Edits would overwrite each other, so \
      nothing is sent to it. Use another server.
      """
    case .full(let address, let message):
      "The server at \(address) has no room for more.\(Self.quote(message))"
    case .rejected(let address, let message):
      "The server at \(address) doesn't take it.\(Self.quote(message))"
    case .failed(let address, let status, let message, _):
      "The server at \(address) has a problem (\(status)).\(Self.quote(message)) It is tried again."
    case .cursorUnknown(let address): "The server at \(address) has another database than before."
    }
  }

  /// Whether trying again soon is of no use.
  public var needsPerson: Bool {
    switch self {
    case .redirected, .notSignedOn, .otherPerson, .ignoresConditions: true
    default: false
    }
  }

  /// Whether the same may well work in a while.
  public var passes: Bool {
    switch self {
    case .unreachable, .tooSlow, .intercepted, .failed: true
    default: false
    }
  }

  /// Whether other records may well be taken.
  public var mayConcernOne: Bool {
    switch self {
    case .full, .tooSlow, .failed(_, 408, _, _): true
    default: false
    }
  }

  /// How long the server wants to be left alone.
  public var retryAfter: Duration? {
    if case .failed(_, _, _, let duration) = self { duration } else { nil }
  }

  private static func quote(_ message: String) -> String {
    message.isEmpty ? "" : " It says: “\(message)”"
  }
}
