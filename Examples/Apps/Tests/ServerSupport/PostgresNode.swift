import Foundation

/// A PostgreSQL of a test's own, which can be killed, and ends with its object.
public final class PostgresNode: Sendable {
  private let folder: URL
  /// The port of this machine that it listens on.
  public let port: Int
  private let process = Process()

  /// Where its programs are; `nil` where it isn't installed.
  private static let programs: URL? = {
    let versions = URL(fileURLWithPath: "/usr/lib/postgresql")
    let names = try? FileManager.default.contentsOfDirectory(atPath: versions.path)
    let newest = names?.max { $0.compare($1, options: .numeric) == .orderedAscending }
    return newest.map { versions.appending(path: "\($0)/bin") }
  }()

  /// What a program said that failed.
  public struct Failure: Error { let words: String }

  /// Starts a new one, or one that follows another's writes until it is promoted.
  ///
  /// Its database is `postgres`, its person `feeds`.
  public init(following primary: PostgresNode? = nil) async throws {
    folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-postgres-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try Self.freePort()
    // Which PostgreSQL refuses to be run by.
    if geteuid() == 0 { try Self.run(["chown", "nobody", folder.path], in: folder) }
    if let primary {
      try run(
        "pg_basebackup",
        [
          "--pgdata=data", "--write-recovery-conf", "--checkpoint=fast", "--no-sync",
          "--dbname=\(primary.address(of: "postgres"))",
        ])
    } else {
      try run("initdb", ["--pgdata=data", "--auth=trust", "--username=feeds", "--no-sync"])
    }
    let options = [
      "listen_addresses=127.0.0.1", "unix_socket_directories=\(folder.path)", "fsync=off",
    ]
    let server = ["postgres", "-D", "data", "-p", "\(port)"] + options.flatMap { ["-c", $0] }
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try Self.start(process, words(server), in: folder)
    var problem = ""
    try await wait("PostgreSQL", last: { problem }) {
      do { try query("SELECT 1") } catch {
        guard process.isRunning else { throw error }
        problem = "\(error)"
        return false
      }
      return true
    }
  }

  deinit {
    kill()
    process.waitUntilExit()
    // What a server that is killed leaves behind: the number of a piece of shared memory.
    let file = folder.appending(path: "data/postmaster.pid")
    let lines = try? String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    if let memory = lines?.dropFirst(6).first?.split(separator: " ").last {
      _ = try? Self.run(["ipcrm", "--shmem-id", String(memory)], in: folder)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The address of a database, of which others may take the place.
  public func address(of database: String, or others: [PostgresNode] = []) -> String {
    let hosts = ([self] + others).map { "127.0.0.1:\($0.port)" }
    return "postgres://feeds@\(hosts.joined(separator: ","))/\(database)"
  }

  /// Runs statements; gives what they give, in lines.
  @discardableResult
  public func query(_ statements: String...) throws -> String {
    let commands = statements.flatMap { ["--command", $0] }
    let address = address(of: "postgres")
    return try run(
      "psql", ["--quiet", "--no-psqlrc", "--tuples-only", "--no-align", address] + commands)
  }

  /// Takes writes from now on.
  public func promote() throws { try query("SELECT pg_promote()") }

  /// Ends it as a power cut does.
  public func kill() { signal(SIGKILL) }

  /// Lets it answer nothing, though its machine is there.
  public func freeze() { signal(SIGSTOP) }

  /// Lets it answer again.
  public func thaw() { signal(SIGCONT) }

  // MARK: Processes

  /// A port that nobody listens on now.
  private static func freePort() throws -> Int { try TestServer { _, _ in }.port }

  private func signal(_ signal: Int32) {
    guard process.isRunning else { return }
    let number = process.processIdentifier
    // While it stands it starts no others.
    Foundation.kill(number, SIGSTOP)
    let others = try? String(
      contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
    for other in others?.split(separator: " ").compactMap({ Int32($0) }) ?? [] {
      Foundation.kill(other, signal)
    }
    Foundation.kill(number, signal)
  }

  /// The words of a call of one of its programs.
  private func words(_ call: [String]) -> [String] {
    let program = Self.programs.map { $0.appending(component: call[0]).path } ?? call[0]
    let user = geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--clear-groups"] : []
    return user + [program] + call.dropFirst()
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    try Self.run(words([program] + arguments), in: folder)
  }

  @discardableResult
  private static func run(_ words: [String], in folder: URL) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try start(process, words, in: folder)
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(words: output) }
    return output.trimmingCharacters(in: .newlines)
  }

  private static func start(_ process: Process, _ words: [String], in folder: URL) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
    try process.run()
  }
}
