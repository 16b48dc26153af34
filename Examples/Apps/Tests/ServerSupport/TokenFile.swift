import Foundation

/// A file with the token that visitors of a program need, which goes with the object.
public final class TokenFile: Sendable {
  private let file: URL

  /// Writes a token.
  public init(_ token: String) throws {
    file = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-token-\(UUID().uuidString)")
    try Data("\(token)\n".utf8).write(to: file)
  }

  /// What a program gets.
  public var options: [String] { ["--token-file", file.path] }

  deinit { try? FileManager.default.removeItem(at: file) }
}
