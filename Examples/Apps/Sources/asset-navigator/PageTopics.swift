import ErrorWords
import Foundation
import ViewfinderLibrary
import WebServing

/// What a page hears of: the library's state, how the list that it shows becomes another one, and the photo stream.
struct PageTopics: Sendable {
  /// What a page hears of a list.
  private struct ListEvent: Encodable, Sendable {
    var list: ListReport?
    /// Why there is no list.
    var problem: ErrorWords?
  }

  private let library: NavigatorLibrary
  private let shelf: ListShelf
  private let membership: StreamMembership

  init(_ library: NavigatorLibrary, _ shelf: ListShelf, _ membership: StreamMembership) {
    (self.library, self.shelf, self.membership) = (library, shelf, membership)
  }

  func add(to events: inout PageEvents) {
    events.add("state") { _ in watchState() }
    events.add("stream") { _ in watchStream() }
    events.add("list") { visit in
      let query = try ListQuery(visit.parameters)
      // None may be lost: each change begins where the one before it ended.
      let (values, continuation) = AsyncStream.makeStream(of: ListEvent.self)
      let task = Task {
        do {
          try await follow(query) { continuation.yield(ListEvent(list: $0)) }
        } catch {
          continuation.yield(ListEvent(problem: ErrorWords(error)))
        }
      }
      return (
        values,
        {
          task.cancel()
          continuation.finish()
        }
      )
    }
  }

  private func watchState() -> PageEvents.Watch<NavigatorState> {
    let states = library.watch()
    return (states.values, states.end)
  }

  private func watchStream() -> PageEvents.Watch<StreamReport> {
    let (values, continuation) = AsyncStream.makeStream(
      of: StreamReport.self, bufferingPolicy: .bufferingNewest(1))
    let states = library.watch()
    let task = Task {
      var last: StreamReport?
      for await _ in states.values {
        let report = membership.report
        if report != last { continuation.yield(report) }
        last = report
      }
    }
    return (
      values,
      {
        task.cancel()
        states.end()
        continuation.finish()
      }
    )
  }

  /// Reports a list, and each change of it.
  private func follow(_ query: ListQuery, report: (ListReport) -> Void) async throws {
    let list = try await query.list(of: library)
    let isByDay = query.isByDay
    var kept = [shelf.put(list)]
    defer { for id in kept { shelf.remove(id) } }
    report(ListReport(id: kept[0], count: list.count, isByDay: isByDay))
    for try await change in list.changes {
      let id = shelf.put(change.after)
      kept.append(id)
      report(
        ListReport(
          id: id, count: change.after.count, isByDay: isByDay, change: ListReport.Change(change)))
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
  /// Whether it is in the order of time, so that days are sections.
  var isByDay: Bool
  var change: Change?
}
