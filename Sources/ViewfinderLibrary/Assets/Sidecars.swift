/// Files that belong to a photo and hold no picture: crop recipes, and what editors and cameras keep beside photos.
enum Sidecars {
  /// Adobe's metadata, Apple's edits, and a camera's small versions of a video or raw picture.
  private static let extensions: Set<String> = ["xmp", "aae", "thm", "lrv"]

  /// The files that go wherever the files of one asset go.
  ///
  /// `a.jpg.xmp` goes with `a.jpg`, and `a.xmp` with the asset `a` when no other has that name.
  static func files(beside photos: [FilePath]) -> [FilePath] {
    let own = Set(photos)
    return Set(photos.map(\.folder)).sorted().flatMap { folder in
      let inside = photos.filter { $0.folder == folder }
      let recipes = inside.map { RecipeFolder(beside: folder).path(of: $0) }
        .filter { FileStatus(of: $0, followsLinks: false) != nil }
      let paths = ((try? folder.names()) ?? []).sorted().map { folder.appending($0) }
      let others = Set(
        paths.lazy.filter { !own.contains($0) && !isSidecar($0) }.map { $0.name.stemKey })
      let names = Set(inside.map { $0.name.nameKey })
      let stems = Set(inside.map { $0.name.stemKey }).subtracting(others)
      return recipes
        + paths.filter { path in
          guard isSidecar(path), !own.contains(path),
            FileStatus(of: path, followsLinks: false)?.kind == .file
          else { return false }
          let named = path.name.stem
          return names.contains(named.nameKey) || stems.contains(named.nameKey)
        }
    }
  }

  static func isSidecar(_ path: FilePath) -> Bool {
    extensions.contains(path.pathExtension) || RecipeFolder.photo(ofRecipe: path) != nil
  }

  /// The photo that a sidecar belongs to, as far as its name tells; any other file itself.
  static func photo(of path: FilePath) -> FilePath {
    if let photo = RecipeFolder.photo(ofRecipe: path) { return photo }
    return isSidecar(path) ? path.folder.appending(path.name.stem) : path
  }
}

extension FilePath {
  /// Cameras write `A.JPG` and `A.xmp` in one case, programs in another.
  fileprivate var nameKey: [UInt8] { bytes.map(\.asciiLowercased) }
  fileprivate var stemKey: [UInt8] { stem.nameKey }
}
