import CardStore
import Foundation
import Hummingbird
import ServiceLifecycle
import Synchronization
import ViewfinderPages
import WebServing

/// Tells pages what changes: cards, photos that were asked for, and how far the synchronisation is.
final class WalletEvents: Service {
  /// What pages get.
  struct Report: Codable, Sendable {
    /// Rises with every change of the cards.
    var version = 0
    /// The last photo that was asked for.
    var photo: SidePhotos.Result?
    /// The import that was begun last.
    var imports: Imports.Progress?
    /// How the wallet and its backend stand, in words; `nil` without a backend.
    var sync: String?
  }

  private let store: CardStore
  private let photos: SidePhotos
  private let imports: Imports
  private let sync: WalletSync
  private let report = Mutex(Report())
  private let watchers = Watchers<Report>()

  init(_ store: CardStore, photos: SidePhotos, imports: Imports, sync: WalletSync) {
    (self.store, self.photos, self.imports, self.sync) = (store, photos, imports, sync)
  }

  /// Follows the store, the picker and the backend until the program ends.
  func run() async throws {
    let results = photos.results.watch()
    let progress = imports.progress.watch()
    await withTaskGroup { group in
      group.addTask { [self] in
        for await _ in store.changes() { change { $0.version += 1 } }
      }
      group.addTask { [self] in
        for await result in results.values { change { $0.photo = result } }
      }
      group.addTask { [self] in
        for await progress in progress.values { change { $0.imports = progress } }
      }
      group.addTask { [self] in
        await sync.run { words in self.change { $0.sync = words } }
      }
      try? await gracefulShutdown()
      group.cancelAll()
      results.end()
      progress.end()
    }
  }

  func add(to router: Router<WebContext>) {
    router.get("events") { [self] request, _ in
      ServerEvents.response(to: request) { [self] in
        defer { change { _ in } }
        return watchers.watch()
      }
    }
  }

  private func change(_ body: (inout Report) -> Void) {
    // With the lock held, so that the newest is told last.
    report.withLock { report in
      body(&report)
      watchers.send(report)
    }
  }
}
