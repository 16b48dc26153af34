import Foundation

/// The threads of a program, each of which may be the one that gets a signal.
public enum ProgramThreads {
  /// Waits until a program handles a signal itself.
  public static func handle(_ signal: Int32, in process: Int32) async throws {
    try await wait("a program that handles signal \(signal)") {
      signals("SigCgt", "/proc/\(process)/status").contains(signal)
    }
  }

  /// The threads that haven't blocked a signal.
  public static func open(to signal: Int32, in process: Int32) throws -> [Int32] {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { Int32($0) }
      .filter { !signals("SigBlk", "\(tasks)/\($0)/status").contains(signal) }.sorted()
  }

  /// Sends a signal to one thread.
  public static func send(_ signal: Int32, to thread: Int32, of process: Int32) {
    // Swift's glibc hides `tgkill`, which is an extension.
    typealias Send = @convention(c) (Int32, Int32, Int32) -> Int32
    let send = unsafeBitCast(dlsym(nil, "tgkill"), to: Send.self)
    _ = send(process, thread, signal)
  }

  /// A set of signals in a file of proc(5).
  private static func signals(_ name: String, _ file: String) -> [Int32] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    let digits = line?.split(whereSeparator: \.isWhitespace).last ?? ""
    let bits = UInt64(digits, radix: 16) ?? 0
    return (1...64).filter { bits & 1 << UInt64($0 - 1) != 0 }
  }
}
