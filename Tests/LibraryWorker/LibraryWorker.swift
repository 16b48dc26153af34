import Foundation
import ViewfinderLibrary

/// Works on a photo library and tells of each thing when it is done, until it is killed or has done enough.
///
/// usage: LibraryWorker BASE JOB FIRST COUNT [watch]
///
/// The library is over `BASE/Pictures`, with its index in `BASE/index` and its thumbnails in `BASE/thumbnails`.
/// `JOB` is `scan`, `save`, `edit` or `thumbnails`; what it does is numbered from `FIRST` on. With `watch`, it
/// keeps up with other programs by itself and tells of what it hears. The job `answer` does what it reads.
@main enum LibraryWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else {
      fatalError("usage: LibraryWorker BASE JOB FIRST COUNT [watch]")
    }
    let watches = arguments.count > 5
    let bench = Bench(URL(fileURLWithPath: arguments[1], isDirectory: true))
    guard arguments[2] != "answer" else {
      tell("ready")
      var answers = Answers(bench)
      return await answers.run()
    }
    let library = try await bench.open(watches: watches)
    if watches { listen(to: library) } else { try await library.update() }
    tell("ready")
    let parent = getppid()
    // Nobody is left to kill it when the test itself was.
    for number in first..<first + count where getppid() == parent {
      switch arguments[2] {
      case "scan": try await bench.scan(library, number)
      case "save": try await bench.save(library, number)
      case "edit": try await bench.edit(library, number)
      case "thumbnails": try await bench.makeThumbnail(library, number)
      default: fatalError("no such job")
      }
    }
    tell("done")
    // Until it has been heard of all; the test ends it.
    while watches, getppid() == parent { try await Task.sleep(for: .seconds(1)) }
  }

  private static func listen(to library: PhotoLibrary) {
    let changes = library.changes
    Task {
      for await change in changes {
        for id in change.insertedAlbums.union(change.updatedAlbums) { tell("heard \(id)") }
      }
    }
  }

  /// Writes a line at once.
  static func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
