/// What a card still needs, or has too much of, before it can be saved.
public enum CardProblem: Hashable, Sendable, CustomStringConvertible {
  /// It has no name.
  case noName
  /// It has no photo of its front.
  case noFront
  /// It has no photo of its back.
  case noBack
  /// A field is longer than it may be.
  case tooLong(field: String, characters: Int, limit: Int)

  /// What to do, for the person to read.
  public var description: String {
    switch self {
    case .noName: "Give the card a name."
    case .noFront: "Take or choose a photo of the front."
    case .noBack: "Take or choose a photo of the back."
    case .tooLong(let field, let characters, let limit):
      "The \(field) has \(characters) characters; make it \(limit) at most."
    }
  }
}

extension Card {
  /// How long texts may be, in characters.
  public static let limits = [
    (field: "name", member: "name", characters: 200),
    (field: "note", member: "note", characters: 10_000),
    (field: "card number", member: "cardId", characters: 1000),
    (field: "bar code", member: "barcodeId", characters: 4000),
  ]

  /// What keeps the card from being saved; empty for a valid one.
  ///
  /// A valid card has an identifier, which each has from the start, a name, a front and a back.
  public var problems: [CardProblem] {
    var problems: [CardProblem] = []
    if name.allSatisfy(\.isWhitespace) { problems.append(.noName) }
    if front == nil { problems.append(.noFront) }
    if back == nil { problems.append(.noBack) }
    for limit in Self.limits {
      let count = members[limit.member]?.text?.count ?? 0
      if count > limit.characters {
        problems.append(.tooLong(field: limit.field, characters: count, limit: limit.characters))
      }
    }
    return problems
  }
}
