/// Moves all rows of one database into an empty one of another kind: people, devices with their tokens, records with
/// their ETags, numbers and cursors, so that clients go on as if nothing had happened.
struct DatabaseCopy {
  let source: any SQLSession
  let target: any SQLSession

  /// Where a file is from now on, in place of where it was; one that isn't named stays where it is.
  var places: [String: String] = [:]
  /// Files that are lost: who has one sends it again.
  var lost: Set<String> = []

  /// A table, and its columns.
  private struct Table {
    var name: String
    /// The first ones are the key.
    var columns: [String]
  }

  /// What a person has, and in which order it is read.
  private static let tables = [
    Table(name: "device", columns: ["key", "person", "name", "token", "made", "seen", "client"]),
    Table(name: "head", columns: ["person", "feed", "last", "floor", "records"]),
    Table(name: "version", columns: ["person", "feed", "number", "tag", "replaced"]),
    Table(
      name: "record",
      columns: ["person", "feed", "id", "number", "tag", "isDeleted", "changed", "json"]),
    Table(name: "blob", columns: ["person", "name", "size", "type", "place", "unnamed"]),
    Table(name: "naming", columns: ["person", "feed", "id", "name"]),
    Table(name: "upload", columns: ["person", "name", "upload", "begun"]),
  ]

  /// Why nothing is copied, or nothing counts.
  enum Failure: Error, Hashable, CustomStringConvertible {
    case notEmpty(people: Int)
    case unequal(what: String, there: Int, copied: Int)

    var description: String {
      switch self {
      case .notEmpty(let people):
        "The database of --records has \(people) people already. Give an empty one: nothing is copied over what is there."
      case .unequal(let what, let there, let copied):
        "Of \(there) \(what) there are \(copied) in the new database. Nothing of it counts; the old one is as it was. Is a server still writing there?"
      }
    }
  }

  /// Refuses a target in which somebody has something.
  static func checkIsEmpty(_ target: any SQLSession) throws {
    let people = try target.row("SELECT count(*) FROM person")?.integer(0) ?? 0
    guard people == 0 else { throw Failure.notEmpty(people: people) }
  }

  /// Copies everything, within a transaction of the target's.
  ///
  /// - Returns: How much there is now, by table.
  func run() throws -> [(table: String, count: Int)] {
    try Self.checkIsEmpty(target)
    guard let server = try source.row("SELECT id FROM server") else { return [] }
    // Clients key what they remember by it, and by the person's number.
    try target.run("UPDATE server SET id = $1", server.text(0))
    for person in try source.rows("SELECT key, name, bytes FROM person ORDER BY key") {
      try insert([person], into: "person", ["key", "name", "bytes"], isNumbered: true)
      for table in Self.tables { try copy(table, of: person.key(0)) }
      try forgetLost(of: person.key(0))
    }
    if places.isEmpty {
      let rubbish = try source.rows("SELECT place, since FROM rubbish")
      try insert(rubbish, into: "rubbish", ["place", "since"])
    }
    // New ones get the numbers after those that are taken.
    for table in ["person", "device"] {
      try target.run(
        """
        SELECT setval(pg_get_serial_sequence('\(table)', 'key'), (SELECT coalesce(max(key), 0) + 1 FROM \(table)), false)
        """)
    }
    return try check()
  }

  /// How many rows are read at a time: a person may have a million records.
  private static let page = 500

  private func copy(_ table: Table, of person: Int64) throws {
    // Uploads that aren't complete begin anew in another store.
    if table.name == "upload", !places.isEmpty { return }
    let columns = table.columns.joined(separator: ", ")
    var start = 0
    while true {
      let rows = try source.rows(
        """
        SELECT \(columns) FROM \(table.name) WHERE person = $1
        ORDER BY \(table.columns.prefix(4).joined(separator: ", ")) LIMIT $2 OFFSET $3
        """, person, Self.page, start)
      try insert(
        table.name == "blob" ? rows.compactMap(moved) : rows, into: table.name, table.columns,
        isNumbered: table.name == "device")
      guard rows.count == Self.page else { return }
      start += rows.count
    }
  }

  /// A blob's row with its new place; `nil` for one that is lost.
  private func moved(_ row: SQLRow) -> SQLRow? {
    let place = row.text(4)
    guard !lost.contains(place) else { return nil }
    var values = row.values
    if let new = places[place] { values[4] = .text(new) }
    return SQLRow(values: values)
  }

  /// Their room is the person's again.
  private func forgetLost(of person: Int64) throws {
    guard !lost.isEmpty else { return }
    let bytes = try source.rows("SELECT place, size FROM blob WHERE person = $1", person)
      .filter { lost.contains($0.text(0)) }.reduce(0) { $0 + $1.integer(1) }
    try target.run("UPDATE person SET bytes = bytes - $1 WHERE key = $2", bytes, person)
  }

  /// How many rows go together.
  private static let chunk = 50

  private func insert(
    _ rows: [SQLRow], into table: String, _ columns: [String], isNumbered: Bool = false
  ) throws {
    let names = columns.joined(separator: ", ")
    let words = isNumbered ? "OVERRIDING SYSTEM VALUE " : ""
    for start in stride(from: 0, to: rows.count, by: Self.chunk) {
      let some = rows[start..<min(start + Self.chunk, rows.count)]
      var number = 0
      let values = some.map { row in
        let places = row.values.map { _ in
          number += 1
          return "$\(number)"
        }
        return "(\(places.joined(separator: ", ")))"
      }
      try target.run(
        "INSERT INTO \(table) (\(names)) \(words)VALUES \(values.joined(separator: ", "))",
        some.flatMap(\.values))
    }
  }

  // MARK: Checking

  /// Compares what both have: rows by table, and the bytes of all records.
  private func check() throws -> [(table: String, count: Int)] {
    func count(_ session: any SQLSession, _ question: String) throws -> Int {
      try session.row("SELECT CAST(coalesce(\(question), 0) AS BIGINT)")?.integer(0) ?? 0
    }
    func compare(_ what: String, _ question: String, less: Int = 0) throws -> Int {
      let there = try count(source, question) - less
      let copied = try count(target, question)
      guard there == copied else {
        throw Failure.unequal(what: what, there: there, copied: copied)
      }
      return copied
    }
    var counts: [(table: String, count: Int)] = []
    for table in ["person"] + Self.tables.map(\.name) {
      if table == "upload", !places.isEmpty { continue }
      let less = table == "blob" ? lost.count : 0
      counts.append(
        (table, try compare("rows of \(table)", "(SELECT count(*) FROM \(table))", less: less)))
    }
    _ = try compare("bytes of records", "(SELECT sum(length(json)) FROM record)")
    _ = try compare("numbers", "(SELECT sum(last + floor) FROM head)")
    return counts
  }
}
