import Foundation

/// One of the programs of this package at work, which ends with its object.
public final class ServerProcess: Sendable {
  private let process: Process
  /// Where its start page is, as it printed.
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
  /// - Throws: ``Failure`` when it ends before it listens.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Self.folder.appending(path: program)
    process.arguments =
      arguments.contains("--listen") ? arguments : arguments + ["--listen", "127.0.0.1:0"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    self.process = process
    address = await Self.firstLine(of: pipe.fileHandleForReading)
    guard address.hasPrefix("http") else { throw Failure(description: address) }
  }

  deinit { process.terminate() }

  private static func firstLine(of output: FileHandle) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
          line.append(byte)
        }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// The port that it listens on.
  public var port: Int { URL(string: address)?.port ?? 0 }

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
  private static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
