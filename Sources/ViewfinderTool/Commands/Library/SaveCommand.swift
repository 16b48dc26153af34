import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Saves files as photos.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save photos and videos into the camera roll, and into an album.",
    discussion: """
      It copies the files, byte for byte, into DCIM in the library's first folder (or by date into \
      the folder itself); each is there whole, or not at all. A file that can't be saved doesn't \
      stop the others, and sets the exit code.

      JSON: {"files": [{"input", "inputURL", "asset": {…, as “list” has it}} or {"input", \
      "inputURL", "error", "exitCode"}]}
      """)

  @Argument(help: ArgumentHelp("The files: paths, or file:// URLs.", valueName: "file"))
  var files: [Path]

  @OptionGroup(title: "Library options") var library: LibraryOptions

  @Option(
    help: ArgumentHelp("Add them to this album: its name or URL.", valueName: "album"))
  var album: Path?

  @Flag(help: "Make the album if there is none of that name.")
  var makeAlbum = false

  @Option(
    help: ArgumentHelp(
      "Names as cameras give them (dcf: DCIM/100VWFND/VWF_0001.JPG), or by the time of capture "
        + "(date: IMG_20260412_153012_250.jpg). (default: dcf)", valueName: "naming"),
    completion: .list(["dcf", "date"]), transform: Value.naming)
  var naming: PhotoNaming?

  @Option(
    help: ArgumentHelp(
      "The edited version of the file, to keep with it and show in its place.",
      valueName: "file"))
  var edited: Path?

  func validate() throws {
    if edited != nil, files.count > 1 {
      throw ValidationError("--edited belongs to one file; save the others apart.")
    }
    if makeAlbum, album == nil {
      throw ValidationError("--make-album needs --album NAME.")
    }
  }

  func run() async throws {
    let opened = try await library.open()
    let album = try await album(in: opened)
    try await Outcomes("files", isJSON: library.json).run(files) { file in
      let asset = try await opened.save(resources(file), to: album, naming: naming ?? .dcf())
      return (
        Outcome(asset: AssetReport(asset)), "\(file.quoted)  \(Terminal.path(asset.fileURL))"
      )
    }
  }

  private func resources(_ file: Path) -> [PhotoResource] {
    [PhotoResource(.copy(file.url))]
      + (edited.map { [PhotoResource(.copy($0.url), isEdited: true)] } ?? [])
  }

  /// The album to save into, made where that is wanted.
  private func album(in library: PhotoLibrary) async throws -> Album? {
    guard let album else { return nil }
    do {
      let found = try await library.album(named: album) { found in
        // What has the name of a folder, too, is no folder.
        if case .folder = found.kind { false } else { true }
      }
      guard [.made, .smart(.favorites)].contains(found.kind) else {
        throw ToolError(
          message:
            "“\(Terminal.plain(album.display))” fills itself. Name an album that people made, or "
            + "say --make-album with a new name.", exitStatus: EX_USAGE)
      }
      return found
    } catch let error as ToolError where error.exitStatus == EX_NOINPUT {
      guard makeAlbum else {
        throw ToolError(
          message:
            "There is no album “\(Terminal.plain(album.display))”. Make it with --make-album.",
          exitStatus: EX_NOINPUT)
      }
      return try await library.makeAlbum(named: Value.albumName(album.display))
    }
  }
}
