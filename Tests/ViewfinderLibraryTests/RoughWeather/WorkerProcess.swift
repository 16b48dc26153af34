import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// What a ``WorkerProcess`` does.
enum WorkerJob: String, CaseIterable, CustomTestStringConvertible {
  case scan, save, edit, thumbnails

  var testDescription: String { rawValue }

  /// With what it begins to tell that a thing is done.
  var doneWord: String {
    switch self {
    case .scan: "scanned"
    case .save: "saved"
    case .edit: "edited"
    case .thumbnails: "thumbnail"
    }
  }
}

/// The program `LibraryWorker` at work on a library, in a process of its own.
///
/// Not Foundation's `Process`: of one that was killed among others that start, `waitUntilExit` may never hear (Swift 6.3,
/// Linux).
final class WorkerProcess {
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("LibraryWorker")

  private var process: pid_t = 0
  /// As `waitpid` tells it; `nil` as long as the process is running.
  private var status: Int32?
  private let output: FilePath

  /// Starts it in a folder, which ``prepare(_:)`` has prepared.
  ///
  /// - Parameters:
  ///   - base: Around the pictures, the index and the thumbnails.
  ///   - job: What it does.
  ///   - first: The number of the first thing that it does.
  ///   - count: How many things it does.
  ///   - watches: Whether it keeps up with other programs, and tells of what it hears.
  /// - Throws: When it can't be started.
  init(
    _ base: FilePath, _ job: WorkerJob, first: Int = 0, count: Int = 100_000, watches: Bool = false
  ) throws {
    output = base.appending("told-\(first)")
    try Data().write(to: output.url)
    let arguments =
      [base.description, job.rawValue, "\(first)", "\(count)"] + (watches ? ["watch"] : [])
    let code = Self.start([Self.program.path] + arguments, &process, output: output)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
  }

  deinit { if isRunning { kill() } }

  /// Starts a program with nothing to read, that writes to a file; returns an `errno`.
  private static func start(_ words: [String], _ process: inout pid_t, output: FilePath) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output.description, O_WRONLY, 0)
    var strings = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe strings.forEach { unsafe free($0) } }
    return unsafe posix_spawn(&process, words[0], &actions, nil, &strings, environ)
  }

  private var isRunning: Bool {
    if status == nil { wait(WNOHANG) }
    return status == nil
  }

  private func wait(_ options: Int32) {
    var status: Int32 = 0
    if unsafe waitpid(process, &status, options) == process { self.status = status }
  }

  /// Lays down what a worker needs.
  static func prepare(_ base: FilePath) throws {
    let pictures = LibraryFolder(base.appending("Pictures"))
    for number in 0..<8 { try pictures.write("p\(number).jpg", seed: number) }
    try LibraryFolder.jpeg(seed: 0).write(to: base.appending("sample.jpg").url)
  }

  /// The bytes of the photo with a number.
  static func photo(_ number: Int) -> Data {
    LibraryFolder.jpeg(seed: 0) + Data("photo \(number)".utf8)
  }

  /// The lines that it has written whole, split at their blanks.
  var lines: [[String]] {
    let whole = (output.text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    return whole.map { $0.split(separator: " ").map(String.init) }
  }

  /// The rests of the lines that begin with a word.
  func told(_ word: String) -> [[String]] {
    lines.filter { $0.first == word }.map { Array($0.dropFirst()) }
  }

  /// Waits until it has told of something a number of times; `false` when it ended before, or after a minute.
  func hasTold(_ word: String, _ count: Int = 1) async throws -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while isRunning, ContinuousClock.now < limit, told(word).count < count {
      try await Task.sleep(for: .milliseconds(2))
    }
    return told(word).count >= count
  }

  /// Ends it by SIGKILL; `false` when it had ended already.
  @discardableResult func kill() -> Bool {
    if isRunning {
      Glibc.kill(process, SIGKILL)
      wait(0)
    }
    // The lower bits tell the signal.
    return status.map { $0 & 0x7f == SIGKILL } ?? false
  }
}
