import CardModel
import CardStore
import Foundation
import Testing

@testable import CardStore

/// What a person was told is saved, and what they saw when they replaced it.
///
/// Every value is there once in the world, so that each can be found again.
struct Ledger {
  /// A value of a card's member; of groups, each is one.
  struct Value: Hashable {
    var card: String
    var field: String
    var value: JSONValue
  }

  /// Something that replaced values which the person saw.
  private struct Replacement {
    var old: Set<Value>
    /// What came instead; `nil` for a removal.
    var new: Value?
    /// Of a delete, the card.
    var deleted: String?
    /// Whether the person was told that it is done; otherwise it may have been.
    var isAcknowledged: Bool
  }

  private var saved: Set<Value> = []
  private var replacements: [Int: Replacement] = [:]
  private var next = 0
  /// Cards of which the person was told that they are deleted.
  private(set) var deleted: Set<String> = []

  mutating func save(_ value: Value) { saved.insert(value) }

  /// Notes all of a card as saved.
  mutating func save(_ record: CardRecord) {
    saved.formUnion(Self.values(of: record.members, record.id))
  }

  @discardableResult
  mutating func replace(
    _ old: Set<Value>, with new: Value? = nil, deleting card: String? = nil, isAcknowledged: Bool
  ) -> Int {
    next += 1
    replacements[next] = Replacement(
      old: old, new: new, deleted: card, isAcknowledged: isAcknowledged)
    if isAcknowledged, let card { deleted.insert(card) }
    return next
  }

  /// Takes a delete back.
  mutating func undo(_ number: Int) {
    if let card = replacements.removeValue(forKey: number)?.deleted { deleted.remove(card) }
  }

  /// What a card's members say, each group by itself.
  static func values(of members: [String: JSONValue], _ id: UUID) -> Set<Value> {
    let card = id.uuidString.lowercased()
    return members.reduce(into: []) { values, member in
      guard member.key != "lastUsed" else { return }
      let each = member.key == "groups" ? member.value.array ?? [] : [member.value]
      for value in each { values.insert(Value(card: card, field: member.key, value: value)) }
    }
  }

  /// All values that a record shows, kept ones too.
  static func values(of record: CardRecord) -> Set<Value> {
    var values = values(of: record.members, record.id)
    for kept in record.kept.compactMap(KeptValue.init) {
      let members = kept.field.map { [$0: kept.value ?? .null] } ?? kept.value?.object ?? [:]
      values.formUnion(Self.values(of: members, record.id))
    }
    return values
  }

  /// What is wrong with the end; empty when nothing is.
  func problems(with records: [CardRecord]) -> [String] {
    let present = records.reduce(into: Set<Value>()) { $0.formUnion(Self.values(of: $1)) }
    let tombstones = Set(
      records.filter(\.isDeleted).map { $0.id.uuidString.lowercased() })
    // Seen by somebody, so it was there.
    let witnessed = replacements.values.reduce(into: present) { $0.formUnion($1.old) }
    var excused: Set<Value> = []
    for replacement in replacements.values {
      let happened =
        replacement.isAcknowledged || replacement.new.map(witnessed.contains) ?? false
        || replacement.deleted.map(tombstones.contains) ?? false
      if happened { excused.formUnion(replacement.old) }
    }
    let lost = saved.subtracting(present).subtracting(excused)
    return lost.map { "lost: \($0.field) \($0.value) of \($0.card)" }
      + deleted.subtracting(tombstones).map { "came back: \($0)" }
  }
}
