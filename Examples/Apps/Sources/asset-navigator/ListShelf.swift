import Foundation
import Synchronization
import ViewfinderLibrary
import WebServing

/// The lists that pages look at.
///
/// A list stays as it is while the library changes, so that places mean the same to the page and to the program until
/// the page has heard of the change.
final class ListShelf: Sendable {
  private let lists = Mutex<[UUID: AssetList]>([:])

  func put(_ list: AssetList) -> UUID {
    let id = UUID()
    lists.withLock { $0[id] = list }
    return id
  }

  func remove(_ id: UUID) { lists.withLock { $0[id] = nil } }

  func list(_ id: UUID) throws -> AssetList {
    guard let list = lists.withLock({ $0[id] }) else {
      throw WebError(
        .gone, "This list has changed. The page gets the new one by itself.", code: "listChanged")
    }
    return list
  }
}
