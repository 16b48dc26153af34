import Foundation

/// Measures the photo library over folders of growing size and prints what came out.
@main struct LibraryBenchmark {
  static let usage = """
    usage: library-benchmark [--samples N]

    Measures the photo library with 1,000, 10,000 and 100,000 files, which it makes among the
    temporary files (TMPDIR). N random pages (51) are read in each order. Exits with 1 when a limit
    is broken. With one sample it takes 1,000 files, and no time is a limit.
    """

  static func main() async throws {
    var samples = 51
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--samples":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { fail() }
        samples = number
      case "--help":
        print(usage)
        return
      default:
        // For the program itself: a phase, and the folder to work in.
        guard let phase = Phase(rawValue: argument), let base = arguments.popFirst() else { fail() }
        return try await phase.run(in: Workspace(base: URL(filePath: base)), samples: samples)
      }
    }
    let sizes = samples == 1 ? [1_000] : [1_000, 10_000, 100_000]
    let workspace = try Workspace.temporary(space: sizes.max()! * TestPhotos.spacePerFile)
    workspace.removeWhenInterrupted()
    defer { workspace.remove() }
    let photos = try await TestPhotos()
    var columns: [Column] = []
    for size in sizes {
      columns.append(
        try Column(measuring: size, photos, in: workspace.part("\(size)"), samples: samples))
    }
    report(columns, timesCount: samples > 1)
  }

  /// Prints the figures side by side, and exits with 1 when one is over its limit.
  private static func report(_ columns: [Column], timesCount: Bool) {
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
    if broken > 0 {
      print("\n\(broken) figures are over their limits (!).")
      exit(1)
    }
  }

  static func fail() -> Never {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
  }
}
