import Foundation

/// Where a library's folders and its index are.
struct LibraryPlaces {
  let roots: [FilePath]
  let index: FilePath
  /// Folders that are never looked at, wherever they lie.
  let excluded: [FilePath]

  init(_ configuration: PhotoLibrary.Configuration) throws(PhotoLibraryError) {
    let home = FilePath(ProcessInfo.processInfo.environment["HOME"] ?? "/")
    let wanted = configuration.roots?.map { FilePath($0) } ?? [home.appending("Pictures")]
    var roots: [FilePath] = []
    for root in wanted {
      guard let real = root.resolved else {
        throw .notAuthorized(advice: "\(root): \(errorText(errno))")
      }
      if !roots.contains(real) { roots.append(real) }
    }
    self.roots = roots
    let key = UUID(hashing: roots.map { $0.bytes + [0] }).uuidString.lowercased()
    let data =
      configuration.indexFolder.map { FilePath($0) } ?? home.appending(".local/share/viewfinder")
    index = data.appending(key)
    excluded = [home.appending(".cache/thumbnails")]
  }
}
