import Foundation
import Testing

@testable import ViewfinderLibrary

/// Folders that can't be reached keep their photos.
@Suite struct AbsentFolderTests {
  @Test("A root that isn't there leaves the others usable, and is told with its photos")
  func missingRoot() async throws {
    let folder = try ScratchFolder()
    let roots = ["here", "away"].map { folder.path.appending($0) }
    for (seed, root) in roots.enumerated() { try LibraryFolder(root).write("a.jpg", seed: seed) }
    var configuration = PhotoLibrary.Configuration(roots: roots.map(\.url))
    configuration.indexFolder = folder.path.appending("index").url
    configuration.watchesFolders = false
    let ids = try await {
      let library = try await PhotoLibrary.open(configuration)
      try await library.update()
      return Set(try await library.everything().map(\.id))
    }()
    #expect(roots[1].moveToFree(folder.path.appending("elsewhere")) == 0)
    let library = try await PhotoLibrary.open(configuration)
    let changes = library.changes
    let report = try await library.update()
    #expect(report.problems == [.cannotRead(path: roots[1].description, code: ENOENT)])
    let assets = try await library.everything()
    #expect(Set(assets.map(\.id)) == ids)
    #expect(assets.map(\.isAbsent) == assets.map { $0.path.isInside(roots[1]) })
    #expect(assets.compactMap(\.error) == [.absent(path: roots[1].appending("a.jpg").description)])
    let absent = try await library.absentFolders()
    #expect(absent.map(\.url) == [roots[1].url] && absent.map(\.assetCount) == [1])
    #expect(
      try await library.save([PhotoResource(.data(LibraryFolder.jpeg(seed: 9)))]).isAbsent == false)
    for await change in changes where !change.updated.isEmpty {
      #expect(change.removed.isEmpty)
      break
    }

    #expect(folder.path.appending("elsewhere").moveToFree(roots[1]) == 0)
    try await library.update()
    #expect(try await library.everything().allSatisfy { !$0.isAbsent })
    #expect(try await library.absentFolders().isEmpty)
    #expect(ids.isSubset(of: try await library.everything().map(\.id)))
  }

  @Test("No root at all is an error")
  func noRoot() async throws {
    let folder = try ScratchFolder()
    let configuration = PhotoLibrary.Configuration(roots: [folder.path.appending("none").url])
    await #expect { try await PhotoLibrary.open(configuration) } throws: { error in
      if case PhotoLibraryError.notAuthorized = error { true } else { false }
    }
  }

  @Test("A folder that won't come back can be forgotten, and is what it was when it does")
  func forgetting() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let id = try await rig.asset("a.jpg").id
    let away = rig.base.appending("away")
    #expect(rig.root.moveToFree(away) == 0)
    try await rig.library.update()
    let absent = try #require(try await rig.library.absentFolders().first)
    try await rig.library.forget(absent)
    #expect(try await rig.all().isEmpty)
    await #expect { try await rig.library.forget(absent) } throws: { error in
      if case PhotoLibraryError.notFound = error { true } else { false }
    }
    #expect(away.moveToFree(rig.root) == 0)
    try await rig.library.update()
    #expect(try await rig.all().map(\.id) == [id])
  }

  @Test(
    "Photos on a disk within a root stay when it is unmounted, and are there again with it, nothing of which is read",
    .enabled(if: TestDisk.canMount, "needs to mount a disk as root"), arguments: [false, true])
  func disk(removesFolder: Bool) async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let (disk, aside) = (rig.root.appending("Disk"), rig.base.appending("aside"))
    try LibraryFolder(aside).write("x", seed: 0)
    try disk.makeFolder()
    try Self.mount("tmpfs", disk)
    defer { Self.unmount(disk) }
    try LibraryFolder(disk).write("deep/b.jpg", seed: 2)
    // Unmounted here, it is still there in another place.
    try Self.bind(disk, aside)
    defer { Self.unmount(aside) }
    try await Task.sleep(for: .milliseconds(60))
    try await rig.library.update()
    let ids = Set(try await rig.all().map(\.id))
    #expect(ids.count == 2)

    Self.unmount(disk)
    if removesFolder { disk.removeFolder() }
    let report = try await rig.library.update()
    #expect(report.problems == [.cannotRead(path: disk.description, code: ENODEV)])
    #expect(Set(try await rig.all().map(\.id)) == ids)
    #expect(try await rig.all().filter(\.isAbsent).map(\.fileName) == ["b.jpg"])
    let verified = try await rig.library.verify()
    #expect(verified.filesUnread == 1 && verified.filesRead == 1 && !verified.isHealthy)

    try disk.makeFolder()
    try Self.bind(aside, disk)
    try await rig.library.update()
    #expect(try await rig.all().allSatisfy { !$0.isAbsent })
    #expect(Set(try await rig.all().map(\.id)) == ids)
    #expect(try await rig.library.verify().isHealthy)
  }

  @Test(
    "A disk that is mounted in a folder of the library is noticed by itself",
    .enabled(if: TestDisk.canMount, "needs to mount a disk as root"))
  func mounting() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("Disk/under.jpg", seed: 1) }
    let disk = rig.root.appending("Disk")
    let other = rig.base.appending("other")
    try LibraryFolder(other).write("b.jpg", seed: 2)
    #expect(try await eventually { try await rig.all().count == 1 })
    try Self.bind(other, disk)
    defer { Self.unmount(disk) }
    #expect(try await eventually { try await rig.all().map(\.fileName) == ["b.jpg"] })
    try LibraryFolder(disk).write("c.jpg", seed: 3)
    #expect(try await eventually { try await rig.all().count == 2 })
    // Another one, which covers it.
    try Self.mount("tmpfs", disk)
    defer { Self.unmount(disk) }
    #expect(try await eventually { try await rig.all().allSatisfy(\.isAbsent) })
  }

  @Test(
    "A disk is noticed that comes while folders settle after another one came elsewhere",
    .enabled(if: TestDisk.canMount, "needs to mount a disk as root"))
  func mountingTwo() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("a.jpg", seed: 1) }
    let (disk, elsewhere) = (rig.root.appending("Disk"), rig.base.appending("elsewhere"))
    try LibraryFolder(disk).write("under.jpg", seed: 1)
    try LibraryFolder(elsewhere).write("b.jpg", seed: 2)
    #expect(try await eventually { try await rig.all().count == 2 })
    // Until it has nothing left to scan.
    try await Task.sleep(for: .seconds(1))
    try Self.bind(elsewhere, elsewhere)
    defer { Self.unmount(elsewhere) }
    try await Task.sleep(for: .milliseconds(20))
    try Self.bind(elsewhere, disk)
    defer { Self.unmount(disk) }
    #expect(
      try await eventually { Set(try await rig.all().map(\.fileName)) == ["a.jpg", "b.jpg"] })
  }

  private static func mount(_ kind: String, _ folder: FilePath) throws {
    try #require(unsafe Glibc.mount("x", folder.description, kind, 0, "size=1m") == 0)
  }

  private static func bind(_ folder: FilePath, _ place: FilePath) throws {
    let bind: UInt = 4096
    try #require(unsafe Glibc.mount(folder.description, place.description, nil, bind, nil) == 0)
  }

  private static func unmount(_ folder: FilePath) {
    let detach: Int32 = 2
    _ = unsafe umount2(folder.description, detach)
  }
}
