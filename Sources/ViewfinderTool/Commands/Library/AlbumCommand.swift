import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Changes albums.
struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album",
    abstract: "Make, rename, merge and delete albums, and change what is in them.",
    discussion: """
      You can change albums that people made; “favorites” takes assets, too. Photos stay where \
      they are, whatever happens to their albums.

      JSON: {"album": {"id", "url", "name"}} after the change; for “delete”, before it.
      """,
    subcommands: [
      Make.self, Rename.self, Merge.self, Delete.self, Add.self, Remove.self,
    ])

  struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an album, unless there is one of that name.")

    @Argument(
      help: ArgumentHelp("Its name.", valueName: "name"),
      transform: Value.albumName)
    var name: String

    @OptionGroup(title: "Library options") var library: LibraryOptions

    func run() async throws {
      try library.tell(await library.open().makeAlbum(named: name))
    }
  }

  struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give an album another name; a folder's album renames the folder.")

    @OptionGroup var album: AlbumArgument

    @Argument(help: ArgumentHelp("Its new name.", valueName: "name"), transform: Value.albumName)
    var name: String

    func run() async throws {
      try album.library.tell(await album.find(in: album.library.open()).rename(to: name))
    }
  }

  struct Merge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put what other albums have into one, and delete those; they must be people's own.")

    @OptionGroup var album: AlbumArgument

    @Argument(help: ArgumentHelp("The other albums: names or URLs.", valueName: "other"))
    var others: [Path]

    func run() async throws {
      let library = try await album.library.open()
      let found = try await album.find(in: library)
      var merged: [Album] = []
      for name in others {
        // One of the same name is another one.
        merged.append(try await library.album(named: name) { $0.id != found.id })
      }
      try await found.merge(merged)
      try album.library.tell(found)
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
