import Checksums
import Foundation
import ViewfinderLibrary

/// Finds wanted photos in a library, whichever way they came there; looks at each asset once.
struct LibrarySearch {
  /// The wanted photos that the library has, some of them more than once.
  private(set) var found: [BlobName: [UUID]] = [:]
  private let library: PhotoLibrary
  private let sizes: Set<Int>
  private var seen: Set<UUID> = []

  init(_ library: PhotoLibrary, for photos: [StreamPhoto]) {
    self.library = library
    sizes = Set(photos.map(\.size))
  }

  /// Looks at what came since the last time; at everything, the first time.
  mutating func look() async throws {
    let recents = try await library.album(.recents).assets()
    var number = 0
    while case let page = try await recents.page(number, size: 500), !page.isEmpty {
      let new = page.filter { seen.insert($0.id).inserted }
      // The newest come first: what follows was there the last time.
      if new.isEmpty { return }
      for asset in new {
        let file = asset.defaultRepresentation
        guard sizes.contains(file.size), let name = try? await file.blobName() else { continue }
        found[name, default: []].append(asset.id)
      }
      number += 1
    }
  }
}
