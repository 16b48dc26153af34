import Foundation
import Synchronization

/// Measures the photo library over folders of growing size and prints what came out.
@main struct LibraryBenchmark {
  static let usage = """
    usage: library-benchmark [--samples N] [--files N]

    Measures the photo library with 1,000, 10,000 and 100,000 files, or with as many as --files
    says, which it makes among the temporary files (TMPDIR). N random pages (51) are read in each
    order. Exits with 1 when a limit is broken. With one sample it takes 1,000 files, and no time is
    a limit.
    """

  static func main() {
    do {
      guard try run(CommandLine.arguments.dropFirst()) else { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Does what the arguments ask for; returns whether all limits are kept.
  private static func run(_ arguments: ArraySlice<String>) throws -> Bool {
    var (arguments, samples, files) = (arguments, 51, Int?.none)
    while let argument = arguments.popFirst() {
      switch argument {
      case "--samples":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { fail() }
        samples = number
      case "--files":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number >= 1000 else { fail() }
        files = number
      case "--help":
        print(usage)
        return true
      default:
        // For the program itself: a phase, and the folder to work in.
        guard let phase = Phase(rawValue: argument), let base = arguments.popFirst() else { fail() }
        let workspace = Workspace(base: URL(filePath: base))
        try wait { [samples] in try await phase.run(in: workspace, samples: samples) }
        return true
      }
    }
    let sizes = files.map { [$0] } ?? (samples == 1 ? [1_000] : [1_000, 10_000, 100_000])
    return try measure(sizes: sizes, samples)
  }

  private static func measure(sizes: [Int], _ samples: Int) throws -> Bool {
    let workspace = try Workspace.temporary(space: sizes.max()! * TestPhotos.spacePerFile)
    defer { workspace.remove() }
    workspace.removeWhenInterrupted()
    let photos = try wait { try await TestPhotos() }
    var columns: [Column] = []
    for size in sizes {
      columns.append(
        try Column(measuring: size, photos, in: workspace.part("\(size)"), samples: samples))
    }
    return report(columns, timesCount: samples > 1)
  }

  /// Prints the figures side by side; returns whether all are within their limits.
  private static func report(_ columns: [Column], timesCount: Bool) -> Bool {
    let width = columns[0].figures.map(\.name.count).max() ?? 0
    var broken = 0
    print("Wall time; all cores. Each phase in a process of its own, files in the page cache.\n")
    for (row, first) in columns[0].figures.enumerated() {
      let values = columns.map { column in
        let figure = column.figures[row]
        let isBroken = figure.isBroken(timesCount: timesCount)
        broken += isBroken ? 1 : 0
        return (isBroken ? "!" : "") + figure.text
      }
      let cells = values.map { String(repeating: " ", count: max(12 - $0.count, 1)) + $0 }
      let name = first.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let limit = first.limit.map { "   at most " + first.unit.text($0) } ?? ""
      print(name + cells.joined() + limit)
    }
    if broken > 0 { print("\n\(broken) figures are over their limits (!).") }
    return broken == 0
  }

  /// Waits for a task.
  ///
  /// The main thread must not turn into Dispatch's, which would let signals through that it blocks.
  private static func wait<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws
    -> R
  {
    let result = Mutex<Result<R, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let value: Result<R, any Error>
      do { value = .success(try await body()) } catch { value = .failure(error) }
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0! }.get()
  }

  static func fail() -> Never {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
  }
}
