import Foundation
import ViewfinderLibrary
import WebServing

/// What a page wants to see: an album, or what a search finds in all photos.
struct ListQuery: Sendable {
  /// The album; `nil` for all photos.
  private var album: UUID?
  private var filter = AssetFilter()
  private var order = AssetOrder.newestFirst

  /// Reads what a page asks for.
  ///
  /// - Parameter parameters: `album`, an id; `order`, "newest", "oldest" or "own", as the person arranged an album; `words`;
  ///   `from` and `until`, days such as 2026-11-21, the latter not included; `camera`; `area`, four numbers: south, north, west
  ///   and east.
  /// - Throws: ``WebError`` for what can't be meant.
  init(_ parameters: [String: String]) throws {
    if let album = parameters["album"] {
      guard let id = UUID(uuidString: album) else { throw Self.error("album is an id") }
      self.album = id
    }
    switch parameters["order"] {
    case nil, "newest": break
    case "oldest": order = .oldestFirst
    case "own": order = .manual
    default: throw Self.error("order is “newest”, “oldest” or “own”")
    }
    filter.words = (parameters["words"] ?? "").split(separator: " ").prefix(16).map(String.init)
    filter.camera = parameters["camera"]
    filter.area = try parameters["area"].map(Self.area)
    let (from, until) = (
      try parameters["from"].map(Self.day), try parameters["until"].map(Self.day)
    )
    if from != nil || until != nil {
      let (start, end) = (from ?? .distantPast, until ?? .distantFuture)
      guard start <= end else { throw Self.error("from is before until") }
      filter.captured = start..<end
    }
  }

  /// Whether the list is in the order of time.
  var isByDay: Bool { order != .manual }

  func list(of library: NavigatorLibrary) async throws -> AssetList {
    let shown = try await album.mapAsync(library.album) ?? library.opened().album(.all)
    return try await shown.assets(filter, order: order)
  }

  private static func error(_ words: String) -> WebError {
    WebError(.badRequest, "This list can’t be asked for: \(words).")
  }

  private static func area(_ text: String) throws -> GeoArea {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy({ $0.isFinite && abs($0) <= 360 }),
      numbers[0] <= numbers[1], numbers[2] <= numbers[3]
    else { throw error("area is south, north, west and east, in degrees") }
    return GeoArea(latitudes: numbers[0]..<numbers[1], longitudes: numbers[2]..<numbers[3])
  }

  private static func day(_ text: String) throws -> Date {
    guard let parts = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/)?.output,
      let day = Calendar(identifier: .gregorian).date(
        from: DateComponents(
          timeZone: .current, year: Int(parts.1), month: Int(parts.2), day: Int(parts.3)))
    else { throw error("a day is written as 2026-11-21") }
    return day
  }
}

extension Optional {
  /// What an asynchronous function makes of a value that is there.
  fileprivate func mapAsync<R>(_ body: (Wrapped) async throws -> R) async throws -> R? {
    guard let self else { return nil }
    return try await body(self)
  }
}
