// Lists the albums of a photo library with their counts and posters; takes a photo into one of them.
//
// usage: photo-albums [--root FOLDER] [--simulate] [ALBUM]
//
// Without --root it shows the desktop's folder for pictures. With ALBUM, which is made if need be, it takes
// a photo first.
import Foundation
import Viewfinder
import ViewfinderLibrary

@main struct PhotoAlbums {
  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    var configuration = PhotoLibrary.Configuration()
    if let option = arguments.firstIndex(of: "--root"), arguments.indices.contains(option + 1) {
      let root = URL(fileURLWithPath: arguments[option + 1], isDirectory: true)
      configuration.roots = [root]
      arguments.removeSubrange(option...option + 1)
    }
    let simulates = arguments.contains("--simulate")
    let name = arguments.first { !$0.hasPrefix("--") }

    switch await PhotoLibrary.requestAuthorization(for: configuration) {
    case .authorized: break
    case .readOnly(let problem): if name != nil { fail(problem.description) }
    case .denied(let problem): fail(problem.description)
    }
    do {
      let library = try await PhotoLibrary.open(configuration)
      // Opening returns at once; here everything is to be listed, so wait for what is new.
      try await library.update()
      if let name { try await takePhoto(simulates, into: name, of: library) }
      for album in try await library.albums() { try await show(album, library) }
    } catch {
      fail("\(error)")
    }
  }

  static func takePhoto(
    _ simulates: Bool, into name: String, of library: PhotoLibrary
  ) async throws {
    guard let camera = simulates ? try SimulatedCamera().device : .default(for: .video) else {
      fail("No camera is connected. Plug one in, or try --simulate.")
    }
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera))
      try session.addOutput(output)
    }
    try await session.startRunning()
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    await session.stopRunning()

    let existing = try await library.albums().first { $0.kind == .made && $0.name == name }
    var album = existing
    if album == nil { album = try await library.makeAlbum(named: name) }
    let asset = try await library.save(photo, to: album)
    print("Saved \(asset.fileURL.path)\n")
  }

  /// Prints an album's name, how much is in it, and its poster in blocks of colour.
  static func show(_ album: Album, _ library: PhotoLibrary) async throws {
    let counts = try await album.counts()
    print("\(album.name): \(counts.photos) photos, \(counts.videos) videos")
    guard let poster = try await album.poster() else { return }
    guard isatty(STDOUT_FILENO) != 0 else { return print("  \(poster.fileName)") }
    do {
      let picture = try await library.thumbnail(of: poster, size: .normal)
      let small = try picture.scaled(toFit: Dimensions(width: 32, height: 32))
      printBlocks(try small.converted(to: .rgb24))
    } catch {
      print("  \(error)")
    }
  }

  /// A character shows two pixels: the upper one by its colour, the lower one by its background.
  static func printBlocks(_ picture: PixelBuffer) {
    let (width, height) = (picture.dimensions.width, picture.dimensions.height)
    let bytes = picture.bytes()
    func color(_ x: Int, _ y: Int) -> String {
      let start = min(y, height - 1) * picture.bytesPerRow() + x * 3
      return (start..<start + 3).map { offset in
        "\(bytes[offset])"
      }.joined(separator: ";")
    }
    for y in stride(from: 0, to: height, by: 2) {
      let row = (0..<width).map {
        "\u{1b}[38;2;\(color($0, y))m\u{1b}[48;2;\(color($0, y + 1))m▀"
      }
      print("  " + row.joined() + "\u{1b}[0m")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}
