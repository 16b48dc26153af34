import Foundation

/// Any JSON value, so that what a program doesn't know is kept as it came.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The text, if the value is one.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth value, if the value is one.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The number, if the value is one.
  public var number: Decimal? { if case .number(let number) = self { number } else { nil } }

  /// The elements, if the value is an array.
  public var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }

  /// The members, if the value is an object.
  public var object: [String: JSONValue]? {
    if case .object(let object) = self { object } else { nil }
  }

  /// Reads JSON.
  ///
  /// - Parameter data: UTF-8 text.
  /// - Throws: `DecodingError` when it isn't JSON.
  public init(parsing data: Data) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: data)
  }

  /// The value as JSON with its members sorted, so that equal values are equal bytes.
  public var data: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every case can be encoded.
    return (try? encoder.encode(self)) ?? Data("null".utf8)
  }
}

extension JSONValue: Codable {
  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // In the order of how many there are: each attempt that fails takes its time.
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let object = try? container.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else {
      self = .number(try container.decode(Decimal.self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}
