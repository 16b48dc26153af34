/// What other programs leave beside photos, and no person put there: a library doesn't look at it.
enum Leftovers {
  /// Synology's and QNAP's indexes and bins, Windows' bin and what it keeps of a drive, a file system's
  /// lost blocks.
  ///
  /// Hidden folders, such as `.thumbnails` and `.Trash-1000`, aren't looked at anyway.
  private static let folders: Set<String> = [
    "@eadir", "#recycle", "@recycle", "@recently-snapshot", "$recycle.bin", "recycler",
    "system volume information", "lost+found",
  ]

  /// Downloads under way, and what editors keep of the file that they wrote.
  private static let extensions: Set<String> = [
    "part", "partial", "crdownload", "download", "tmp", "temp", "bak", "swp",
  ]

  /// A camera's small versions of a video or raw picture, which have its name.
  private static let companions: Set<String> = ["thm", "lrv"]

  /// The mark of Android that a folder holds no one's photos.
  static let noMedia: FilePath = ".nomedia"

  static func isFolder(_ name: FilePath) -> Bool {
    folders.contains(name.description.lowercased())
  }

  static func isFile(_ name: FilePath) -> Bool {
    let fileExtension = name.pathExtension
    // ExifTool keeps `a.jpg_original`, many editors `a.jpg~`.
    return extensions.contains(fileExtension) || fileExtension.hasSuffix("_original")
      || name.bytes.last == UInt8(ascii: "~")
  }

  /// Those of a folder's files that belong to another one of them.
  static func companions(in names: [FilePath]) -> Set<FilePath> {
    let small = names.filter { companions.contains($0.pathExtension) }
    guard !small.isEmpty else { return [] }
    let others = names.filter { !companions.contains($0.pathExtension) && !isFile($0) }
    let stems = Set(others.map(\.lowercasedStem))
    return Set(small.filter { stems.contains($0.lowercasedStem) })
  }
}

extension FilePath {
  fileprivate var lowercasedStem: [UInt8] { stem.bytes.map(\.asciiLowercased) }
}
