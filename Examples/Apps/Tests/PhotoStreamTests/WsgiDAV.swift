import Foundation
import ServerSupport
import Testing

/// A server that speaks WebDAV: wsgidav, with a person called anna.
final class WsgiDAV: Sendable {
  /// Where `wsgidav` is, in the folder that `VIEWFINDER_WSGIDAV` names; `nil` where it isn't.
  private static let program: String? = ProcessInfo.processInfo.environment["VIEWFINDER_WSGIDAV"]
    .map { "\($0)/bin/wsgidav" }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

  /// Why tests that need it are skipped; `nil` where they aren't, or must not be.
  static let absence: Comment? =
    program != nil || ProcessInfo.processInfo.environment["VIEWFINDER_NEEDS_WSGIDAV"] != nil
    ? nil : "VIEWFINDER_WSGIDAV names no folder with wsgidav; Examples/Apps/check makes one"

  static let password = "a-password"
  /// What it has.
  let files: URL
  let port: Int
  private let process: Process

  /// Starts one that keeps its files in a folder.
  init(in folder: URL) async throws {
    files = folder.appending(component: "files")
    port = Int.random(in: 20_000..<32_000)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let settings = folder.appending(component: "wsgidav.json")
    try Data(
      """
      {"host": "127.0.0.1", "port": \(port), "provider_mapping": {"/": "\(files.path)"},
       "simple_dc": {"user_mapping": {"*": {"anna": {"password": "\(Self.password)"}}}},
       "http_authenticator": {"accept_basic": true, "accept_digest": false, "default_to_digest": false}}
      """.utf8
    ).write(to: settings)
    process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = ["--config", settings.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try await wait("wsgidav") { Connection(port: port) != nil }
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

  /// The photos that it has whole, by their paths.
  func photos() throws -> [String: Data] {
    let paths = FileManager.default.enumerator(atPath: files.path)?.compactMap { $0 as? String }
    let names = (paths ?? []).filter { $0.hasSuffix(".JPG") || $0.hasSuffix(".jpg") }
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: files.appending(path: $0)))
      })
  }
}
