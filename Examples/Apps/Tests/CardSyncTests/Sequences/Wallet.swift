import CardModel
import Foundation
import Synchronization

/// A `wallet-worker`, which may be killed and started again.
final class Wallet: Sendable {
  /// What it said to a command.
  struct Answer: Sendable {
    /// What was about to be replaced.
    var seen: JSONValue?
    /// The result; `nil` when it failed, or was killed before it said anything.
    var done: JSONValue?
    var error: String?

    /// Whether it was killed within the command.
    var isOpen: Bool { done == nil && error == nil }
  }

  private struct State {
    var process: Process?
    var input: FileHandle?
    var number = 0
    var open: [Int: (answer: Answer, continuation: CheckedContinuation<Answer, Never>)] = [:]
  }

  private let state = Mutex(State())
  private let folder: URL
  private let url: URL
  private let token: String

  init(folder: URL, url: URL, token: String) {
    (self.folder, self.url, self.token) = (folder, url, token)
  }

  deinit { sendKill() }

  private func sendKill() {
    if let process = state.withLock({ $0.process }) { kill(process.processIdentifier, SIGKILL) }
  }

  var isRunning: Bool { state.withLock { $0.process != nil } }

  /// It lies beside the tests.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(component: "wallet-worker")

  /// Starts the program.
  func start() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = Self.program
    process.arguments = [folder.path, url.absoluteString]
    process.environment = ProcessInfo.processInfo.environment.merging(["CARDS_TOKEN": token]) { $1 }
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    state.withLock { state in
      state.process = process
      state.input = input.fileHandleForWriting
    }
    let reader = output.fileHandleForReading
    Thread.detachNewThread { [weak self] in
      var rest = Data()
      // What is there: reading a number of bytes waits for all of them.
      while case let data = reader.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 10) {
          self?.take(rest[rest.startIndex..<end])
          rest = Data(rest[(end + 1)...])
        }
      }
      process.waitUntilExit()
      self?.didEnd()
    }
  }

  private func take(_ line: Data) {
    guard let json = (try? JSONValue(parsing: Data(line)))?.object,
      let number = json["n"]?.number.map({ NSDecimalNumber(decimal: $0).intValue })
    else { return }
    let finished = state.withLock { state -> (Answer, CheckedContinuation<Answer, Never>)? in
      guard var entry = state.open[number] else { return nil }
      if let seen = json["seen"] { entry.answer.seen = seen }
      entry.answer.done = json["done"]
      entry.answer.error = json["error"]?.text
      state.open[number] = entry.answer.isOpen ? entry : nil
      return entry.answer.isOpen ? nil : (entry.answer, entry.continuation)
    }
    if let finished { finished.1.resume(returning: finished.0) }
  }

  private func didEnd() {
    let open = state.withLock { state in
      defer { (state.open, state.process, state.input) = ([:], nil, nil) }
      return state.open.values
    }
    for entry in open { entry.continuation.resume(returning: entry.answer) }
  }

  /// Says something to it, and waits for the answer or the end.
  func ask(_ command: String, _ members: [String: JSONValue] = [:]) async -> Answer {
    await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        guard let input = state.input else { return false }
        state.number += 1
        var members = members
        members["n"] = .number(Decimal(state.number))
        members["do"] = .string(command)
        state.open[state.number] = (Answer(), continuation)
        // If it has ended just now, the reader notices.
        try? input.write(contentsOf: JSONValue.object(members).data + Data("\n".utf8))
        return true
      }
      if !isSent { continuation.resume(returning: Answer()) }
    }
  }

  /// Ends it as a power cut would, and waits for that.
  func killNow() async {
    sendKill()
    while isRunning { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
