import Foundation
import ViewfinderLibrary

extension PhotoLibrary {
  /// The album that an argument names.
  func album(named text: String) async throws -> Album {
    if text.hasPrefix("viewfinder-library:"), let url = URL(string: text) {
      return try await album(at: url)
    }
    let albums = try await albums()
    for isMatch in [
      { $0.isNamed(text) }, { $0.name.caseInsensitiveCompare(text) == .orderedSame },
      { $0.isFolder(text) },
    ] as [(Album) -> Bool] {
      let found = albums.filter(isMatch)
      if found.count == 1 { return found[0] }
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
  func asset(named text: String) async throws -> Asset {
    if text.hasPrefix("viewfinder-library:"), let url = URL(string: text) {
      return try await asset(at: url)
    }
    if let id = UUID(uuidString: text), let asset = try await asset(id: id) { return asset }
    // The library knows real folders; the file itself may be a link.
    let url = URL(fileArgument: text)
    if text.hasPrefix("file:") { return try await asset(at: url) }
    return try await asset(
      at: url.deletingLastPathComponent().resolvingSymlinksInPath()
        .appendingPathComponent(url.lastPathComponent))
  }
}

extension Album {
  fileprivate func isNamed(_ text: String) -> Bool {
    if case .smart(let smart) = kind, smart.rawValue == text { return true }
    return name == text
  }

  fileprivate func isFolder(_ text: String) -> Bool {
    guard case .folder(let folder) = kind else { return false }
    return folder.path == URL(fileArgument: text).resolvingSymlinksInPath().path
  }
}
