import CardModel
import Foundation
import GRDB

/// What is to be done about a picture, here or at a backend; where there is no row, nothing is.
enum PictureState: String {
  /// It isn't here, and a card names it.
  case wanted
  /// It was here, and isn't itself any more; it is wanted as well.
  case damaged
  /// It is to be sent, unless the backend has it.
  case sending
  /// The backend has it.
  case sent
  /// The backend doesn't take it.
  case refused
}

/// The pictures' states in the table `picture`, one for each picture and place.
extension RecordTable {
  /// The place that is this wallet, among the keys of backends.
  static let here: Int64 = 0

  /// Notes a picture's state at a place; a picture of which something is known keeps its state with `isNew`.
  func note(
    _ state: PictureState, _ hash: PictureHash, at place: Int64, card: UUID? = nil,
    reason: String? = nil, isNew: Bool = false
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO picture (place, hash, state, card, reason) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET card = ifnull(excluded.card, card)
          \(isNew ? "" : ", state = excluded.state, reason = excluded.reason")
        """,
      arguments: [place, hash.text, state.rawValue, card.map(Self.key), reason])
  }

  /// Pictures in states at a place that a record still names, with the reasons, by their hashes.
  func pictures(
    _ states: [PictureState], at place: Int64
  ) throws -> [(hash: PictureHash, card: UUID?, reason: String?)] {
    let marks = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM picture WHERE place = ? AND state IN (\(marks)) ORDER BY hash",
      arguments: [place])
    // Mostly it is the card for which it was noted; all are parsed only for others.
    var all: Set<String>?
    return try rows.compactMap { row in
      guard let hash = PictureHash(row["hash"] as String) else { return nil }
      let card = (row["card"] as String?).flatMap(UUID.init(uuidString:))
      if let card, try record(card)?.pictures.contains(hash) == true {
        return (hash, card, row["reason"])
      }
      let named = try all ?? Self.pictures(in: ["record"], db)
      all = named
      return named.contains(hash.text) ? (hash, nil, row["reason"]) : nil
    }
  }

  /// Whether a picture is noted as one that is to come.
  func isWanted(_ hash: PictureHash) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT 1 FROM picture WHERE place = ? AND hash = ?",
      arguments: [Self.here, hash.text]) ?? false
  }
}
