import CardModel
import Foundation

/// Makes one version of two that were made without knowing of each other.
///
/// A member that one side changed has that side's value. Where both changed it differently, the value of `theirs`
/// stands and the one of `mine` is kept beside it. A delete wins over an edit, which is kept as a whole. Nothing
/// depends on clocks, except for moments, of which the later one stands.
struct RecordMerge {
  /// The newest version that both come from; `nil` when none is known.
  var base: CardRecord?
  var mine: CardRecord
  var theirs: CardRecord
  /// What to note as the moment.
  var date: Date
  /// The wallet whose values those of `theirs` are, if the versions don't tell.
  var author: String?

  /// The merged version: `theirs` where it says nothing else, otherwise one to be signed.
  var result: CardRecord {
    var merged = theirs
    merged.kept = Self.merge(base?.kept ?? [], mine.kept, theirs.kept)
    switch (mine.isDeleted, theirs.isDeleted) {
    case (true, true): break
    case (false, true):
      if base?.members != mine.members { merged.kept.insert(whole(mine, deletedIn: theirs)) }
    case (true, false):
      if base?.members != theirs.members { merged.kept.insert(whole(theirs, deletedIn: mine)) }
      merged.isDeleted = true
      merged.members = [:]
    case (false, false): mergeMembers(into: &merged)
    }
    return merged
  }

  private func mergeMembers(into merged: inout CardRecord) {
    for name in Set(mine.members.keys).union(theirs.members.keys) {
      let (own, other) = (mine.members[name], theirs.members[name])
      let (before, kind) = (base?.members[name], CardFields[name]?.kind)
      if own == other || own == before { continue }
      if other == before {
        merged.members[name] = own
      } else if kind == .moment {
        merged.members[name] = Self.later(own, other)
      } else if kind == .groups, let groups = Self.groups(before, own, other) {
        merged.members[name] = groups.isEmpty ? nil : .array(groups)
      } else {
        let winner = KeptValue.Winner(author ?? writer(of: theirs), other)
        let lost = KeptValue(of: mine, field: name, value: own, when: date, over: winner)
        merged.kept.insert(lost.json)
      }
    }
  }

  /// A card that was edited, and deleted in another version.
  private func whole(_ record: CardRecord, deletedIn tombstone: CardRecord) -> JSONValue {
    KeptValue(
      of: record, field: nil, value: .object(record.members), when: date,
      over: KeptValue.Winner(writer(of: tombstone), nil)
    ).json
  }

  /// The only wallet that has made edits in a version since the base; `nil` where it isn't known, or there are several:
  /// any of them may have made what it says.
  private func writer(of version: CardRecord) -> String? {
    let since = version.edits.filter { $0.value != base?.edits[$0.key] }
    return since.count == 1 ? since.first?.key : nil
  }

  /// What either side added, without what either side took out.
  private static func merge<T>(_ base: Set<T>, _ mine: Set<T>, _ theirs: Set<T>) -> Set<T> {
    theirs.union(mine.subtracting(base)).subtracting(base.subtracting(mine))
  }

  /// The groups of a merge; `nil` where a value isn't a list of texts.
  private static func groups(_ values: JSONValue?...) -> [JSONValue]? {
    let lists = values.map { value in value == nil ? [] : value?.array?.compactMap(\.text) }
    guard let base = lists[0], let mine = lists[1], let theirs = lists[2] else { return nil }
    return merge(Set(base), Set(mine), Set(theirs)).sorted().map(JSONValue.string)
  }

  private static func later(_ first: JSONValue?, _ second: JSONValue?) -> JSONValue? {
    func date(_ value: JSONValue?) -> Date { Date?(member: value) ?? .distantPast }
    return date(first) > date(second) ? first : second
  }
}
