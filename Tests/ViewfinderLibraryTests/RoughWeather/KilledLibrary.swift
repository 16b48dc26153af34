import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// What workers told of before they were killed, and whether it is there.
struct KilledLibrary {
  let base: FilePath
  let job: WorkerJob
  private(set) var toldCount = 0
  /// What each `scan` told: the asset of the photo with a number.
  private var assets: [Int: String] = [:]
  /// Where each `save` told that the photo with a number is.
  private var saved: [Int: FilePath] = [:]
  /// The album and the favourites after the last edit that was told of.
  private var edited = "/"
  /// The number of the last thumbnail of each picture.
  private var thumbnails: [FilePath: Int] = [:]

  init(base: FilePath, job: WorkerJob) {
    self.base = base
    self.job = job
  }

  private var pictures: FilePath { base.appending("Pictures") }

  /// Opens the library as the next program does, and looks at everything.
  mutating func check(_ worker: WorkerProcess, _ when: Comment) async throws {
    let before = edited
    remember(worker)
    try checkFiles(when)
    if job == .thumbnails { try checkCache(when) }
    let library = try await LibraryRig.open(base)
    if job == .edit { try await checkAlbums(of: library, worker, before, when) }
    try await library.update()
    let fresh = try await LibraryRig.fresh(of: base)
    let all = try await library.everything()
    #expect(Set(all.map(\.summary)) == Set(try await fresh.everything().map(\.summary)), when)
    switch job {
    case .scan: checkAssets(all, when)
    case .save: try await checkAlbumOfSaved(library, when)
    case .edit: break
    case .thumbnails: try await checkThumbnails(of: all, library, when)
    }
    #expect(try await eventually { leftovers.isEmpty }, when)
  }

  private mutating func remember(_ worker: WorkerProcess) {
    for line in worker.told("scanned") { assets[Int(line[0]) ?? 0] = line[1] }
    for line in worker.told("saved") {
      saved[Int(line[0]) ?? 0] = URL(string: line[1]).map { FilePath($0) }
    }
    if let last = worker.told("edited").last?.first { edited = last }
    for line in worker.told("thumbnail") {
      let number = Int(line[0]) ?? 0
      thumbnails[pictures.appending("\(number % 5).jpg")] = number
    }
    toldCount += worker.told(job.doneWord).count
  }

  // MARK: Files

  private func files(in folder: FilePath) -> [FilePath] {
    let paths = FileManager.default.enumerator(atPath: folder.description)?.allObjects
    return (paths as? [String] ?? []).map { folder.appending($0) }
      .filter { FileStatus(of: $0)?.kind == .file }
  }

  /// Hidden drafts, wherever they are.
  private var leftovers: [FilePath] {
    files(in: base).filter { FileDraft.finalName(ofHidden: $0.name.bytes) != nil }
  }

  /// Every photo is whole, and those that were told of are where they were.
  private func checkFiles(_ when: Comment) throws {
    let sample = LibraryFolder.jpeg(seed: 0)
    for path in files(in: pictures) where path.pathExtension == "jpg" && job != .thumbnails {
      guard !path.name.description.hasPrefix("p") else { continue }
      let data = try Data(contentsOf: path.url)
      let number = Int(String(decoding: data.dropFirst(sample.count + 6), as: UTF8.self)) ?? -1
      #expect(data == WorkerProcess.photo(number), "\(path) isn't whole: \(when)")
    }
    for (number, path) in saved {
      #expect((try? Data(contentsOf: path.url)) == WorkerProcess.photo(number), "\(path): \(when)")
    }
  }

  private func checkAssets(_ all: [Asset], _ when: Comment) {
    let byID = Dictionary(all.map { ($0.id.uuidString, $0) }) { first, _ in first }
    for (number, id) in assets {
      let data = byID[id].flatMap { try? Data(contentsOf: $0.fileURL) }
      #expect(data == WorkerProcess.photo(number), "photo \(number): \(when)")
    }
  }

  // MARK: Albums

  /// All photos that were told of are in their album, in order, and at most one more for each kill.
  private func checkAlbumOfSaved(_ library: PhotoLibrary, _ when: Comment) async throws {
    let albums = try await library.albums().filter { $0.kind == .made }
    #expect(albums.count <= 1, when)
    let list = try await albums.first?.assets()
    let paths = try await list?.assets(in: 0..<(list?.count ?? 0)).map(\.path) ?? []
    let wanted = saved.sorted { $0.key < $1.key }.map(\.value)
    #expect(paths.filter { wanted.contains($0) } == wanted, when)
  }

  /// Album and favourites are as after the last edit that was told of, or the one that was under way.
  private mutating func checkAlbums(
    of library: PhotoLibrary, _ worker: WorkerProcess, _ before: String, _ when: Comment
  ) async throws {
    for path in files(in: pictures.appending(".viewfinder")) where path.pathExtension == "json" {
      _ = try AlbumFile(Data(contentsOf: path.url), path: path)
    }
    let made = try await library.albums().filter { $0.kind == .made }
    #expect(made.count <= 1, when)
    let album = try await made.first.asyncMap(names) ?? []
    let favorites = try await names(library.album(.favorites))
    let state = "\(album.joined(separator: ","))/\(favorites.joined(separator: ","))"
    let underWay = worker.told("edits").last?.first ?? before
    #expect([edited, underWay].contains(state), when)
    edited = state
  }

  private func names(_ album: Album) async throws -> [String] {
    let list = try await album.assets()
    return try await list.assets(in: 0..<list.count).map(\.fileName)
  }

  // MARK: Thumbnails

  /// What the picture with a number shows.
  private static func grey(_ number: Int) -> Int { 20 + number * 37 % 200 }

  private static func shows(_ picture: PixelBuffer, _ number: Int) throws -> Bool {
    let shown = try picture.converted(to: .grey)
    let found = shown.bytes()[0]
    return abs(Int(found) - grey(number)) <= 3
  }

  /// Every thumbnail in the cache is whole and shows what it says that it shows.
  private func checkCache(_ when: Comment) throws {
    var found: [FilePath: Int] = [:]
    for path in files(in: base.appending("thumbnails")) where !path.name.isHidden {
      let data = try Data(contentsOf: path.url)
      let texts = try #require(PNGText.read(Array(data)), "\(path) isn't whole: \(when)").texts
      let uri = try #require(texts["Thumb::URI"].flatMap { URL(string: $0) })
      #expect(path.name == FilePath(md5(FilePath(uri).uri) + ".png"), when)
      let number = try #require(texts["Thumb::MTime"].flatMap { Int($0) }) - 1_600_000_000
      #expect(try Self.shows(PixelBuffer(decoding: data), number), when)
      found[FilePath(uri)] = number
    }
    for (path, number) in thumbnails { #expect(found[path] ?? -1 >= number, when) }
  }

  /// Thumbnails are of the pictures as they are now.
  private func checkThumbnails(of all: [Asset], _ library: PhotoLibrary, _ when: Comment)
    async throws
  {
    for asset in all where asset.dimensions?.width == 320 {
      let number = Int(asset.modificationDate.timeIntervalSince1970) - 1_600_000_000
      let picture = try await library.thumbnail(of: asset, size: .normal)
      #expect(try Self.shows(picture, number), when)
    }
  }
}

extension Optional {
  fileprivate func asyncMap<R>(_ body: (Wrapped) async throws -> R) async rethrows -> R? {
    guard let value = self else { return nil }
    return try await body(value)
  }
}
