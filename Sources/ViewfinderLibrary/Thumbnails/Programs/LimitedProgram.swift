import Foundation
import Viewfinder

/// Runs a program for what it writes, and ends it when that takes too long or is too much.
///
/// The program has no descriptors of this process but the pipe that it writes to.
enum LimitedProgram {
  /// How a program ended.
  enum Outcome: Equatable {
    /// What it wrote, and its exit status; -1 where a signal ended it.
    case ended(Data, status: Int32)
    /// It was killed: it took too long, or wrote too much.
    case killed(reason: String)
    case cancelled
    /// It couldn't be started; an `errno`.
    case notStarted(Int32)
  }

  /// How long a cancellation may take to be noticed, in milliseconds.
  private static let pollTime: Int32 = 50

  static func run(
    _ command: [FilePath], time: Duration, outputLimit: Int, isCancelled: () -> Bool
  ) -> Outcome {
    let (process, output): (Int32, Int32)
    switch ProgramStart.start(command.map(\.bytes)) {
    case .success(let started): (process, output) = started
    case .failure(let error): return .notStarted(error.code)
    }
    defer { close(output) }
    let read = read(
      output, until: ContinuousClock.now + time, limit: outputLimit, isCancelled: isCancelled)
    if case .failure = read { end(process) }
    let status = wait(for: process)
    switch read {
    case .success(let data): return .ended(data, status: status)
    case .failure(let end): return end.outcome
    }
  }

  /// Why reading was given up.
  private enum End: Error {
    case tooLong, tooMuch, cancelled

    var outcome: Outcome {
      switch self {
      case .tooLong: .killed(reason: "it took too long")
      case .tooMuch: .killed(reason: "it wrote too much")
      case .cancelled: .cancelled
      }
    }
  }

  /// Reads until nobody writes any more.
  private static func read(
    _ pipe: Int32, until end: ContinuousClock.Instant, limit: Int, isCancelled: () -> Bool
  ) -> Result<Data, End> {
    var data = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if isCancelled() { return .failure(.cancelled) }
      guard ContinuousClock.now < end else { return .failure(.tooLong) }
      var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&watched, 1, pollTime) > 0 else { continue }
      let count = unsafe Glibc.read(pipe, &part, part.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return .success(data) }
      guard data.count + count <= limit else { return .failure(.tooMuch) }
      data.append(contentsOf: part[..<count])
    }
  }

  /// Kills a program with what it has started.
  ///
  /// A sandbox has a session of its own, and bwrap has it end with itself only a moment after that begins.
  private static func end(_ process: pid_t) {
    // A program that is to stand still starts no others.
    kill(process, SIGSTOP)
    for child in children(of: process) { kill(child, SIGKILL) }
    kill(-process, SIGKILL)
  }

  private static func children(of process: pid_t) -> [pid_t] {
    let list = try? String(
      contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return list?.split(separator: " ").compactMap { pid_t($0) } ?? []
  }

  /// The exit status; -1 after a signal, and where this process never learns it.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }
}
