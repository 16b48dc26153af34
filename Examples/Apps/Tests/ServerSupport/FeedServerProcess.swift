import Foundation

/// A `feed-server` at work.
public struct FeedServerProcess: Sendable {
  /// Where it keeps its data.
  public let folder: URL
  /// The program.
  public let process: ServerProcess
  /// The token of a person called anna.
  public let token: String

  /// Starts one that keeps its data in a folder, with a person who may ask it.
  public init(
    in folder: URL, _ options: [String] = [], environment: [String: String] = [:]
  ) async throws {
    self.folder = folder
    token = try await Self.addToken("anna", in: folder)
    process = try await ServerProcess(
      "feed-server", ["--data", folder.path] + options, environment: environment)
  }

  /// Runs `feed-server --add-token`, which prints a token where it would print its address.
  public static func addToken(
    _ person: String, device: String? = nil, in folder: URL, program: String = "feed-server"
  ) async throws -> String {
    let device = device.map { ["--device", $0] } ?? []
    do {
      _ = try await ServerProcess(
        program, ["--data", folder.path, "--add-token", person] + device)
    } catch let failure as ServerProcess.Failure {
      return failure.description
    }
    throw POSIXError(.EINVAL)
  }
}
