import Foundation

/// Who asks, and with what.
struct Visitor: Hashable, Sendable {
  /// The person's number in this engine.
  var person: Int64
  /// What the keeper of the server calls the person.
  var name: String
  /// The device, whose token the request has.
  var device: Int64
}

/// Something of a person's that has a token.
struct Device: Hashable, Sendable {
  /// Its number.
  var id: Int64
  /// What the person calls it.
  var name: String
  /// When its token was made.
  var made: Date
  /// When it asked last, to a day.
  var seen: Date?
  /// What its program calls itself in records; `nil` where it never said.
  var client: String?
}
