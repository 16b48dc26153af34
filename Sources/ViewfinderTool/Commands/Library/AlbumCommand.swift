import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Changes albums.
struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album",
    abstract: "Make, rename and delete albums, and change what is in them.",
    discussion: """
      You can change albums that people made; “favorites” takes assets, too. Photos stay where \
      they are, whatever happens to their albums.

      JSON: {"album": {"id", "url", "name"}} after the change; for “delete”, before it.
      """,
    subcommands: [Make.self, Rename.self, Delete.self, Add.self, Remove.self])

  struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an empty album.")

    @Argument(
      help: ArgumentHelp("Its name; several may have the same.", valueName: "name"),
      transform: Value.albumName)
    var name: String

    @OptionGroup(title: "Library options") var library: LibraryOptions

    func run() async throws {
      try library.tell(await library.open().makeAlbum(named: name))
    }
  }

  struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give an album another name.")

    @OptionGroup var album: AlbumArgument

    @Argument(help: ArgumentHelp("Its new name.", valueName: "name"), transform: Value.albumName)
    var name: String

    func run() async throws {
      try album.library.tell(await album.find(in: album.library.open()).rename(to: name))
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an album, but none of its photos.")

    @OptionGroup var album: AlbumArgument

    func run() async throws {
      let found = try await album.find(in: album.library.open())
      try await found.delete()
      try album.library.tell(found)
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add assets at an album's end; those that it has stay where they are.")

    @OptionGroup var album: AlbumArgument
    @OptionGroup var members: AssetArguments

    func run() async throws {
      let library = try await album.library.openUpToDate()
      let found = try await album.find(in: library)
      try await found.add(members.find(in: library))
      try album.library.tell(found)
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take assets out of an album; they stay in the library.")

    @OptionGroup var album: AlbumArgument
    @OptionGroup var members: AssetArguments

    func run() async throws {
      let library = try await album.library.openUpToDate()
      let found = try await album.find(in: library)
      try await found.remove(members.find(in: library))
      try album.library.tell(found)
    }
  }

  /// An album of a library.
  struct AlbumArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The album: its name or URL.", valueName: "album"))
    var name: Path

    @OptionGroup(title: "Library options") var library: LibraryOptions

    func find(in library: PhotoLibrary) async throws -> Album {
      try await library.album(named: name)
    }
  }
}

extension LibraryOptions {
  /// Says which album was worked on.
  fileprivate func tell(_ album: Album) throws {
    if json { return try JSON.print(["album": AlbumName(album)]) }
    print("\(Terminal.plain(album.name))  \(album.url.absoluteString)")
  }
}
