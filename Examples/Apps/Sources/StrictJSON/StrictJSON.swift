import Foundation

/// What a record may be, as both sides of the protocol read it: RFC 8259, with the restrictions of I-JSON (RFC 7493) and
/// limits that every reader can hold.
///
/// - UTF-8 without a byte order mark, and no half of a surrogate pair;
/// - no member twice in an object, also where one is written with escapes;
/// - at most ``maximumDepth`` objects and arrays within one another;
/// - numbers of at most ``maximumDigits`` digits whose exponent is from −``maximumExponent`` to ``maximumExponent``.
public enum StrictJSON {
  /// How deep objects and arrays may lie within one another.
  public static let maximumDepth = 32
  /// How many digits a number may have.
  public static let maximumDigits = 34
  /// The largest exponent of a number, and the negative one.
  public static let maximumExponent = 90

  /// Where and how JSON breaks the rule.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words that complete "It isn't …": without anything of the content.
    public var reason: String
    /// The byte at which that was found.
    public var offset: Int

    /// What is wrong, and where.
    public var description: String { "\(reason), at byte \(offset)" }
  }

  /// Checks a whole text.
  ///
  /// - Parameter data: The text, however large: its caller limits that.
  /// - Throws: ``Problem`` for the first thing that breaks the rule.
  public static func check(_ data: Data) throws(Problem) {
    guard String(validating: data, as: UTF8.self) != nil else {
      throw Problem(reason: "text in UTF-8", offset: 0)
    }
    var scanner = Scanner(data)
    try scanner.value(depth: 0)
    try scanner.end()
  }

  /// The members of an object as they stand, each unchecked within.
  ///
  /// - Parameter data: An object.
  /// - Returns: The bytes of each value by its name; of a name that comes twice the last.
  /// - Throws: ``Problem`` where it isn't an object whose brackets and texts end.
  public static func members(of data: Data) throws(Problem) -> [String: Data] {
    var scanner = Scanner(data)
    var members: [String: Data] = [:]
    try scanner.list(from: "{", to: "}") { scanner throws(Problem) in
      let name = try scanner.name()
      members[name] = try scanner.skipped()
    }
    try scanner.end()
    return members
  }

  /// The elements of an array as they stand, each unchecked within.
  ///
  /// - Parameter data: An array.
  /// - Returns: The bytes of each.
  /// - Throws: ``Problem`` where it isn't an array whose brackets and texts end.
  public static func elements(of data: Data) throws(Problem) -> [Data] {
    var scanner = Scanner(data)
    var elements: [Data] = []
    try scanner.list(from: "[", to: "]") { scanner throws(Problem) in
      elements.append(try scanner.skipped())
    }
    try scanner.end()
    return elements
  }
}
