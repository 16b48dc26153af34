import CardStore
import Foundation
import ServiceLifecycle
import ViewfinderPages
import WebServing

/// Tells pages what changes: cards, photos that were asked for, imports, and how far the synchronisation is.
final class WalletEvents: Service {
  /// How long changes are gathered: an import makes a thousand.
  private static let gathering = Duration.milliseconds(250)

  private let store: CardStore
  private let photos: SidePhotos
  private let imports: Imports
  private let sync: WalletSync
  /// Rises with every change of the cards.
  private let version = LatestValue(0)
  /// The last photo that was asked for.
  private let photo = LatestValue<SidePhotos.Result?>(nil)

  init(_ store: CardStore, photos: SidePhotos, imports: Imports, sync: WalletSync) {
    (self.store, self.photos, self.imports, self.sync) = (store, photos, imports, sync)
  }

  /// Adds the topics to a page's stream.
  func add(to events: inout PageEvents) {
    events.add("cards") { [version] _ in version.watch() }
    events.add("photo") { [photo] _ in photo.watch() }
    events.add("import") { [imports] _ in imports.last.watch() }
    events.add("sync") { [sync] _ in sync.reports.watch() }
  }

  /// Follows the store, the picker and the backend until the program ends.
  func run() async throws {
    let results = photos.results.watch()
    await withTaskGroup { group in
      group.addTask { [self] in
        for await _ in store.changes() {
          version.change { $0 += 1 }
          try? await Task.sleep(for: Self.gathering)
        }
      }
      group.addTask { [self] in
        for await result in results.values { photo.change { $0 = result } }
      }
      group.addTask { [self] in await sync.run() }
      try? await gracefulShutdown()
      group.cancelAll()
      results.end()
    }
  }
}
