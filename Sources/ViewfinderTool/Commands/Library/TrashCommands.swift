import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Puts assets into the trash.
struct TrashCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "Put photos and videos into the desktop's trash.",
    discussion: """
      Each goes with all its files and with its sidecar files, such as crops and XMP; of one asset \
      all files go, or none. “restore” brings it back, as file managers do. What fails doesn't \
      stop the others, and sets the exit code.

      JSON: {"assets": [{"input", "inputURL", "trashed": [{…, as “trashed” has it}]} or {"input", \
      "inputURL", "error", "exitCode"}]}
      """)

  @OptionGroup var assets: AssetArguments
  @OptionGroup(title: "Library options") var options: LibraryOptions

  func run() async throws {
    let library = try await options.openUpToDate()
    try await Outcomes("assets", isJSON: options.json).run(assets.names) { name in
      let trashed = try await library.trash([library.asset(named: name)])
      return (
        Outcome(trashed: trashed.map(TrashedReport.init)),
        trashed.map(\.line).joined(separator: "\n")
      )
    }
  }
}

/// Lists the trash.
struct TrashedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trashed",
    abstract: "List what is in the trash and came out of the library's folders.",
    discussion: """
      Also what other programs put there; the last comes first. It looks into the user's own trash \
      and into those of the disks on which the library's folders are.

      JSON: {"trashed": [{"id", "fileName", "fileURL" (where it was), "deletionDate", "trashURL", \
      "files": [{"fileURL", "trashedURL"}]}]}
      """)

  @OptionGroup(title: "Library options") var options: LibraryReadOptions

  func run() async throws {
    let trashed = try await options.open().trashedAssets()
    if options.library.json {
      return try JSON.print(["trashed": trashed.map(TrashedReport.init)])
    }
    Terminal.table(
      [["DELETED", "FILES", "ID", "PATH"]]
        + trashed.map { item in
          [
            item.deletionDate?.tableText ?? "–", "\(item.files.count)",
            item.assetID?.uuidString.lowercased() ?? "–", Terminal.path(item.originalURL),
          ]
        })
  }
}

/// Brings assets back from the trash.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring photos and videos back from the trash, as they were.",
    discussion: """
      Name them by their IDs or URLs, by the paths where they were, or by those in the trash; \
      “trashed” lists them. They keep their IDs, albums, favourites and crops. Nothing is ever \
      restored over another file. What fails doesn't stop the others, and sets the exit code.

      JSON: {"assets": [{"input", "inputURL", "asset": {…, as “list” has it}} or {"input", \
      "inputURL", "error", "exitCode"}]}
      """)

  @OptionGroup var items: TrashedArguments
  @OptionGroup(title: "Library options") var options: LibraryOptions

  @Flag(
    help: "Restore what has lost its place to another file into a folder “Restored” beside it.")
  var keepBoth = false

  func run() async throws {
    let library = try await options.openUpToDate()
    try await Outcomes("assets", isJSON: options.json).run(items.names) { name in
      let item = try await library.trashedAsset(named: name)
      let assets = try await library.restore([item], intoOwnFolder: keepBoth)
      let place = assets.first?.fileURL ?? item.originalURL
      return (Outcome(asset: assets.first.map(AssetReport.init)), Terminal.path(place))
    }
  }
}

/// Things in the trash.
struct TrashedArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "What is in the trash: IDs or URLs, or paths where files were or are.", valueName: "asset"))
  var names: [Path]
}

extension PhotoLibrary {
  /// What an argument names in the trash.
  func trashedAsset(named argument: Path) async throws -> TrashedAsset {
    let all = try await trashedAssets()
    let text = argument.display
    let asset = "viewfinder-library:///asset/"
    let id = UUID(uuidString: text.hasPrefix(asset) ? String(text.dropFirst(asset.count)) : text)
    let paths = [argument.inRealFolder, argument.absolute]
    let found = all.filter { item in
      if let id { return item.assetID == id }
      return item.files.contains {
        paths.contains(Path($0.fileURL)) || paths.contains(Path($0.originalURL))
      }
    }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let places = found.map { Terminal.path($0.id) }.joined(separator: "\n  ")
      throw ToolError(
        message: "Several in the trash are “\(Terminal.plain(text))”. Name one by its place, "
          + "the last first:\n  " + places, exitStatus: EX_USAGE)
    }
    throw ToolError(
      message: "There is no “\(Terminal.plain(text))” in the trash. “viewfinder library trashed” "
        + "lists what is.", exitStatus: EX_NOINPUT)
  }
}

extension TrashedAsset {
  /// Where it is and was, for people.
  fileprivate var line: String {
    "\(Terminal.path(originalURL))  \(Terminal.path(files[0].fileURL))"
  }
}
