/// An error with words for a person, and with a code by which a page says the same in another language.
public protocol CodedError: Error, CustomStringConvertible {
  /// What pages say it by.
  ///
  /// The default is `nil`: pages show the description.
  var coded: Coded? { get }
}

extension CodedError {
  /// The description is shown.
  public var coded: Coded? { nil }
}

/// A code, and what its words are about.
public struct Coded: Hashable, Sendable {
  /// Names what is to be said: "cardGone".
  public var code: String
  /// Values by the names that the page's words have for them.
  public var values: [String: String]
  /// Why, where that is an error of its own: in the page's words this is `{reason}`.
  public var reasons: [ErrorWords]

  /// Creates a code.
  ///
  /// - Parameters:
  ///   - code: Names what is to be said.
  ///   - values: What its words are about. The default is nothing.
  ///   - reasons: Why, where that is an error of its own. The default is nothing.
  public init(_ code: String, _ values: [String: String] = [:], because reasons: [ErrorWords] = [])
  {
    (self.code, self.values, self.reasons) = (code, values, reasons)
  }
}
