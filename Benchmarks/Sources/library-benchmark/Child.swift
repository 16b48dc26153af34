import Foundation
import Synchronization

/// A run of a program, such as this one, in a process of its own.
enum Child {
  private static let current = Mutex<pid_t?>(nil)

  /// Runs a program to its end and returns its output.
  static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    current.withLock { $0 = process.processIdentifier }
    defer { current.withLock { $0 = nil } }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("\(([program] + arguments).joined(separator: " ")) failed.")
    }
    return data
  }

  static func endCurrent() {
    current.withLock { if let pid = $0 { kill(pid, SIGKILL) } }
  }
}
