import Foundation

/// A file with the token that visitors of a program need, to be removed when the program has read it.
public struct TokenFile: Sendable {
  private let file: URL

  /// Writes a token.
  public init(_ token: String) throws {
    file = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-token-\(UUID().uuidString)")
    try Data("\(token)\n".utf8).write(to: file)
  }

  /// What a program gets.
  public var options: [String] { ["--token-file", file.path] }

  /// Removes the file.
  public func remove() { try? FileManager.default.removeItem(at: file) }
}
