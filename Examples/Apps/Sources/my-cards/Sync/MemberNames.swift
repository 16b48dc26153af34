import CardModel

/// What a backend calls the members of a card, so that it may call things as it likes.
public struct MemberNames: Sendable {
  private let theirs: [String: String]
  private let ours: [String: String]

  /// Takes the backend's names by ours, each once; the default is that they are the same.
  public init(_ names: [String: String] = [:]) {
    theirs = names
    ours = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
  }

  /// A record with our names.
  public func ours(_ json: JSONValue) -> JSONValue { rename(json, ours) }

  /// A record with the backend's names.
  public func theirs(_ json: JSONValue) -> JSONValue { rename(json, theirs) }

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
