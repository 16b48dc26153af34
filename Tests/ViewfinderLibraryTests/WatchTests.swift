import Foundation
import Testing

@testable import ViewfinderLibrary

/// What a library that is open hears of other programs.
@Suite struct WatchTests {
  @Test func filesThatComeMoveChangeAndGoAreNoticed() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("a.jpg", seed: 1) }
    #expect(try await eventually { try await rig.all().count == 1 })
    let id = try await rig.asset("a.jpg").id
    try rig.folder.write("new/deep/b.jpg", seed: 2)
    #expect(try await eventually { try await rig.all().count == 2 })
    try rig.folder.write("new/deep/c.jpg", seed: 3)
    #expect(try await eventually { try await rig.all().count == 3 })
    try rig.folder.move("a.jpg", to: "new/a.jpg")
    #expect(try await eventually { (try? await rig.asset("new/a.jpg").id) == id })
    try rig.folder.move("new", to: "newer")
    #expect(try await eventually { (try? await rig.asset("newer/a.jpg").id) == id })
    try rig.folder.write("newer/deep/d.jpg", seed: 4)
    #expect(try await eventually { try await rig.all().count == 4 })
    try rig.folder.delete("newer")
    #expect(try await eventually { try await rig.all().isEmpty })
  }

  @Test func aRootThatIsDeletedAndMadeAnewIsWatchedAgain() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("a.jpg", seed: 1) }
    #expect(try await eventually { try await rig.all().count == 1 })
    try FileManager.default.removeItem(at: rig.root.url)
    try rig.folder.write("b.jpg", seed: 2)
    #expect(try await eventually { try await rig.all().map(\.fileName) == ["b.jpg"] })
    // The next one is told by the new watch.
    try rig.folder.write("deep/c.jpg", seed: 3)
    #expect(try await eventually { try await rig.all().count == 2 })
  }

  @Test(.enabled(if: TestDisk.canMount, "needs to mount a disk as root"))
  func aDiskThatIsMountedOverARootIsNoticedAndWatched() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("a.jpg", seed: 1) }
    #expect(try await eventually { try await rig.all().count == 1 })
    let code = unsafe mount("x", rig.root.description, "tmpfs", 0, "size=1m")
    try #require(code == 0)
    let detach: Int32 = 2
    defer { unsafe umount2(rig.root.description, detach) }
    try rig.folder.write("b.jpg", seed: 2)
    #expect(try await eventually { try await rig.all().map(\.fileName) == ["b.jpg"] })
    try rig.folder.write("c.jpg", seed: 3)
    #expect(try await eventually { try await rig.all().count == 2 })
  }

  @Test func aMoveIsOneChangeNotTwo() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("x/a.jpg", seed: 1) }
    #expect(try await eventually { try await rig.all().count == 1 })
    let id = try await rig.asset("x/a.jpg").id
    let changes = rig.library.changes
    try rig.folder.move("x/a.jpg", to: "y/b.jpg")
    var change: LibraryChange?
    for await next in changes {
      // The news of the first scan may still be on its way.
      if next.inserted == [id], next.moved.isEmpty, next.removed.isEmpty { continue }
      change = next
      break
    }
    #expect(change?.moved == [id])
    #expect(change?.inserted.isEmpty == true && change?.removed.isEmpty == true)
  }

  @Test func whoLagsFarBehindIsToldToFetchAnew() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let album = try await rig.library.makeAlbum(named: "Best")
    let asset = try await rig.asset("a.jpg")
    let changes = rig.library.changes
    for _ in 0..<140 {
      try await album.add([asset])
      try await album.remove([asset])
    }
    let last = try await rig.library.makeAlbum(named: "Last")
    var read: [LibraryChange] = []
    for await change in changes {
      read.append(change)
      if change.insertedAlbums.contains(last.id) { break }
    }
    #expect(read.count <= 256)
    #expect(read.contains { $0.isEverything })
  }

  @Test func anotherProcessesFindsAndAlbumsAreTold() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let other = try await rig.reopened(watches: true)
    #expect(try await eventually { try await other.everything().count == 1 })
    let changes = other.changes
    let album = try await rig.library.makeAlbum(named: "Best")
    for await change in changes where change.insertedAlbums.contains(album.id) { break }
    #expect(try await other.album(at: album.url).name == "Best")
    try await album.add(try await rig.all())
    #expect(try await eventually { try await other.album(at: album.url).assets().count == 1 })
  }

  @Test func foldersBeyondTheWatchesAreLookedAtNowAndThen() async throws {
    let base = FilePath(NSTemporaryDirectory()).appending("viewfinder-watch-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base.url) }
    let folder = LibraryFolder(base.appending("Pictures"))
    for number in 0..<5 { try folder.write("\(number)/a.jpg", seed: number) }
    var configuration = PhotoLibrary.Configuration(roots: [folder.path.url])
    configuration.indexFolder = base.appending("index").url
    configuration.watchLimit = 2
    configuration.rescanInterval = 0.1
    let library = try await PhotoLibrary.open(configuration)
    #expect(try await eventually { try await library.everything().count == 5 })
    for number in 0..<5 { try folder.write("\(number)/b.jpg", seed: number + 10) }
    #expect(try await eventually { try await library.everything().count == 10 })
  }

  @Test func anIndexThatCannotBeWrittenIsTriedAgainLessAndLessOften() {
    #expect(
      (1...9).map { LibraryMonitor.pause(after: $0) / 1000 } == [1, 2, 4, 8, 16, 32, 64, 64, 64])
  }

  @Test(arguments: [1, 2])
  func afterAThousandOperationsOfOthersTheLibraryIsAsAfterAFreshScan(seed: UInt64) async throws {
    let rig = try await LibraryRig(watches: true)
    var model = FolderModel(rig.folder, seed: seed)
    for _ in 0..<1000 { try model.step() }
    let fresh = try await LibraryRig.fresh(of: rig.base)
    let wanted = Set(try await fresh.everything().map(\.summary))
    #expect(wanted.count == model.files.count)
    _ = try await eventually { Set(try await rig.all().map(\.summary)) == wanted }
    #expect(wanted.symmetricDifference(try await rig.all().map(\.summary)) == [])
    // Files that kept their content kept their identifiers.
    for (name, known) in model.files {
      let asset = try await rig.asset(name)
      if let id = known.id { #expect(asset.id == id, "\(name)") }
    }
  }
}

