import Foundation
import Synchronization

/// One of the programs of this package at work, which ends with its object.
public final class ServerProcess: Sendable {
  private let process: Process
  private let words: Words
  /// Where its start page is, as it printed, with the token that visitors need.
  public let address: String

  /// What the program said instead of an address.
  public struct Failure: Error, CustomStringConvertible {
    /// The program's words.
    public let description: String
  }

  /// Starts a program that lies beside the tests, and waits until it listens.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - arguments: Its arguments; it listens on a free port of this machine unless they say
  ///     otherwise.
  ///   - environment: What is added to the environment.
  ///   - isOrdinary: Whether permissions count for it, also where the tests are root's. The default is `false`.
  /// - Throws: ``Failure`` when it ends before it listens.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    isOrdinary: Bool = false
  ) async throws {
    let process = Process()
    let pipe = Pipe()
    let program = Self.folder.appending(path: program)
    let arguments =
      arguments.contains("--listen") ? arguments : arguments + ["--listen", "127.0.0.1:0"]
    if isOrdinary && geteuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        ["--bounding-set", "-dac_override,-dac_read_search", program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": Self.state.path]) { $1 }.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    self.process = process
    words = Words(of: pipe.fileHandleForReading)
    address = await words.firstLine
    guard address.hasPrefix("http") else { throw Failure(description: address) }
  }

  deinit { process.terminate() }

  /// All that it has written, to standard output and standard error, when it has ended.
  public var output: String {
    get async {
      while !words.areComplete { try? await Task.sleep(for: .milliseconds(10)) }
      return words.text
    }
  }

  /// The port that it listens on.
  public var port: Int { URL(string: address)?.port ?? 0 }

  /// The token that visitors need; `nil` where they need none.
  public var token: String? { address.firstMatch(of: /\?token=(.+)/).map { String($0.1) } }

  /// Where something is, for who has no cookie.
  ///
  /// - Parameter path: Its path, without a slash before it; maybe with a query.
  /// - Returns: Its address with the token.
  public func url(_ path: String) -> String {
    let base = address.replacing(/\?.*/, with: "") + path
    return token.map { "\(base)\(path.contains("?") ? "&" : "?")token=\($0)" } ?? base
  }

  /// Its process identifier.
  public var identifier: Int32 { process.processIdentifier }

  /// The most memory that it ever held, in bytes.
  public var peakMemory: Int {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let match = status?.firstMatch(of: /VmHWM:\s+([0-9]+) kB/)
    return match.flatMap { Int($0.1) }.map { $0 * 1024 } ?? 0
  }

  /// Asks it to end with a signal and waits; returns its exit code.
  public func end(_ signal: Int32 = SIGTERM) async -> Int32 {
    kill(identifier, signal)
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [process] in
        process.waitUntilExit()
        continuation.resume(returning: process.terminationStatus)
      }
    }
  }

  /// Where the test bundle lies, and the programs beside it.
  public static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// What the programs keep by themselves: the person's own tokens have no part in this, and what a test starts again
  /// finds its own.
  private static let state: URL = {
    atexit { try? FileManager.default.removeItem(at: ServerProcess.state) }
    return FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-state-\(getpid())")
  }()
}

/// What a program writes, read as it comes: a full pipe would make it wait.
private final class Words: Sendable {
  private let state = Mutex((data: Data(), isComplete: false))

  init(of handle: FileHandle) {
    Thread.detachNewThread { [self] in
      while case let next = handle.availableData, !next.isEmpty {
        state.withLock { $0.data += next }
      }
      state.withLock { $0.isComplete = true }
    }
  }

  var text: String { String(decoding: state.withLock { $0.data }, as: UTF8.self) }
  var areComplete: Bool { state.withLock { $0.isComplete } }

  /// The first line; what there is where the program ends before it.
  var firstLine: String {
    get async {
      while true {
        let isComplete = areComplete
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        if isComplete || lines.count > 1 { return String(lines[0]) }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }
}
