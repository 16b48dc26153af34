import Foundation
import GRDB
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct MaintenanceTests {
  // MARK: Rebuilding

  @Test("An index that is made anew has the same assets, albums and favourites")
  func rebuilding() async throws {
    let rig = try await LibraryRig { folder in
      for number in 1...5 { try folder.write("\(number).jpg", seed: number) }
    }
    // Of those in albums the library knows what can't be told from the files.
    try rig.folder.write("1.jpg", seed: 9)
    try await rig.library.update()
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add([rig.asset("3.jpg"), rig.asset("1.jpg")])
    try await rig.library.setFavorite(true, [rig.asset("2.jpg")])
    let before = try await rig.all()

    let report = try await PhotoLibrary.rebuild(rig.configuration)
    #expect(report.filesRead == 5)
    #expect(Set(try await rig.all().map(\.id)) == Set(before.map(\.id)))
    let names = try await rig.library.album(at: album.url).assets().assets(in: 0..<9)
    #expect(names.map(\.fileName) == ["3.jpg", "1.jpg"])
    #expect(try await rig.asset("2.jpg").isFavorite)
  }

  @Test(
    "Whoever has the library open hears that everything has changed when its index is made anew")
  func rebuildingIsTold() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let list = try await rig.library.album(.all).assets()
    let changes = rig.library.changes
    try await PhotoLibrary.rebuild(rig.configuration)
    try await rig.library.update()
    for await change in changes {
      #expect(change.isEverything)
      break
    }
    // A list that is being shown never shows something else in the same place.
    #expect(try await list.assets(in: 0..<1).map(\.fileName) == ["a.jpg"])
    #expect(try await rig.all().map(\.fileName) == ["a.jpg"])
  }

  /// A library of 50 photos whose index is damaged behind its first pages.
  private func damaged(_ rig: LibraryRig) async throws -> PhotoLibrary.Configuration {
    let copy = try await rig.closedCopy()
    let path = try #require(IndexFile.newest(in: LibraryPlaces(copy).index)).path
    var bytes = try Data(contentsOf: path.url)
    for place in bytes.indices.dropFirst(3 * 4096) { bytes[place] = UInt8(place % 251) }
    try bytes.write(to: path.url)
    return copy
  }

  private func rig(of count: Int) async throws -> LibraryRig {
    try await LibraryRig { folder in
      for number in 1...count { try folder.write("\(number).jpg", seed: number) }
    }
  }

  @Test("An index with damaged pages is made anew, at the latest when the library is opened again")
  func damageIsRepaired() async throws {
    let rig = try await rig(of: 50)
    let copy = try await damaged(rig)
    // Whoever meets the damage is told so.
    if let library = try? await PhotoLibrary.open(copy) { _ = try? await library.update() }
    let library = try await PhotoLibrary.open(copy)
    try await library.update()
    #expect(try await library.everything().count == 50)
    #expect(try await library.verify().indexProblem == nil)
  }

  @Test("An index with damaged pages is made anew on request")
  func damagedIndex() async throws {
    let rig = try await rig(of: 50)
    let copy = try await damaged(rig)
    #expect(try await PhotoLibrary.rebuild(copy).filesRead == 50)
    let library = try await PhotoLibrary.open(copy)
    #expect(try await library.everything().count == 50)
    #expect(try await library.verify().indexProblem == nil)
  }

  @Test(
    "Values that can't be in the index end no program, and it is made anew",
    arguments: [
      "asset = x'01'", "id = 'text' || row", "content = 7.5", "size = -1", "width = -1, height = 9",
      "width = 9e18, height = 9e18", "previewStart = -9, previewEnd = 9", "orientation = 99",
      "localSeconds = 9223372036854775807", "modified = 9223372036854775807",
      "latitude = 'text', longitude = 1e300", "name = 'a' || row", "stem = ''", "role = 99",
      "folder = 99",
    ])
  func nonsense(values: String) async throws {
    let rig = try await rig(of: 3)
    try rig.library.core.index.writeNow { try $0.execute(sql: "UPDATE file SET \(values)") }
    for asset in (try? await rig.all()) ?? [] {
      _ = asset.captureDate?.instant
      _ = asset.dimensions?.swapped.area
      _ = try? await asset.image(fitting: Dimensions(width: 9, height: 9))
    }
    _ = try? await rig.library.update()
    let library = try await rig.reopened()
    try await library.update()
    #expect(try await library.everything().allSatisfy { $0.error == nil })
    #expect(try await library.verify().indexProblem == nil)
  }

  // MARK: Verifying

  @Test("A library in which all is well has nothing to tell")
  func allIsWell() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let report = try await rig.library.verify()
    #expect(report.filesRead == 1)
    #expect(!report.hasDamage && report.isUpToDate)
    #expect(report.problems.isEmpty && report.incompleteAlbums.isEmpty)
  }

  @Test("Files that are cut short or of no kind are damaged")
  func damagedFiles() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("whole.jpg", seed: 1)
      try folder.write("cut.jpg", Self.photo.prefix(Self.photo.count / 2))
      try folder.write("none.png", Data("text".utf8))
    }
    let report = try await rig.library.verify()
    #expect(Set(report.damagedFiles.map { FilePath($0.fileURL).name }) == ["cut.jpg", "none.png"])
    #expect(report.filesRead == 3)
    #expect(report.hasDamage)
  }

  @Test("Files that came, changed and went are told of and left for the next update")
  func outdatedIndex() async throws {
    let rig = try await LibraryRig { folder in
      for name in ["stays.jpg", "changes.jpg", "goes.jpg"] {
        try folder.write(name, seed: name.count)
      }
    }
    try rig.folder.write("new.jpg", seed: 7)
    try rig.folder.write("changes.jpg", seed: 8)
    try rig.folder.delete("goes.jpg")
    for _ in 0..<2 {
      let report = try await rig.library.verify()
      #expect(report.newFiles.map { FilePath($0).name } == ["new.jpg"])
      #expect(report.changedFiles.map { FilePath($0).name } == ["changes.jpg"])
      #expect(report.vanishedFiles.map { FilePath($0).name } == ["goes.jpg"])
      #expect(!report.hasDamage && !report.isUpToDate)
    }
  }

  @Test("Albums that lost photos, or their own file's content, are named")
  func albums() async throws {
    let rig = try await LibraryRig { folder in
      for number in 1...3 { try folder.write("\(number).jpg", seed: number) }
      try folder.write(".viewfinder/albums/broken.json", Data("{".utf8))
    }
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add(rig.all())
    try rig.folder.delete("2.jpg")
    try await rig.library.update()
    let report = try await rig.library.verify()
    #expect(report.incompleteAlbums.map(\.missingCount) == [1])
    #expect(report.incompleteAlbums.first?.album.url == album.url)
    #expect(report.damagedAlbums.map { FilePath($0.fileURL).name } == ["broken.json"])
    #expect(report.hasDamage)
  }

  @Test("Thumbnails of earlier contents are found")
  func outdatedThumbnails() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    try rig.age("a.jpg", 100)
    try await rig.library.update()
    let asset = try await rig.asset("a.jpg")
    #expect(await rig.library.thumbnailStatus(of: asset) == .missing)
    _ = try await rig.library.thumbnail(of: asset)
    #expect(await rig.library.thumbnailStatus(of: asset) == .ready)
    #expect(await rig.library.thumbnailStatus(of: asset, size: .normal) == .missing)
    #expect(try await rig.library.verify().outdatedThumbnails == [])
    try rig.age("a.jpg", 50)
    #expect(try await rig.library.verify().outdatedThumbnails == [asset.fileURL])
    try await rig.library.update()
    #expect(await rig.library.thumbnailStatus(of: try rig.asset("a.jpg")) == .outdated)
  }

  private static let photo =
    (try? PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 256, height: 256),
      data: Data((0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })
    ).jpegData()) ?? Data()
}

