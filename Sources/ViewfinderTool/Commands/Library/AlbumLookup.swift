import Foundation
import ViewfinderLibrary

extension PhotoLibrary {
  /// The album that an argument names, among those that are wanted.
  ///
  /// Of several that people made, it is the one that ``makeAlbum(named:)`` finds, too.
  func album(named argument: Path, among isWanted: (Album) -> Bool = { _ in true }) async throws
    -> Album
  {
    let text = argument.display
    if text.hasPrefix("viewfinder-library:"), let url = URL(string: text) {
      return try await album(at: url)
    }
    let albums = try await albums().filter(isWanted)
    for isMatch in [
      { $0.isNamed(text) }, { $0.name.caseInsensitiveCompare(text) == .orderedSame },
      { $0.isFolder(argument) },
    ] as [(Album) -> Bool] {
      let found = albums.filter(isMatch)
      if found.count == 1 { return found[0] }
      if let first = found.min(by: { $0.id.uuidString < $1.id.uuidString }),
        found.allSatisfy({ $0.kind == .made })
      {
        Terminal.warn(
          "\(found.count) albums are called “\(Terminal.plain(text))”; this is "
            + "\(first.url.absoluteString). “viewfinder library album merge” makes them one.")
        return first
      }
      guard found.isEmpty else {
        let urls = found.map(\.url.absoluteString).joined(separator: "\n  ")
        throw ToolError(
          message: "Several albums are called “\(Terminal.plain(text))”. Name one by its URL:\n  "
            + urls, exitStatus: EX_USAGE)
      }
    }
    throw ToolError(
      message:
        "There is no album “\(Terminal.plain(text))”. “viewfinder library albums” lists them.",
      exitStatus: EX_NOINPUT)
  }

  /// The asset that an argument names.
  func asset(named argument: Path) async throws -> Asset {
    let text = argument.display
    if text.hasPrefix("viewfinder-library:"), let url = URL(string: text) {
      return try await asset(at: url)
    }
    if let id = UUID(uuidString: text), let asset = try await asset(id: id) { return asset }
    return try await asset(at: argument.inRealFolder.url)
  }
}

extension Album {
  fileprivate func isNamed(_ text: String) -> Bool {
    if case .smart(let smart) = kind, smart.rawValue == text { return true }
    return name == text
  }

  fileprivate func isFolder(_ path: Path) -> Bool {
    guard case .folder(let folder) = kind else { return false }
    return Path(folder) == path.real
  }
}
