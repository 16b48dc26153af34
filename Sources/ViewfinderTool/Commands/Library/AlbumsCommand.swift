import ArgumentParser
import ViewfinderLibrary

/// Lists the albums.
struct AlbumsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "List the albums.",
    discussion: """
      Smart albums fill themselves, folders are albums too, and people made the others. The counts \
      follow --kind and the like.

      JSON: {"albums": [{"id", "url", "name", "kind": "smart" | "folder" | "made", "folderURL", \
      "photos", "videos", "others", "all", "poster": {"url", "fileName", "fileURL"}}]}; “others” \
      are files of unknown kinds.
      """)

  @OptionGroup(title: "Library options") var options: LibraryReadOptions
  @OptionGroup(title: "Filter options") var assets: AssetFilterOptions

  func run() async throws {
    let library = try await options.open()
    var albums: [AlbumReport] = []
    for album in try await library.albums() {
      albums.append(try await AlbumReport(album, assets.filter))
    }
    if options.library.json { return try JSON.print(Report(albums: albums)) }
    Terminal.table(
      [["NAME", "KIND", "PHOTOS", "VIDEOS", "ALL", "POSTER", "URL"]]
        + albums.map { album in
          [
            album.name, album.kind, "\(album.photos)", "\(album.videos)", "\(album.all)",
            album.poster?.fileName ?? "–", album.url,
          ]
        })
  }

  struct Report: Encodable {
    var albums: [AlbumReport]
  }
}
