import Foundation
import Viewfinder
import ViewfinderLibrary

/// The folders that a worker works on.
struct Bench {
  let base: URL
  let pictures: URL

  init(_ base: URL) {
    self.base = base
    pictures = base.appendingPathComponent("Pictures")
  }

  var configuration: PhotoLibrary.Configuration {
    var configuration = PhotoLibrary.Configuration(roots: [pictures])
    configuration.indexFolder = base.appendingPathComponent("index")
    configuration.thumbnailFolder = base.appendingPathComponent("thumbnails")
    configuration.trashFolder = base.appendingPathComponent("Trash")
    return configuration
  }

  func open(watches: Bool) async throws -> PhotoLibrary {
    var configuration = configuration
    configuration.watchesFolders = watches
    return try await PhotoLibrary.open(configuration)
  }

  /// The photo with a number: the picture that the test has laid down, and the number behind it.
  func photo(_ number: Int) throws -> Data {
    try Data(contentsOf: base.appendingPathComponent("sample.jpg")) + Data("photo \(number)".utf8)
  }

  // MARK: Jobs

  /// Does what other programs do, and takes it up.
  func scan(_ library: PhotoLibrary, _ number: Int) async throws {
    let folder = pictures.appendingPathComponent("\(number % 3)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("\(number).jpg")
    try PhotoFile.write(try photo(number), to: url)
    if number % 4 == 3 {
      let old = pictures.appendingPathComponent("\((number - 1) % 3)/\(number - 1).jpg")
      // It isn't there where the worker before was killed.
      try? FileManager.default.moveItem(
        at: old, to: pictures.appendingPathComponent("moved \(number - 1).jpg"))
    }
    try await library.update()
    let asset = try await library.asset(at: url)
    LibraryWorker.tell("scanned \(number) \(asset.id)")
  }

  func save(_ library: PhotoLibrary, _ number: Int) async throws {
    let asset = try await library.save(
      [PhotoResource(.data(try photo(number)))], to: try await album("Saved", library),
      naming: number.isMultiple(of: 2) ? .dcf() : .dateTime)
    LibraryWorker.tell("saved \(number) \(asset.fileURL.absoluteString)")
  }

  /// Changes an album or the favourites; tells before and after what they are to have.
  func edit(_ library: PhotoLibrary, _ number: Int) async throws {
    let album = try await album("Edited", library)
    let favorites = library.album(.favorites)
    let all = try await library.album(.all).assets(order: .name)
    guard let asset = try await all.asset(at: .random(in: 0..<all.count)) else { return }
    var names = try await (album: names(album), favorites: names(favorites))
    let name = asset.fileName
    let place = Int.random(in: 0...names.album.count)
    let operation = ["add", "remove", "move", "favorite", "unfavorite"].randomElement() ?? ""
    switch operation {
    case "add": if !names.album.contains(name) { names.album.append(name) }
    case "remove": names.album.removeAll { $0 == name }
    case "move":
      guard names.album.contains(name) else { break }
      names.album.removeAll { $0 == name }
      names.album.insert(name, at: min(place, names.album.count))
    case "favorite": if !names.favorites.contains(name) { names.favorites.append(name) }
    default: names.favorites.removeAll { $0 == name }
    }
    let wanted = "\(names.album.joined(separator: ","))/\(names.favorites.joined(separator: ","))"
    LibraryWorker.tell("edits \(wanted)")
    switch operation {
    case "add": try await album.add([asset])
    case "remove": try await album.remove([asset])
    case "move": try await album.move([asset], to: place)
    default: try await library.setFavorite(operation == "favorite", [asset])
    }
    LibraryWorker.tell("edited \(wanted)")
  }

  /// Replaces a picture by one of another grey, whose number is its time, and asks for its thumbnail.
  func makeThumbnail(_ library: PhotoLibrary, _ number: Int) async throws {
    let name = "\(number % 5).jpg"
    let new = base.appendingPathComponent("new.jpg")
    let grey = UInt8(20 + number * 37 % 200)
    let picture = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 320, height: 240),
      data: Data(repeating: grey, count: 320 * 240))
    try picture.jpegData().write(to: new)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(number))],
      ofItemAtPath: new.path)
    let url = pictures.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.moveItem(at: new, to: url)
    try await library.update()
    let asset = try await library.asset(at: url)
    _ = try await library.thumbnail(of: asset, size: .normal)
    // It comes before it is kept.
    _ = await library.thumbnailStatus(of: asset, size: .normal)
    LibraryWorker.tell("thumbnail \(number)")
  }

  // MARK: Albums

  /// The album of a name, which is made when there is none.
  func album(_ name: String, _ library: PhotoLibrary) async throws -> Album {
    for album in try await library.albums() where album.kind == .made && album.name == name {
      return album
    }
    return try await library.makeAlbum(named: name)
  }

  func names(_ album: Album) async throws -> [String] {
    let list = try await album.assets()
    return try await list.assets(in: 0..<list.count).map(\.fileName)
  }
}
