import ArgumentParser
import ViewfinderLibrary

/// Makes the index again.
struct RebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Throw the index away and make a new one from the files.",
    discussion: """
      It never touches photos. It keeps albums, favourites and crops, which are beside the photos \
      (.viewfinder), and IDs and URLs, which follow from the files' contents. It loses the ID of a \
      photo that somebody edited in place and that is neither in an album nor a favourite, and when \
      the library first saw files (the order of “recents”). Copies of one file may swap IDs.

      Programs that have the library open go on; they see it fill again. Any other command \
      finishes an interrupted rebuild.

      JSON: {"filesFound", "filesRead", "problems": [text]}
      """)

  @OptionGroup(title: "Library options") var options: LibraryOptions

  func run() async throws {
    try options.checkRoots()
    let progress = ProgressLine()
    let report = try await PhotoLibrary.rebuild(options.configuration) { progress.show(scan: $0) }
    progress.clear()
    if options.json {
      try JSON.print(
        Report(
          filesFound: report.filesFound, filesRead: report.filesRead,
          problems: report.problems.map(\.description)))
    } else {
      for problem in report.problems { Terminal.warn(problem) }
      print("\(report.filesRead) files read")
    }
    if let worst = report.problems.map(\.exitStatus).max() {
      throw ReportedFailure(exitStatus: worst)
    }
  }

  struct Report: Encodable {
    var filesFound: Int
    var filesRead: Int
    var problems: [String]
  }
}
