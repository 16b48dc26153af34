import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// The one writer of a process: everybody has a turn.
@Suite struct LibraryWriterTests {
  private static let photo = PhotoResource(.data(LibraryFolder.jpeg(seed: 100_000)))

  @Test(
    "During a scan a photo is saved, put into an album and made a favourite, and changes are told")
  func turnsDuringAScan() async throws {
    let rig = try await LibraryRig()
    for number in 0..<450 { try rig.folder.write("\(number).jpg", seed: number) }
    let library = rig.library
    let changes = library.changes
    let album = try await library.makeAlbum(named: "Best")
    let (told, inTime) = (Flag(), Flag())
    let listener = Task {
      for await change in changes where !change.inserted.isEmpty { told.set() }
    }
    defer { listener.cancel() }
    _ = try library.core.scan(
      .everything,
      progress: { progress in
        guard progress.filesRead == 200 else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
          let asset = try await library.save([Self.photo], to: album)
          try await library.setFavorite(true, [asset])
          while !told.isSet { try await Task.sleep(for: .milliseconds(1)) }
          done.signal()
        }
        if done.wait(timeout: .now() + 60) == .success { inTime.set() }
      })
    #expect(inTime.isSet)
    #expect(try await rig.all().count == 451)
    #expect(try await album.assets().count == 1)
    #expect(try await library.album(.favorites).assets().count == 1)
  }

  @Test(
    "A save reads no folder, so that it takes as long in a large one", arguments: [false, true])
  func savesReadNoFolder(isDCF: Bool) async throws {
    let rig = try await LibraryRig()
    let naming: PhotoNaming = isDCF ? .dcf() : .dateTime
    func save(_ seed: Int) async throws -> Asset {
      try await rig.library.save(
        [PhotoResource(.data(LibraryFolder.jpeg(seed: seed)))], naming: naming)
    }
    let first = try await save(1)
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { close(watch) }
    for folder in [rig.root, rig.root.appending("DCIM"), first.path.folder] where folder.exists {
      // Reading a folder, unlike opening it, is access.
      let code = unsafe folder.withCString {
        unsafe inotify_add_watch(watch, $0, UInt32(IN_ACCESS))
      }
      #expect(code >= 0)
    }
    for seed in 2...20 { _ = try await save(seed) }
    #expect(readsOfFolders(watch) == 0)
    #expect(try await rig.all().count == 20)
    _ = try rig.root.names()
    #expect(readsOfFolders(watch) > 0, "The watch sees nothing.")
  }

  /// How often the watched folders themselves were read; that files in them were is told, too.
  private func readsOfFolders(_ watch: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = max(unsafe Glibc.read(watch, &bytes, bytes.count), 0)
    var (offset, found) = (0, 0)
    while offset + 16 <= count {
      let mask = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      let length = bytes[offset + 12..<offset + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      if mask & UInt32(IN_ISDIR) != 0, length == 0 { found += 1 }
      offset += 16 + length
    }
    return found
  }

  @Test("Names are never shared with photos of other programs, whatever their kind")
  func numbersOfOthers() async throws {
    let rig = try await LibraryRig()
    let first = try await rig.library.save([Self.photo])
    // Another program, with an ending of another kind.
    for number in 2...40 {
      try LibraryFolder(first.path.folder).write(
        String(format: "VWF_%04d.ARW", number), seed: number)
    }
    let second = try await rig.library.save([PhotoResource(.data(LibraryFolder.jpeg(seed: 7)))])
    #expect(second.fileName == "VWF_0041.JPG")
  }

  @Test("The identifier of a photo is known before it is saved, and the same in a new index")
  func placeholders() async throws {
    let rig = try await LibraryRig()
    let placeholder = try await rig.library.prepare([Self.photo])
    let twin = try await rig.library.prepare([Self.photo])
    #expect(placeholder.id != twin.id)
    #expect(try await rig.library.update().filesFound == 0)
    let assets = try await rig.library.save([placeholder, twin])
    #expect(assets.map(\.id) == [placeholder.id, twin.id])
    await #expect { try await rig.library.save([placeholder]) } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    try rig.deleteIndex()
    let library = try await rig.reopened()
    try await library.update()
    #expect(Set(try await library.everything().map(\.id)) == [placeholder.id, twin.id])
  }

  @Test("A photo that is prepared and not saved leaves nothing")
  func unsavedPlaceholder() async throws {
    let rig = try await LibraryRig()
    do { _ = try await rig.library.prepare([Self.photo]) }
    let files = FileManager.default.enumerator(atPath: rig.root.description)?.allObjects ?? []
    #expect(files.compactMap { $0 as? String }.filter { !$0.hasSuffix("DCIM") } == [])
  }

  @Test("Several photos are saved all or none")
  func allOrNone() async throws {
    let rig = try await LibraryRig()
    let sources = [rig.base.appending("a.jpg"), rig.base.appending("b.jpg")]
    for (seed, source) in sources.enumerated() {
      try LibraryFolder.jpeg(seed: seed).write(to: source.url)
    }
    var placeholders: [AssetPlaceholder] = []
    for source in sources {
      placeholders.append(try await rig.library.prepare([PhotoResource(.move(source.url))]))
    }
    // It can't be moved any more: the first one goes back.
    sources[1].unlink()
    await #expect { try await rig.library.save(placeholders) } throws: { error in
      if case PhotoLibraryError.cannotWrite(_, ENOENT) = error { true } else { false }
    }
    #expect(sources[0].exists)
    try await rig.library.update()
    #expect(try await rig.all().isEmpty)
    // Another try saves both.
    try LibraryFolder.jpeg(seed: 1).write(to: sources[1].url)
    #expect(try await rig.library.save(placeholders).count == 2)
    #expect(!sources[0].exists && !sources[1].exists)
  }

  @Test("A list hears of changes as long as somebody listens, also without the library")
  func listOutlivesLibrary() async throws {
    let rig = try await LibraryRig()
    func list() async throws -> AssetList {
      try await rig.reopened(watches: true).album(.all).assets()
    }
    let lone = try await list()
    let heard = Task {
      for try await change in lone.changes where !change.insertions.isEmpty { return true }
      return false
    }
    try rig.folder.write("a.jpg", seed: 1)
    #expect(try await heard.value)
  }

  @Test("What a library tells of ends when nobody uses it any more")
  func changesEnd() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let changes = try await rig.reopened(watches: true).changes
    for await _ in changes {}
  }

  @Test("The first scan can be waited for", arguments: [false, true])
  func firstScan(watches: Bool) async throws {
    let rig = try await LibraryRig()
    for number in 0..<30 {
      try rig.folder.write("\(number).jpg", seed: number)
      // Nobody is writing them any more.
      rig.root.appending("\(number).jpg").setModified(1_700_000_000, nanoseconds: 0)
    }
    let library = try await rig.reopened(watches: watches)
    try await library.waitForFirstScan()
    #expect(try await library.everything().count == 30)
    try await library.waitForFirstScan()
  }
}
