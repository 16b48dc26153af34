import Foundation
import GRDB

extension AssetFilter {
  /// What a search for words, a camera or a place adds to a query.
  var searchConditions: [(condition: String, arguments: StatementArguments)] {
    var conditions: [(String, StatementArguments)] = []
    if let camera {
      conditions.append((Self.anyFile("camera = ?"), [camera]))
    }
    if let area {
      conditions.append(
        (
          Self.anyFile("latitude >= ? AND latitude < ? AND longitude >= ? AND longitude < ?"),
          [
            area.latitudes.lowerBound, area.latitudes.upperBound, area.longitudes.lowerBound,
            area.longitudes.upperBound,
          ]
        ))
    }
    for word in words where !word.isEmpty {
      let pattern = "%\(word.replacing(/[\\%_]/) { "\\" + $0.output })%"
      conditions.append((Self.word, [pattern, pattern, pattern, pattern]))
    }
    return conditions
  }

  /// Edited versions often leave out what the original says.
  private static func anyFile(_ condition: String) -> String {
    """
    file.asset IN (SELECT asset FROM file WHERE removed = 0 AND isItem = 1 AND \(condition))
    """
  }

  private static let word = """
    (\(anyFile("(CAST(name AS TEXT) LIKE ? ESCAPE '\\' OR camera LIKE ? ESCAPE '\\')"))
    OR file.folder IN (
      SELECT id FROM folder WHERE replace(CAST(path AS TEXT),
        rtrim(CAST(path AS TEXT), replace(CAST(path AS TEXT), '/', '')), '') LIKE ? ESCAPE '\\')
    OR file.asset IN (
      SELECT member.asset FROM member JOIN album ON album.id = member.album
      WHERE album.name LIKE ? ESCAPE '\\'))
    """
}

extension AssetQueries {
  /// The times by which assets are sorted, for rows of a list.
  static func dates(ofRows rows: [Int64], _ db: Database) throws -> [Int64: Int64] {
    var dates: [Int64: Int64] = [:]
    dates.reserveCapacity(rows.count)
    // By an index that has both; what isn't in it any more is asked for by itself.
    let all = try Row.fetchCursor(db, sql: "SELECT row, date FROM file WHERE isDefault = 1")
    while let row = try all.next() {
      dates[try row.decode(forColumn: "row")] = try row.decode(forColumn: "date")
    }
    let statement = try db.cachedStatement(sql: "SELECT date FROM file WHERE row = ?")
    for row in rows where dates[row] == nil {
      dates[row] = try Int64.fetchOne(statement, arguments: [row])
    }
    return dates
  }

  /// Cameras and how many assets were taken with each, the most first.
  static func cameras(limit: Int, _ db: Database) throws -> [(name: String, count: Int)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT camera, COUNT(DISTINCT asset) AS count FROM file
        WHERE removed = 0 AND isItem = 1 AND camera <> '' GROUP BY camera
        ORDER BY count DESC, camera LIMIT ?
        """, arguments: [limit]
    ).map { (try $0.decode(forColumn: "camera"), try $0.decode(forColumn: "count")) }
  }

  /// Squares of a net in which assets were taken, and how many in each, the most first.
  static func places(
    side: Double, limit: Int, _ db: Database
  ) throws -> [(position: GeoPosition, count: Int)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT AVG(latitude) AS north, AVG(longitude) AS east, COUNT(DISTINCT asset) AS count FROM file
        WHERE removed = 0 AND isItem = 1 AND latitude IS NOT NULL AND longitude IS NOT NULL
        GROUP BY CAST(latitude / ? + 1e8 AS INTEGER), CAST(longitude / ? + 1e8 AS INTEGER) ORDER BY count DESC, north LIMIT ?
        """, arguments: [side, side, limit]
    ).map { row in
      (
        GeoPosition(
          latitude: try row.decode(forColumn: "north"), longitude: try row.decode(forColumn: "east")
        ),
        try row.decode(forColumn: "count")
      )
    }
  }
}
