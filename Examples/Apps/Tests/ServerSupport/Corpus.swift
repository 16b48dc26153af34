public import Foundation

/// Real and hostile pictures beside the repository, which contains none of them: `../shared/data/KIND/images`.
public enum Corpus {
  private static let data = (0..<6).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.appending(path: "shared/data")

  /// Whether there are files of a kind, such as `cards`.
  public static func has(_ kind: String) -> Bool { (try? files(of: kind).isEmpty) == false }

  /// The files of a kind.
  public static func files(of kind: String) throws -> [URL] {
    let folder = kind == "media" ? "files" : "images"
    return try FileManager.default.contentsOfDirectory(
      at: data.appending(path: "\(kind)/\(folder)"), includingPropertiesForKeys: nil)
  }

  /// Copies the files of a kind into a folder.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - folder: Where they go; it must exist.
  ///   - prefix: What the names of those begin with that are wanted; the default takes all.
  /// - Throws: What keeps them from being read or written.
  public static func copy(_ kind: String, to folder: URL, prefix: String = "") throws {
    for file in try files(of: kind) where file.lastPathComponent.hasPrefix(prefix) {
      // Not their permissions: they may be for reading only.
      try Data(contentsOf: file).write(to: folder.appending(component: file.lastPathComponent))
    }
  }
}
