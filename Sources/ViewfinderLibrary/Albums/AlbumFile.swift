import Foundation
import Viewfinder

/// An album that a person made, as it is kept beside the photos.
///
/// A JSON file, `.viewfinder/albums/ID.json` in a root (`.viewfinder/favorites.json` for the
/// favourites), so that it outlives the index and other programs can read it:
///
/// ```json
/// {
///   "assets" : [ { "content" : "…", "id" : "…", "path" : "2024/a%20b.jpg" } ],
///   "id" : "…", "name" : "Holidays", "version" : 1
/// }
/// ```
///
/// `path` is the default file's, percent-encoded, from the root, or a `file:` URL for one in another
/// root. An asset is found by its `id`, else by what its file holds (`content`), else by its path; one
/// that isn't found stays in the file, for it may come back. Members that this version doesn't know are
/// kept.
struct AlbumFile {
  struct Entry: Hashable {
    var id: UUID
    var content: ContentID
    var path: String
  }

  static let version = 1

  var id: UUID
  var name: String
  var entries: [Entry]
  /// The whole JSON object, with what other versions added.
  private var object: [String: Any] = [:]

  init(id: UUID, name: String, entries: [Entry] = []) {
    self.id = id
    self.name = name
    self.entries = entries
  }

  /// Reads the file's bytes.
  init(_ data: Data, path: FilePath) throws(PhotoLibraryError) {
    let value = try? JSONSerialization.jsonObject(with: data)
    guard let object = value as? [String: Any], let name = object["name"] as? String,
      let id = (object["id"] as? String).flatMap(UUID.init(uuidString:)),
      let version = object["version"] as? Int, let list = object["assets"] as? [[String: Any]]
    else {
      throw .damaged(what: path.description, reason: "it is no album of this library")
    }
    guard version <= Self.version else {
      throw .unsupported(what: path.description, reason: "a newer Viewfinder wrote it")
    }
    self.object = object
    self.id = id
    self.name = name
    entries = list.compactMap { entry in
      guard let id = (entry["id"] as? String).flatMap(UUID.init(uuidString:)) else { return nil }
      return Entry(
        id: id, content: (entry["content"] as? String).flatMap(UUID.init(uuidString:)) ?? id,
        path: entry["path"] as? String ?? "")
    }
  }

  /// The file's bytes.
  func data() throws(PhotoLibraryError) -> Data {
    var object = object
    let old = Dictionary(
      (object["assets"] as? [[String: Any]] ?? []).compactMap { entry in
        (entry["id"] as? String).map { ($0.lowercased(), entry) }
      }
    ) { first, _ in first }
    object["version"] = Self.version
    object["id"] = id.uuidString.lowercased()
    object["name"] = name
    object["assets"] = entries.map { entry in
      var fields = old[entry.id.uuidString.lowercased()] ?? [:]
      fields["id"] = entry.id.uuidString.lowercased()
      fields["content"] = entry.content.uuidString.lowercased()
      fields["path"] = entry.path
      return fields
    }
    do {
      return try JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    } catch {
      throw .invalidRequest(reason: "The album “\(name)” can't be written as JSON: \(error).")
    }
  }
}
