import ArgumentParser
import Foundation
import WebServing

/// `feed-server copy`: from one process on one machine to what many share.
public struct CopyCommand: AsyncParsableCommand {
  /// How it is called.
  public static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copies all that a folder has into PostgreSQL, so that clients go on unchanged.",
    discussion: """
      Stop the server of the folder first. The database must be empty; if anything goes wrong it still is, and the \
      folder is never changed. Without --blobs the files stay in the folder, which --data names from then on.
      """)

  @Option(help: ArgumentHelp("The folder of a server with SQLite.", valueName: "folder"))
  var from: String

  @Option(help: ArgumentHelp("Where records go: postgres://…", valueName: "address"))
  var records: String

  @Option(
    help: ArgumentHelp(
      "Where files go, if not staying: s3://BUCKET[/PREFIX][?region=REGION&endpoint=URL].",
      valueName: "address"))
  var blobs: String?

  /// Creates a command for the parser to fill.
  public init() {}

  /// Refuses what can't be.
  public func validate() throws {
    try FeedServerOptions.check(records: records, blobs: blobs)
    let file = URL(fileURLWithPath: from).appending(component: "backend.sqlite").path
    guard FileManager.default.fileExists(atPath: file) else {
      throw ValidationError("\(from) has no backend.sqlite: no server kept anything there.")
    }
  }

  /// Copies files first, then all rows in one transaction.
  public func run() async throws {
    let folder = URL(fileURLWithPath: from, isDirectory: true)
    let source = try SQLiteDatabase(in: folder)
    let target = try FeedServerOptions.postgres(records, connections: 1)
    // Before any file goes.
    try await target.read { try DatabaseCopy.checkIsEmpty($0) }
    let files = try await copyFiles(of: source, in: folder)
    let counts = try await source.snapshot { source in
      try target.writeAll { target in
        try DatabaseCopy(source: source, target: target, places: files.places, lost: files.lost)
          .run()
      }
    }
    tell(counts, files)
  }

  private func copyFiles(
    of source: SQLiteDatabase, in folder: URL
  ) async throws -> FileCopy.Result {
    guard let blobs else { return FileCopy.Result() }
    let files = try await source.read { session in
      try session.rows("SELECT name, size, place FROM blob").map {
        FileCopy.File(name: $0.text(0), size: $0.integer(1), place: $0.text(2))
      }
    }
    let store = try FeedServerOptions.store(blobs)
    return try await FileCopy(source: FolderBlobs(in: folder), target: store).run(files) { done in
      if done % 100 == 0 { WebServer.printLine("\(done) of \(files.count) files") }
    }
  }

  private func tell(_ counts: [(table: String, count: Int)], _ files: FileCopy.Result) {
    for (table, count) in counts { WebServer.printLine("\(table): \(count)") }
    if !files.lost.isEmpty {
      WebServer.printLine(
        "\(files.lost.count) files are missing or damaged; devices that have them send them again.")
    }
    let place = blobs.map { "--blobs '\($0)'" } ?? "--data \(from)"
    WebServer.printLine("All is there. Go on with: feed-server --records … \(place)")
  }
}
