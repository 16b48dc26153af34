import ErrorWords

/// What a card still needs, or has too much of, before it can be saved.
public enum CardProblem: Hashable, Sendable, CustomStringConvertible {
  /// It has no name.
  case noName
  /// A field is longer than it may be.
  case tooLong(field: String, characters: Int, limit: Int)
  /// It is in more groups than a card may be.
  case tooManyGroups(count: Int, limit: Int)
  /// A group's name is longer than it may be.
  case groupTooLong(characters: Int, limit: Int)

  /// What to do, for the person to read.
  public var description: String {
    switch self {
    case .noName: "Give the card a name."
    case .tooLong(let field, let characters, let limit):
      "The \(field) has \(characters) characters; make it \(limit) at most."
    case .tooManyGroups(let count, let limit):
      "The card is in \(count) groups; make it \(limit) at most."
    case .groupTooLong(let characters, let limit):
      "A group's name has \(characters) characters; make it \(limit) at most."
    }
  }
}

extension CardProblem: CodedError {
  /// What pages say it by.
  public var coded: Coded? {
    switch self {
    case .noName: Coded("noName")
    case .tooLong(let field, let characters, let limit):
      Coded("fieldTooLong", ["field": field, "count": "\(characters)", "limit": "\(limit)"])
    case .tooManyGroups(let count, let limit):
      Coded("tooManyGroups", ["count": "\(count)", "limit": "\(limit)"])
    case .groupTooLong(let characters, let limit):
      Coded("groupTooLong", ["count": "\(characters)", "limit": "\(limit)"])
    }
  }
}

extension Card {
  /// How many groups a card may be in, and how long a group's name may be, in characters: what fits on a page.
  public static let maximumGroups = 32, maximumGroupName = 60

  /// What keeps the card from being saved; empty for a valid one.
  ///
  /// A valid card has an identifier, which each has from the start, and a name. Photos are welcome, not needed.
  public var problems: [CardProblem] {
    var problems: [CardProblem] = []
    if self.name.allSatisfy(\.isWhitespace) { problems.append(.noName) }
    for field in CardFields.all {
      let count = members[field.name]?.text?.count ?? 0
      if let limit = field.limit, count > limit {
        problems.append(
          .tooLong(field: field.label.lowercased(), characters: count, limit: limit))
      }
    }
    if self.groups.count > Self.maximumGroups {
      problems.append(.tooManyGroups(count: self.groups.count, limit: Self.maximumGroups))
    }
    if let longest = self.groups.map(\.count).max(), longest > Self.maximumGroupName {
      problems.append(.groupTooLong(characters: longest, limit: Self.maximumGroupName))
    }
    return problems
  }
}
