import ArgumentParser
import ViewfinderLibrary

/// Makes the index anew.
struct RebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Throw the index away and make a new one from the files.",
    discussion: """
      Photos are never touched. Albums, favourites and crops are kept, since they lie beside the \
      photos (.viewfinder), and so are IDs and URLs, which follow from the files' contents. Lost \
      are the ID of a photo that was edited in place and is neither in an album nor a favourite, \
      and when files were first seen (the order of “recents”). Copies of one file may swap IDs.

      Programs that have the library open go on; they see it fill again. Rebuilding that was \
      interrupted is finished by any other command.

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
