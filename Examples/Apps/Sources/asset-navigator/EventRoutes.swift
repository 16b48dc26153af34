import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

/// What a page hears of, as Server-Sent Events: the state, and how the list that it shows becomes another one.
struct EventRoutes: Sendable {
  private struct Event: Encodable, Sendable {
    var state: NavigatorState?
    var list: ListReport?
    /// Why there is no list.
    var problem: String?
  }

  private let library: NavigatorLibrary
  private let shelf: ListShelf

  init(_ library: NavigatorLibrary, _ shelf: ListShelf) {
    (self.library, self.shelf) = (library, shelf)
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("events") { request, _ in
      let query = request.uri.queryParameters
      let album = query["album"].flatMap { UUID(uuidString: String($0)) }
      let anchor = query["anchor"].flatMap { UUID(uuidString: String($0)) }
      return ServerEvents.response(to: request) { watch(album, anchor) }
    }
    router.post("library/open") { _, _ in
      await library.open()
      return Response(status: .noContent)
    }
  }

  private func watch(_ album: UUID?, _ anchor: UUID?)
    -> (values: AsyncStream<Event>, end: @Sendable () -> Void)
  {
    // None may be lost: each change begins where the one before it ended.
    let (values, continuation) = AsyncStream.makeStream(of: Event.self)
    let task = Task {
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await state in library.watch() { continuation.yield(Event(state: state)) }
        }
        guard let album else { return }
        group.addTask {
          do {
            try await follow(album, anchor) { continuation.yield(Event(list: $0)) }
          } catch {
            continuation.yield(Event(problem: "\(error)"))
          }
        }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return (values, { continuation.finish() })
  }

  /// Reports an album's list, and each change of it.
  private func follow(_ id: UUID, _ anchor: UUID?, report: (ListReport) -> Void) async throws {
    let list = try await library.album(id).shownAssets()
    var anchorPlace: Int?
    if let anchor, let asset = try? await library.asset(anchor) {
      anchorPlace = list.place(of: asset)
    }
    var kept = [shelf.put(list)]
    defer { for id in kept { shelf.remove(id) } }
    report(ListReport(id: kept[0], count: list.count, anchor: anchorPlace))
    for try await change in list.changes {
      let id = shelf.put(change.after)
      kept.append(id)
      report(ListReport(id: id, count: change.after.count, change: ListReport.Change(change)))
      // The page may still ask for one before: changes come as the library finds them.
      if kept.count > 32 { shelf.remove(kept.removeFirst()) }
    }
  }
}

/// A list, and how it came out of the one before.
private struct ListReport: Encodable, Sendable {
  struct Change: Encodable, Sendable {
    var removals: [Int]
    var insertions: [Int]
    /// Pairs of places, before and after.
    var moves: [[Int]]
    var updates: [Int]

    init(_ change: AssetListChange) {
      (removals, insertions) = (change.removals, change.insertions)
      moves = change.moves.map { [$0.from, $0.to] }
      updates = change.updates
    }
  }

  var id: UUID
  var count: Int
  /// Where the asset is that the page wants to see.
  var anchor: Int?
  var change: Change?
}
