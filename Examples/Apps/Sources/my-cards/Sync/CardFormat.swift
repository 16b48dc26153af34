import CardModel
import CardStore

/// Parses and converts between a backend's JSON and records, so that a backend may call things as it likes.
public protocol CardFormat: Sendable {
  /// The record that a backend's JSON describes; `nil` when it is none.
  func record(from json: JSONValue) -> CardRecord?

  /// The JSON for a backend.
  func json(from record: CardRecord) -> JSONValue
}

/// Records as ``CardRecord`` has them.
public struct StandardFormat: CardFormat {
  /// Creates the format.
  public init() {}

  /// Takes the record as it is.
  public func record(from json: JSONValue) -> CardRecord? { CardRecord(json) }

  /// Gives the record as it is.
  public func json(from record: CardRecord) -> JSONValue { record.json }
}

/// Records of a backend that has other names for some members.
public struct RenamingFormat: CardFormat {
  private let theirs: [String: String]
  private let ours: [String: String]

  /// Creates a format; `names` has the backend's names by ours, each once.
  public init(names: [String: String]) {
    theirs = names
    ours = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
  }

  /// Takes a record with its members renamed.
  public func record(from json: JSONValue) -> CardRecord? { CardRecord(rename(json, ours)) }

  /// Gives a record with its members renamed.
  public func json(from record: CardRecord) -> JSONValue { rename(record.json, theirs) }

  private func rename(_ json: JSONValue, _ names: [String: String]) -> JSONValue {
    guard let object = json.object else { return json }
    // A member that has the new name already keeps its place, and so does the other.
    let pairs = object.map { name, value in
      let new = names[name] ?? name
      return (new != name && object[new] != nil ? name : new, value)
    }
    return .object(Dictionary(pairs) { first, _ in first })
  }
}
