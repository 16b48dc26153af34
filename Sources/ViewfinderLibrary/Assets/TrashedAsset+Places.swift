// Where assets go when they come back.
extension TrashedAsset {
  /// Where its files were: a folder of photos.
  private var folder: FilePath { Sidecars.photo(of: files[0].original).folder }

  /// The first of the folders `Restored`, `Restored 2` and so on in which all its names are free; `nil` when they are free
  /// where they were.
  var freeFolder: FilePath? {
    func isFree(_ folder: FilePath?) -> Bool {
      files.allSatisfy {
        FileStatus(of: $0.place(in: folder, of: self), followsLinks: false) == nil
      }
    }
    if isFree(nil) { return nil }
    let candidates = (1...10_000).lazy.map { number in
      folder.appending(number == 1 ? "Restored" : "Restored \(number)")
    }
    return candidates.first(where: isFree)
  }

  fileprivate func relative(_ file: TrashedFile) -> FilePath {
    file.original.isInside(folder) ? file.original.relative(to: folder) : file.original.name
  }
}

extension TrashedFile {
  /// Where the file of an asset goes: into the asset's new folder, if it gets one.
  func place(in folder: FilePath?, of asset: TrashedAsset) -> FilePath {
    folder.map { $0.appending(asset.relative(self)) } ?? original
  }
}
