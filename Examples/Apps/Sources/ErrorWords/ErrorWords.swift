/// What went wrong, as pages and programs get it: in English words, and with the code for words in other languages.
public struct ErrorWords: Codable, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do.
  public var message: String
  /// Names it for pages in other languages; `nil` where they show the message.
  public var code: String?
  /// What the page's words are about; `nil` for nothing.
  public var values: [String: String]?
  /// Why, where that is an error of its own: in the page's words this is `{reason}`.
  public var reasons: [ErrorWords]?

  /// The message.
  public var description: String { message }

  /// Creates words.
  ///
  /// - Parameters:
  ///   - message: What is wrong and what to do.
  ///   - coded: What pages in other languages say it by. The default is `nil`.
  public init(_ message: String, _ coded: Coded? = nil) {
    self.message = message
    code = coded?.code
    values = (coded?.values).flatMap { $0.isEmpty ? nil : $0 }
    reasons = (coded?.reasons).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The words of an error; one that isn't a ``CodedError`` has a message alone.
  public init(_ error: any Error) {
    if let error = error as? any CodedError {
      self.init(error.description, error.coded)
    } else {
      self.init("\(error)")
    }
  }
}
