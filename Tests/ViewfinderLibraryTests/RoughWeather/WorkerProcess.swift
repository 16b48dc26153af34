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
final class WorkerProcess {
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("LibraryWorker")

  private let process = Process()
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
    process.executableURL = Self.program
    process.arguments =
      [base.description, job.rawValue, "\(first)", "\(count)"] + (watches ? ["watch"] : [])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output.url)
    try process.run()
  }

  deinit { if process.isRunning { kill() } }

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
    while process.isRunning, ContinuousClock.now < limit, told(word).count < count {
      try await Task.sleep(for: .milliseconds(2))
    }
    return told(word).count >= count
  }

  /// Ends it by SIGKILL; `false` when it had ended already.
  @discardableResult func kill() -> Bool {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }
}
