import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Deletes for good.
struct DeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete photos and videos for good, from the library or from the trash.",
    discussion: """
      Nothing brings them back; “trash” does what can be undone. All their files go, and their \
      sidecar files. On a terminal it asks first; elsewhere it needs --yes.

      JSON: {"assets": [{"input", "inputURL", "deleted": [URL]} or {"input", "inputURL", "error", \
      "exitCode"}]}
      """)

  @OptionGroup var assets: AssetArguments
  @OptionGroup(title: "Library options") var options: LibraryOptions

  @Flag(help: "Say that you mean it: for good.")
  var permanently = false

  @Flag(help: "Delete from the trash: IDs, or paths where files were or are.")
  var trashed = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  func validate() throws {
    guard permanently else {
      throw ValidationError(
        "“delete” is for good: say so with --permanently, or use “viewfinder library trash”.")
    }
  }

  func run() async throws {
    let library = try await options.openUpToDate()
    guard try confirmed() else { return Terminal.warn("Nothing was deleted.") }
    try await Outcomes("assets", isJSON: options.json).run(assets.names) { name in
      let files: [URL]
      if trashed {
        let item = try await library.trashedAsset(named: name)
        try await library.deletePermanently([item])
        files = item.files.map(\.fileURL)
      } else {
        let asset = try await library.asset(named: name)
        files = try await asset.representations().map(\.fileURL)
        try await library.deletePermanently([asset])
      }
      return (
        Outcome(deleted: files.map(\.absoluteString)),
        files.map { "\(Terminal.path($0))  deleted" }.joined(separator: "\n")
      )
    }
  }

  private func confirmed() throws -> Bool {
    if yes { return true }
    let count = assets.names.count
    let what = count == 1 ? assets.names[0].quoted : "\(count) photos and videos"
    guard let answer = Terminal.agrees(to: "Delete \(what) for good?") else {
      throw ToolError(
        message: "Nobody can be asked here. Say --yes to delete \(what) for good.",
        exitStatus: EX_USAGE)
    }
    return answer
  }
}