/// A person with a file manager, who does something at random.
private struct FolderModel {
  struct Known {
    var seed: Int
    var id: UUID?
  }

  let folder: LibraryFolder
  var files: [String: Known] = [:]
  private var random: LinearGenerator
  private var next = 0

  init(_ folder: LibraryFolder, seed: UInt64) {
    self.folder = folder
    random = LinearGenerator(state: seed)
  }

  mutating func step() throws {
    let name = files.keys.sorted().randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try write(freshName())
    case 4..<7:
      guard let name else { return }
      let target = freshName()
      try folder.move(name, to: target)
      files[target] = files.removeValue(forKey: name)
    case 7:
      guard let name else { return }
      try write(name)
    case 8:
      guard let name else { return }
      try folder.delete(name)
      files[name] = nil
    default:
      guard let name, let other = files.keys.sorted().randomElement(using: &random), name != other
      else { return }
      try folder.move(name, to: other)
      // Where the library hadn't seen the first one, this is how editors save: the second one was edited.
      if let known = files.removeValue(forKey: name) {
        files[other] = Known(seed: known.seed, id: nil)
      }
    }
  }

  private mutating func write(_ name: String) throws {
    next += 1
    try folder.write(name, seed: next)
    // The first file with its content, so that its identifier follows from that.
    let content = ContentID(
      hashing: [
        unsafe withUnsafeBytes(of: UInt64(LibraryFolder.jpeg(seed: next).count).littleEndian) {
          unsafe [UInt8]($0)
        }, [UInt8](LibraryFolder.jpeg(seed: next)), [],
      ])
    // Whether one that was written to and moved keeps its identifier depends on what was noticed in between.
    files[name] = Known(seed: next, id: files[name] == nil ? content.fileID(copy: 0) : nil)
  }

  private mutating func freshName() -> String {
    next += 1
    return
      "\(Int.random(in: 0..<4, using: &random))/\(Int.random(in: 0..<2, using: &random))/\(next).jpg"
  }
}

/// Random numbers that are the same in each run.
struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 11 ^ state << 17
  }
}
