import Foundation
import Synchronization

/// A ``Program`` in a process of its own.
final class ProgramProcess: Sendable {
  private struct State {
    var replies: [String] = []
    var isEnded = false
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let state = Mutex(State())

  init(_ base: Base) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["program", base.url.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Thread.detachNewThread { [self] in read() }
  }

  private func read() {
    var rest = Data()
    while true {
      // Not read(upToCount:), which waits until there are as many.
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      rest += data
      while let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = Data(rest[(end + 1)...])
        state.withLock { $0.replies.append(line) }
      }
    }
    state.withLock { $0.isEnded = true }
  }

  /// Sends a request, without waiting for the reply.
  func send(_ request: Program.Request) {
    let data = (try? JSONEncoder().encode(request)) ?? Data()
    try? input.fileHandleForWriting.write(contentsOf: data + Data("\n".utf8))
  }

  /// The next reply; `nil` when the process ended, or said nothing for two minutes.
  func reply() async -> Program.Reply? {
    let limit = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < limit {
      let (line, isEnded) = state.withLock { state in
        (state.replies.isEmpty ? nil : state.replies.removeFirst(), state.isEnded)
      }
      if let line { return try? JSONDecoder().decode(Program.Reply.self, from: Data(line.utf8)) }
      if isEnded { return nil }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    // Not waitUntilExit(), which may never hear of it while others start (Swift 6.3, Linux).
    while !state.withLock({ $0.isEnded }) { usleep(1000) }
  }
}
