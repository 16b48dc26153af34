import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

/// What there is to search for: years, cameras and places.
struct SearchRoutes: Sendable {
  private struct Report: Encodable {
    var years: [Count<Int>]
    var cameras: [Count<String>]
    var places: [Place]
  }

  private struct Count<Value: Encodable>: Encodable {
    var value: Value
    var count: Int
  }

  /// The library knows no names of places.
  private struct Place: Encodable {
    var latitude: Double
    var longitude: Double
    /// South, north, west and east.
    var area: [Double]
    var count: Int

    init(_ place: LibraryPlace) {
      (latitude, longitude) = (place.position.latitude, place.position.longitude)
      let (northern, eastern) = (place.area.latitudes, place.area.longitudes)
      area = [northern.lowerBound, northern.upperBound, eastern.lowerBound, eastern.upperBound]
      count = place.assetCount
    }
  }

  /// How many of each are offered.
  private static let most = 12

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("search") { _, _ in
      let library = try library.opened()
      let cameras = try await library.cameras(limit: Self.most)
      return try Response.json(
        Report(
          years: try await years(of: library),
          cameras: cameras.map { Count(value: $0.name, count: $0.assetCount) },
          places: try await library.places(limit: Self.most).map(Place.init)))
    }
  }

  private func years(of library: PhotoLibrary) async throws -> [Count<Int>] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var counts: [Int: Int] = [:]
    for day in try await library.album(.all).assets().days() {
      let date = Date(timeIntervalSince1970: Double(day.number) * 86_400)
      counts[calendar.component(.year, from: date), default: 0] += day.count
    }
    return counts.sorted { $0.key > $1.key }.prefix(Self.most).map {
      Count(value: $0.key, count: $0.value)
    }
  }
}
