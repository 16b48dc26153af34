import Foundation

/// What a `viewfinder-library:` URL names.
enum LibraryURL: Hashable, Sendable {
  case asset(UUID)
  case album(AlbumKey)

  static let scheme = "viewfinder-library"

  var url: URL {
    let path =
      switch self {
      case .asset(let id): "/asset/\(id.uuidString.lowercased())"
      case .album(.smart(let kind)): "/album/\(kind.rawValue)"
      case .album(.folder(let folder)): "/album/folder\(folder.escaped)"
      case .album(.made(let id)): "/album/made/\(id.uuidString.lowercased())"
      }
    // Nothing but ASCII that URLs may hold goes in.
    return URL(string: "\(Self.scheme)://\(path)") ?? URL(fileURLWithPath: path)
  }

  init(_ url: URL) throws(PhotoLibraryError) {
    let text = url.absoluteString
    guard text.hasPrefix("\(Self.scheme):///") else {
      throw .invalidRequest(
        reason: "\(text) is no URL of a photo library; those begin with \(Self.scheme):///.")
    }
    let parts = text.dropFirst(Self.scheme.count + 4).split(separator: "/", maxSplits: 2).map(
      String.init)
    if parts.count == 2, parts[0] == "asset", let id = UUID(uuidString: parts[1]) {
      self = .asset(id)
    } else if parts.count == 2, parts[0] == "album", let kind = SmartAlbum(rawValue: parts[1]) {
      self = .album(.smart(kind))
    } else if parts.count == 3, parts[0] == "album", parts[1] == "made",
      let id = UUID(uuidString: parts[2])
    {
      self = .album(.made(id))
    } else if parts.count == 3, parts[0] == "album", parts[1] == "folder",
      let file = URL(string: "file:///\(parts[2])")
    {
      self = .album(.folder(FilePath(file)))
    } else {
      throw .invalidRequest(reason: "\(text) names neither an asset nor an album.")
    }
  }
}
