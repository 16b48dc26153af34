import Foundation
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker

/// What somebody's program looks like who shows the pictures of a folder, and picks one.
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

    var choice = ImagePicker.Configuration()
    choice.cameras = [try SimulatedCamera().device]
    choice.library = library
    let picker = ImagePicker(
      choice,
      presenter: HeadlessPresenter { picker in
        try await picker.takePicture()
        try picker.usePhoto()
      })
    guard let photo = try await picker.pick() else { return }
    print("Picked a photo of \(try await photo.data().data.count) bytes.")
  }
}
