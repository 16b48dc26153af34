import ArgumentParser
import ViewfinderLibrary

/// Makes the index again.
struct RebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Throw the index away and make a new one from the files.",
    discussion: """
      It never touches photos. It keeps albums, favourites and crops, which are beside the photos \
      (.viewfinder), and what nobody could find again: IDs of photos that somebody edited, when the \
      library first saw files (the order of “recents”), and checksums. Of a damaged index, it keeps \
      what can be read.

      Programs that have the library open go on with the new index. Any other command finishes an \
      interrupted rebuild.

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
