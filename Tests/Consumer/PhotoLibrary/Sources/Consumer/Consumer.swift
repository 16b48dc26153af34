import Foundation
import ViewfinderLibrary

/// What somebody's program looks like who shows the pictures of a folder.
@main struct Consumer {
  static func main() async throws {
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    var configuration = PhotoLibrary.Configuration()
    configuration.roots = [folder.appendingPathComponent("Pictures", isDirectory: true)]
    configuration.indexFolder = folder.appendingPathComponent("Index", isDirectory: true)
    _ = await PhotoLibrary.requestAuthorization(for: configuration)

    let library = try await PhotoLibrary.open(configuration)
    let album = try await library.makeAlbum(named: "Cards")
    print("The album \(album.name) has \(try await album.counts().all) assets.")
  }
}
