import Foundation

/// Forgets what was kept for long enough: of one person at a time, whom nobody else can write meanwhile, and of some
/// rows, so that nobody waits for long. Each says whether it found any.
extension SQLSession {
  private var mostRows: Int { 1000 }

  /// Locks the person of whom a statement finds something.
  private func lockPerson(_ statement: String, before time: Int) throws -> Int64? {
    guard let person = try row(statement, time)?.key(0) else { return nil }
    try lock(person: person)
    return person
  }

  /// Forgets versions that were replaced before a time.
  func forgetVersions(before time: Int) throws -> Bool {
    let found = try lockPerson(
      "SELECT person FROM version WHERE replaced < $1 LIMIT 1", before: time)
    guard let person = found else { return false }
    try run(
      """
      DELETE FROM version WHERE person = $1 AND (feed, number) IN (
        SELECT feed, number FROM version WHERE person = $1 AND replaced < $2 LIMIT $3)
      """, person, time, mostRows)
    return true
  }

  /// Forgets records that were deleted before a time.
  func forgetDeleted(before time: Int) throws -> Bool {
    let found = try lockPerson(
      "SELECT person FROM record WHERE isDeleted = 1 AND changed < $1 LIMIT 1", before: time)
    guard let person = found else { return false }
    let deleted = try rows(
      """
      SELECT feed, id, number FROM record WHERE person = $1 AND isDeleted = 1 AND changed < $2
      ORDER BY number LIMIT $3
      """, person, time, mostRows)
    for row in deleted {
      let (feed, id, number) = (row.text(0), row.text(1), row.integer(2))
      try run(
        "DELETE FROM record WHERE person = $1 AND feed = $2 AND id = $3", person, feed, id)
      try run(
        """
        UPDATE head SET floor = CASE WHEN floor < $1 THEN $1 ELSE floor END
        WHERE person = $2 AND feed = $3
        """, number, person, feed)
      // A client that has seen the deletion goes on from there for another while.
      try run(
        "UPDATE version SET replaced = $1 WHERE person = $2 AND feed = $3 AND number = $4",
        Int(Date.now.timeIntervalSince1970), person, feed, number)
      let names = try rows(
        "DELETE FROM naming WHERE person = $1 AND feed = $2 AND id = $3 RETURNING name",
        person, feed, id)
      for name in names { try noteWhetherNamed(name.text(0), of: person) }
    }
    return true
  }

  /// Forgets blobs that nothing has named since a time.
  func forgetBlobs(before time: Int) throws -> Bool {
    let found = try lockPerson("SELECT person FROM blob WHERE unnamed < $1 LIMIT 1", before: time)
    guard let person = found else { return false }
    let blobs = try rows(
      "SELECT name, size, place FROM blob WHERE person = $1 AND unnamed < $2 LIMIT $3",
      person, time, mostRows)
    for blob in blobs {
      try run("DELETE FROM blob WHERE person = $1 AND name = $2", person, blob.text(0))
      try run("UPDATE person SET bytes = bytes - $1 WHERE key = $2", blob.integer(1), person)
      try discard(blob.text(2))
    }
    return true
  }
}
