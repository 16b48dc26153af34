import ArgumentParser

/// The photo library.
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Show, save and check the photos and videos in folders.",
    discussion: """
      The library is the desktop's folder for pictures, or the folders of --root. Photos stay \
      plain files; each command first takes up what other programs did to them.

      An ALBUM is its name (“Holidays”), its URL (viewfinder-library:///album/…), a folder's path, \
      or one of all, recents, camera-roll, videos, favorites, bursts and screenshots. An ASSET, \
      that is a photo or video with all its files, is its ID, its URL \
      (viewfinder-library:///asset/…), or the path or file:// URL of one of its files.

      File names are bytes: arguments may be any, in JSON “fileURL” has them all, and “fileName” \
      has U+FFFD for those that aren't UTF-8. Dates are ISO 8601; “captureDate” has an offset where the camera wrote \
      one. JSON leaves out what isn't known.
      """,
    subcommands: [
      AlbumsCommand.self, AlbumCommand.self, ListCommand.self, ShowCommand.self, SaveCommand.self,
      TrashCommand.self, TrashedCommand.self, RestoreCommand.self, DeleteCommand.self,
      ThumbnailsCommand.self, WatchCommand.self, VerifyCommand.self,
      ChecksumsCommand.self, RebuildCommand.self,
    ])
}
