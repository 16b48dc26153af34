import Foundation
import GRDB

/// Assets of one day that follow each other in a list.
public struct AssetDay: Hashable, Sendable {
  /// The day on which they were taken by the camera's own clock, or last written where that isn't known: days since
  /// 1 January 1970.
  public var number: Int
  /// How many there are.
  public var count: Int

  /// Creates a day.
  public init(number: Int, count: Int) { (self.number, self.count) = (number, count) }
}

extension AssetList {
  /// The days of the list, in its order; together they have as many assets as the list.
  ///
  /// A view knows from them how high all of its sections are before it has read any asset. A list that isn't sorted by time
  /// may have a day more than once.
  ///
  /// - Returns: The days as the assets are now.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func days() async throws(PhotoLibraryError) -> [AssetDay] {
    let dates = try await core.index.read { [rows] db in try AssetQueries.dates(ofRows: rows, db) }
    let day: Int64 = 86_400 * 1_000_000_000
    var days: [AssetDay] = []
    for row in rows {
      // What the index has forgotten stays with its neighbours.
      let date = dates[row]
      let number = date.map { Int($0 / day - ($0 % day < 0 ? 1 : 0)) } ?? days.last?.number ?? 0
      if days.last?.number == number {
        days[days.count - 1].count += 1
      } else {
        days.append(AssetDay(number: number, count: 1))
      }
    }
    return days
  }
}
