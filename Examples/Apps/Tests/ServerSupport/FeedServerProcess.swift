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
    process = try await Self.start(in: folder, options, environment: environment)
  }

  /// Starts one on a folder that is there already.
  public static func start(
    in folder: URL, _ options: [String] = [], environment: [String: String] = [:],
    program: String = "feed-server"
  ) async throws -> ServerProcess {
    try await ServerProcess(program, try place(folder) + options, environment: environment)
  }

  /// Copies what a server of a folder has, which must have ended, as people do who back up.
  public static func copy(_ folder: URL, to copy: URL) throws {
    try FileManager.default.copyItem(at: folder, to: copy)
    try TestPostgres.copyDatabase(of: folder, to: copy)
  }

  /// Where a server of a folder keeps what it has: its records in PostgreSQL, if tests are to use that.
  public static func place(_ folder: URL) throws -> [String] {
    let records = try TestPostgres.database(for: folder)
    return ["--data", folder.path]
      + (records.map { ["--records", $0, "--connections", "4"] } ?? [])
  }

  /// Runs `feed-server --add-token`, which prints a token where it would print its address.
  public static func addToken(
    _ person: String, device: String? = nil, in folder: URL, program: String = "feed-server"
  ) async throws -> String {
    let device = device.map { ["--device", $0] } ?? []
    do {
      _ = try await start(in: folder, ["--add-token", person] + device, program: program)
    } catch let failure as ServerProcess.Failure {
      return failure.description
    }
    throw POSIXError(.EINVAL)
  }
}