extension LibraryRig {
  fileprivate var configuration: PhotoLibrary.Configuration {
    var configuration = PhotoLibrary.Configuration(roots: [root.url])
    configuration.indexFolder = base.appending("index").url
    configuration.watchesFolders = false
    return configuration
  }

  /// A library over the same folders with an index of its own, which nobody has open.
  fileprivate func closedCopy() async throws -> PhotoLibrary.Configuration {
    var copy = configuration
    copy.indexFolder = base.appending("copy").url
    try await PhotoLibrary.open(copy).update()
    // SQLite's log goes when the last of the library's threads lets go of it.
    let index = try #require(IndexFile.newest(in: LibraryPlaces(copy).index)).path
    let log = FilePath(bytes: index.bytes + Array("-wal".utf8))
    for _ in 0..<1000 where FileStatus(of: log) != nil {
      try await Task.sleep(for: .milliseconds(10))
    }
    return copy
  }

  /// Sets a file's time to some seconds ago.
  fileprivate func age(_ name: String, _ seconds: Int) throws {
    let path = root.appending(name)
    let time = timespec(tv_sec: Int(Date().timeIntervalSince1970) - seconds, tv_nsec: 0)
    _ = unsafe path.withCString { unsafe utimensat(AT_FDCWD, $0, [time, time], 0) }
  }
}
