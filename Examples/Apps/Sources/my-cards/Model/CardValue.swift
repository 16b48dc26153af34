import Foundation

/// What a field of a card holds, and how JSON says it.
///
/// An empty value and none are the same.
public protocol CardValue: Hashable, Sendable {
  /// Takes a member; another kind of JSON, and none, are the empty value.
  init(member: JSONValue?)
  /// The member; `nil` for the empty value.
  var member: JSONValue? { get }
}

extension String: CardValue {
  /// Takes a text.
  public init(member: JSONValue?) { self = member?.text ?? "" }
  /// The text.
  public var member: JSONValue? { isEmpty ? nil : .string(self) }
}

extension Bool: CardValue {
  /// Takes a truth value.
  public init(member: JSONValue?) { self = member?.bool ?? false }
  /// The truth value.
  public var member: JSONValue? { self ? .bool(true) : nil }
}

/// As text, because numbers in JSON lose cents on their way through other programs.
extension Decimal: CardValue {
  /// Takes a text with a number in it.
  public init(member: JSONValue?) { self = member?.text.flatMap { Decimal(posix: $0) } ?? 0 }
  /// The number as text.
  public var member: JSONValue? { self == 0 ? nil : .string("\(self)") }

  /// Reads a number with a full stop, whatever the person's language; `nil` for other text.
  public init?(posix text: String) {
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

/// A set of texts.
extension Array: CardValue where Element == String {
  /// Takes a list; what is no text in it is passed over.
  public init(member: JSONValue?) {
    self = Set((member?.array ?? []).compactMap(\.text)).sorted()
  }

  /// The texts, sorted and each once.
  public var member: JSONValue? {
    let texts = Set(filter { !$0.isEmpty }).sorted()
    return texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
  }
}

extension Optional: CardValue where Wrapped: CardElement {
  /// Takes a value.
  public init(member: JSONValue?) { self = member.flatMap { Wrapped($0) } }
  /// The value.
  public var member: JSONValue? { self?.json }
}

/// What a field holds that may be without a value.
public protocol CardElement: Hashable, Sendable {
  /// Takes JSON; `nil` where that is no such value.
  init?(_ json: JSONValue)
  /// The value as JSON.
  var json: JSONValue { get }
}

extension CardPicture: CardElement {}
extension CardDate: CardElement, LosslessStringConvertible {}
extension CardColor: CardElement, LosslessStringConvertible {}
extension BarcodeType: CardElement {}

extension CardElement where Self: LosslessStringConvertible {
  /// Takes a text.
  public init?(_ json: JSONValue) {
    guard let text = json.text else { return nil }
    self.init(text)
  }

  /// The value as text.
  public var json: JSONValue { .string(description) }
}

extension CardElement where Self: RawRepresentable, RawValue == String {
  /// Takes a text.
  public init?(_ json: JSONValue) {
    guard let text = json.text else { return nil }
    self.init(rawValue: text)
  }

  /// The value as text.
  public var json: JSONValue { .string(rawValue) }
}

/// A moment as ISO 8601 has it, in whole seconds.
extension Date: CardElement {
  /// Takes a text.
  public init?(_ json: JSONValue) {
    guard let date = json.text.flatMap({ try? Date($0, strategy: .iso8601) }),
      Self.ofCalendar.contains(date)
    else { return nil }
    self = date
  }

  /// The moment as text.
  public var json: JSONValue { .string(formatted(.iso8601)) }
}
