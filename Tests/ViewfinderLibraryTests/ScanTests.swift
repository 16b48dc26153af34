import Foundation
import GRDB
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// What the library makes of files that other programs add, move, replace and delete.
@Suite struct ScanTests {
  @Test func filesAreFoundInAllFoldersAndToldByContent() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("2024/Summer/b.png", seed: 2)
      try folder.write("2024/notes.txt", Data("no picture".utf8))
      try folder.write(".hidden/c.jpg", seed: 3)
      try folder.write("noext", seed: 4)
    }
    let assets = try await rig.all()
    #expect(Set(assets.map(\.fileName)) == ["a.jpg", "b.png", "noext"])
    #expect(assets.allSatisfy { $0.contentType == .jpeg })
    #expect(assets.allSatisfy { $0.dimensions == Dimensions(width: 16, height: 8) })
  }

  @Test func whatOtherProgramsLeaveIsNotListed() async throws {
    let leftovers = [
      "@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg", "$RECYCLE.BIN/b.jpg", ".thumbnails/c.jpg",
      ".Trash-1000/files/d.jpg", "#recycle/e.jpg", "lost+found/f.jpg", "Blog/.nomedia",
      "Blog/g.jpg", "Blog/deep/h.jpg", "i.jpg.part", "j.jpg.crdownload", "k.jpg.tmp", "l.jpg.bak",
      "m.jpg~", "n.jpg_original", "MVI_0001.THM", "GX010002.LRV",
    ]
    let photos = [
      "a.jpg", "MVI_0001.AVI", "gx010002.MP4", "LONE.THM", "part.jpg", "a_original.jpg",
      "recycle/o.jpg",
    ]
    let rig = try await LibraryRig { folder in
      for (seed, name) in (leftovers + photos).enumerated() {
        try folder.write(name, seed: seed + 1)
      }
      // Who names a folder as a root wants what is in it.
      try folder.write(".nomedia", Data())
    }
    let listed = try await rig.all().map(\.fileName)
    #expect(Set(listed) == Set(photos.map { $0.split(separator: "/").last.map(String.init)! }))
    #expect(listed.count == photos.count)
  }

  @Test func aFolderThatIsMarkedAsNoMediaGoesAndComesBackAsItWas() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("kept.jpg", seed: 1)
      try folder.write("Chat/a.jpg", seed: 2)
      try folder.write("Chat/Sent/b.jpg", seed: 3)
    }
    let before = Set(try await rig.all().map(\.id))
    try rig.folder.write("Chat/.nomedia", Data())
    try await rig.library.update()
    #expect(try await rig.all().map(\.fileName) == ["kept.jpg"])
    // A rescan of a folder within finds nothing either.
    try rig.folder.write("Chat/Sent/c.jpg", seed: 4)
    try await rig.library.update()
    #expect(try await rig.all().map(\.fileName) == ["kept.jpg"])
    try rig.folder.delete("Chat/.nomedia")
    try rig.folder.delete("Chat/Sent/c.jpg")
    try await rig.library.update()
    #expect(Set(try await rig.all().map(\.id)) == before)
  }

  @Test func aLongListComesWholeInOrderAndWithWhatOtherFilesSay() async throws {
    let count = 1700
    let rig = try await LibraryRig { try $0.write("0.jpg", seed: 1) }
    // Copies in the index alone: a raw file beside each picture knows the camera.
    try rig.library.core.index.writeNow { db in
      let columns = try db.columns(in: "file").map(\.name).filter { $0 != "row" }
      func copy(_ changes: [String: String]) throws {
        let values = columns.map { changes[$0] ?? $0 }.joined(separator: ", ")
        try db.execute(
          sql: """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO file (\(columns.joined(separator: ", ")))
            SELECT \(values) FROM (SELECT * FROM file WHERE row = 1), number
            """)
      }
      let asset = "CAST(printf('%016d', n) AS BLOB)"
      try copy([
        "id": asset, "asset": asset, "name": "CAST(n || '.jpg' AS BLOB)", "stem": "CAST(n AS BLOB)",
      ])
      try copy([
        "id": "CAST(printf('r%015d', n) AS BLOB)", "asset": asset, "isDefault": "0",
        "name": "CAST(n || '.raw' AS BLOB)", "stem": "CAST(n AS BLOB)", "camera": "'Camera ' || n",
      ])
    }
    let list = try await rig.library.album(.all).assets(order: .oldestFirst)
    #expect(list.count == count + 1)
    let assets = try await list.assets(in: 0..<list.count)
    #expect(assets.map(\.fileName) == (0...count).map { "\($0).jpg" })
    #expect(assets.dropFirst().map(\.camera) == (1...count).map { "Camera \($0)" })
    let found = try await rig.library.assets(ids: assets.reversed().map(\.id))
    #expect(found.map(\.id) == assets.reversed().map(\.id))
  }

  @Test func aFileThatCannotBeReadIsAnItemWithAnError() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("broken.jpg", Data("not a picture at all".utf8))
      try folder.write("empty.png", Data())
      try folder.write("cut.jpg", LibraryFolder.jpeg(seed: 1).prefix(30))
    }
    let assets = try await rig.all()
    #expect(assets.count == 3)
    for asset in assets {
      #expect(asset.error != nil, "\(asset.fileName)")
      await #expect { try await asset.fullResolutionImage() } throws: { error in
        switch error as? PhotoLibraryError {
        case .damaged: asset.fileName == "cut.jpg"
        case .unsupported: asset.fileName != "cut.jpg"
        default: false
        }
      }
    }
  }

  @Test func aRescanWithoutChangesReadsNoFile() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<20 { try folder.write("\(number % 3)/\(number).jpg", seed: number) }
      try folder.write("notes.txt", Data("no picture".utf8))
    }
    // Times within one tick of the clock can't be trusted: those files are looked at twice.
    try await Task.sleep(for: .milliseconds(60))
    try await rig.library.update()
    let report = try await rig.library.update()
    #expect(report.filesRead == 0)
    #expect(report.filesFound == 21)
  }

  @Test(arguments: ["b.jpg", "other/a.jpg", "other/deep/b.jpg"])
  func anAssetKeepsItsIdentifierWhereverItGoes(target: String) async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let id = try await rig.asset("a.jpg").id
    try rig.folder.move("a.jpg", to: target)
    try await rig.library.update()
    #expect(try await rig.asset(target).id == id)
    #expect(try await rig.all().count == 1)
  }

  @Test func aFolderThatIsRenamedKeepsItsAssetsAndNoneIsRead() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<10 { try folder.write("old/in/\(number).jpg", seed: number) }
    }
    try await Task.sleep(for: .milliseconds(60))
    try await rig.library.update()
    let ids = Set(try await rig.all().map(\.id))
    try rig.folder.move("old", to: "new")
    let report = try await rig.library.update()
    #expect(report.filesRead == 0)
    let assets = try await rig.all()
    #expect(Set(assets.map(\.id)) == ids)
    #expect(assets.allSatisfy { $0.path.isInside(rig.root.appending("new/in")) })
  }

  @Test func aFileReplacedInPlaceKeepsItsIdentifierAndShowsWhatItHolds() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let before = try await rig.asset("a.jpg")
    let larger = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 24, height: 8), data: Data(count: 24 * 8))
    try rig.folder.write("a.jpg", larger.pngData())
    try await rig.library.update()
    let after = try await rig.asset("a.jpg")
    #expect(after.id == before.id)
    #expect(after.contentType == .png)
    #expect(after.dimensions == Dimensions(width: 24, height: 8))
    #expect(after != before)
  }

  @Test func filesThatChangePlacesKeepTheirIdentifiers() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("b.jpg", seed: 2)
    }
    let (a, b) = (try await rig.asset("a.jpg").id, try await rig.asset("b.jpg").id)
    try rig.folder.move("a.jpg", to: "c.jpg")
    try rig.folder.move("b.jpg", to: "a.jpg")
    try rig.folder.move("c.jpg", to: "b.jpg")
    try await rig.library.update()
    #expect(try await rig.asset("a.jpg").id == b)
    #expect(try await rig.asset("b.jpg").id == a)
  }

  @Test func aPictureThatMovedAwayTakesItsIdentifierFromWhatReplacedIt() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let id = try await rig.asset("a.jpg").id
    try rig.folder.move("a.jpg", to: "moved/b.jpg")
    try rig.folder.write("a.jpg", seed: 2)
    try await rig.library.update()
    #expect(try await rig.asset("moved/b.jpg").id == id)
    #expect(try await rig.asset("a.jpg").id != id)
  }

  @Test("A copy isn't taken for its original, which moved since: both are there")
  func copyAndMove() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("z/a.jpg", seed: 1)
      try folder.write("file/a.jpg", seed: 2)
    }
    // The times of fresh files tell nothing.
    try await Task.sleep(for: .milliseconds(60))
    try await rig.library.update()
    let folder = try await rig.asset("z/a.jpg").id
    let file = try await rig.asset("file/a.jpg").id
    try rig.folder.write("1.jpg", seed: 1)
    try rig.folder.write("2.jpg", seed: 2)
    // A folder's files are known by their times, a file's own times change with its name.
    try rig.folder.move("z", to: "y")
    try rig.folder.move("file/a.jpg", to: "file/b.jpg")
    try await rig.library.update()
    #expect(try await rig.asset("y/a.jpg").id == folder)
    #expect(try await rig.asset("file/b.jpg").id == file)
    #expect(Set(try await rig.all().map(\.fileName)) == ["1.jpg", "2.jpg", "a.jpg", "b.jpg"])
  }

  @Test func aCopyThatTakesAPhotosPlaceDoesNotTakeItsIdentifier() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("b.jpg", seed: 2)
    }
    let (a, b) = (try await rig.asset("a.jpg").id, try await rig.asset("b.jpg").id)
    try rig.folder.write("c.jpg", seed: 1)
    try rig.folder.delete("b.jpg")
    try rig.folder.move("c.jpg", to: "b.jpg")
    try await rig.library.update()
    #expect(try await rig.asset("a.jpg").id == a)
    #expect(try await rig.asset("b.jpg").id != b)
    try rig.folder.write("back.jpg", seed: 2)
    try await rig.library.update()
    #expect(try await rig.asset("back.jpg").id == b)
  }

  @Test func copiesAreAssetsOfTheirOwn() async throws {
    let rig = try await LibraryRig { folder in
      for name in ["a.jpg", "b.jpg", "c/a.jpg"] { try folder.write(name, seed: 1) }
    }
    #expect(Set(try await rig.all().map(\.id)).count == 3)
  }

  @Test func aFileThatComesBackIsTheAssetThatItWas() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let id = try await rig.asset("a.jpg").id
    try rig.folder.delete("a.jpg")
    try await rig.library.update()
    #expect(try await rig.all().isEmpty)
    try rig.folder.write("again.jpg", seed: 1)
    try await rig.library.update()
    #expect(try await rig.asset("again.jpg").id == id)
  }

  @Test(
    "Files that are gone for 30 days are forgotten, but for those that an album or an asset is named by"
  )
  func forgetting() async throws {
    let rig = try await LibraryRig { folder in
      for (seed, name) in ["gone", "member", "original", "original-edited", "recent"].enumerated() {
        try folder.write("\(name).jpg", seed: seed)
      }
    }
    let album = try await rig.library.makeAlbum(named: "Best")
    let member = try await rig.asset("member.jpg")
    let edited = try await rig.asset("original-edited.jpg")
    try await album.add([member])
    for name in ["gone", "member", "original"] { try rig.folder.delete("\(name).jpg") }
    try await rig.library.update()
    let index = rig.library.core.index
    func names() throws -> [String] {
      try index.readNow { db in
        try Data.fetchAll(db, sql: "SELECT name FROM file ORDER BY name").map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    #expect(try names().count == 5)
    let days: Int64 = 86_400 * 1_000_000_000
    try index.writeNow { db in
      try db.execute(
        sql: "UPDATE file SET removed = removed - ? WHERE removed <> 0", arguments: [31 * days])
    }
    try rig.folder.delete("recent.jpg")
    try await rig.library.update()
    #expect(
      try names() == ["member.jpg", "original-edited.jpg", "original.jpg", "recent.jpg"])
    // They come back as what they were.
    try rig.folder.write("back.jpg", seed: 1)
    try rig.folder.write("original.jpg", seed: 2)
    try await rig.library.update()
    #expect(try await rig.asset("back.jpg").id == member.id)
    #expect(try await album.assets().asset(at: 0)?.fileName == "back.jpg")
    #expect(try await rig.asset("original.jpg").id == edited.id)
  }

  @Test func identifiersAreTheSameInAnIndexMadeAnew() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<8 { try folder.write("\(number).jpg", seed: number) }
    }
    let ids = Set(try await rig.all().map(\.id))
    try rig.deleteIndex()
    let library = try await rig.reopened()
    try await library.update()
    #expect(Set(try await library.everything().map(\.id)) == ids)
  }

  @Test(arguments: [Data("rubbish".utf8), Data(), Data(count: 100_000)])
  func aDamagedIndexIsMadeAnew(content: Data) async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: rig.base.appending("index").description)
    let index = rig.base.appending("index").appending(folders[0]).appending("index-1.sqlite")
    try rig.deleteIndex()
    try FileManager.default.createDirectory(at: index.folder.url, withIntermediateDirectories: true)
    try content.write(to: index.url)
    let library = try await rig.reopened()
    try await library.update()
    #expect(try await library.everything().count == 1)
  }

  @Test func namesAreBytesAndSurviveAsTheyAre() async throws {
    let names: [FilePath] = [
      "a b.jpg", "😀 é.jpg", "line\nbreak.jpg",
      FilePath(bytes: [0xff, 0x80, 0x2e, 0x6a, 0x70, 0x67]), "%41.jpg",
    ]
    let rig = try await LibraryRig { folder in
      for (number, name) in names.enumerated() {
        let data = LibraryFolder.jpeg(seed: number)
        let code = unsafe folder.path.appending(name).withCString { path in
          let file = unsafe open(path, O_WRONLY | O_CREAT, 0o644)
          defer { close(file) }
          return unsafe data.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        }
        try #require(code == data.count)
      }
    }
    let album = try await rig.library.makeAlbum(named: "Any")
    for name in names {
      let asset = try await rig.library.asset(at: rig.root.appending(name).url)
      #expect(asset.path.name == name)
      #expect(try await asset.fullResolutionImage().dimensions == Dimensions(width: 16, height: 8))
      #expect(
        try await rig.library.thumbnail(of: asset).dimensions == Dimensions(width: 16, height: 8))
      try await album.add([asset])
    }
    // An album's file alone says which they were.
    try rig.deleteIndex()
    let library = try await rig.reopened()
    try await library.update()
    let list = try await library.album(at: album.url).assets()
    #expect(try await list.assets(in: 0..<list.count).map(\.path.name) == names)
  }

  @Test func linksToFoldersOutsideAreFollowedOnceAndLoopsEnd() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      let outside = folder.path.folder.appending("Outside")
      try LibraryFolder(outside).write("b.jpg", seed: 2)
      func link(_ name: FilePath, to target: FilePath) throws {
        try FileManager.default.createSymbolicLink(
          atPath: name.description, withDestinationPath: target.description)
      }
      try link(folder.path.appending("self"), to: folder.path)
      try link(folder.path.appending("out"), to: outside)
      try link(folder.path.appending("out2"), to: outside)
      try link(outside.appending("back"), to: folder.path)
      try link(outside.appending("round"), to: outside)
      try link(folder.path.appending("same.jpg"), to: folder.path.appending("a.jpg"))
      try link(folder.path.appending("nowhere.jpg"), to: "/nowhere")
    }
    #expect(try await rig.all().map(\.fileName).sorted() == ["a.jpg", "b.jpg"])
  }

  @Test func aRootThatIsNotThereLosesNothing() async throws {
    let rig = try await LibraryRig { try $0.write("in/a.jpg", seed: 1) }
    #expect(unsafe rename(rig.root.description, rig.base.appending("away").description) == 0)
    let report = try await rig.library.update()
    #expect(report.problems.count == 1)
    #expect(try await rig.all().count == 1)
  }

  @Test func theThumbnailCacheAndTheLibrarysOwnFilesAreNotIndexed() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write(".viewfinder/albums/x.jpg", seed: 2)
    }
    #expect(try await rig.all().count == 1)
  }

  @Test func theIndexAnswersWhileFoldersAreLookedAt() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<3 { try folder.write("\(number)/a.jpg", seed: number) }
    }
    let core = rig.library.core
    let waited = Flag()
    _ = try core.scan(
      .everything,
      isCancelled: {
        let answer = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = try? core.index.readNow { db in try ChangeLog.version(in: db) }
          answer.signal()
        }
        if answer.wait(timeout: .now() + 5) == .timedOut { waited.set() }
        return false
      })
    #expect(!waited.isSet)
  }
}
