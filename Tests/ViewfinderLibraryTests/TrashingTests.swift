import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Assets that go into the trash, come back, or go for good.
@Suite struct TrashingTests {
  @Test("A restored asset is the same: its identifier, album, favourite, crop and files")
  func thereAndBack() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", PixelBuffer.quadrants(.photo).jpegData())
      try folder.write("a.xmp", Data("edits".utf8))
      try folder.write("b.jpg", seed: 2)
    }
    let recipe = CropRecipe(
      PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 1))))
    let asset = try await rig.library.crop(rig.asset("a.jpg"), to: recipe)
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add([asset])
    try await rig.library.setFavorite(true, [asset])
    let before = try rig.tree()

    let trashed = try await rig.library.trash([asset])
    #expect(try await rig.names() == ["b.jpg"])
    #expect(try await album.counts().all == 0)
    #expect(try rig.tree().filter { FilePath($0).name.bytes.first == UInt8(ascii: "a") } == [])
    let listed = try await rig.library.trashedAssets()
    #expect(listed == trashed)
    #expect(listed.map(\.assetID) == [asset.id])
    #expect(
      Set(listed[0].files.map { FilePath($0.originalURL).name })
        == ["a.jpg", "a-edited.jpg", "a.jpg.json", "a.xmp"])
    #expect(listed[0].deletionDate.map { abs($0.timeIntervalSinceNow) < 600 } == true)
    #expect(listed[0].files.allSatisfy { FilePath($0.trashURL) == rig.base.appending("Trash") })

    let restored = try await rig.library.restore(trashed)
    #expect(restored.map(\.id) == [asset.id] && restored[0].isFavorite)
    #expect(try rig.tree() == before)
    #expect(try await album.assets().asset(at: 0)?.id == asset.id)
    #expect(try await rig.library.cropRecipe(of: restored[0]) != nil)
    #expect(try await rig.library.trashedAssets() == [])
  }

  @Test("Two copies of one picture come back as who they were, in whatever order")
  func copies() async throws {
    let rig = try await LibraryRig { folder in
      for name in ["a.jpg", "b.jpg", "c.jpg"] { try folder.write(name, seed: 1) }
    }
    let before = try await rig.all().map { [$0.fileName, $0.id.uuidString] }
    for asset in try await rig.all() { try await rig.library.trash([asset]) }
    for name in ["a.jpg", "c.jpg", "b.jpg"] {
      let trashed = try await rig.library.trashedAssets()
      try await rig.library.restore(trashed.filter { $0.fileName == name })
    }
    #expect(
      Set(try await rig.all().map { [$0.fileName, $0.id.uuidString] }) == Set(before))
  }

  @Test("Nothing is restored over what came meanwhile, but into a folder of its own when asked")
  func taken() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("Trip/a.jpg", seed: 1)
      try folder.write("Trip/a.dng", Data(MediaSample.raw("Adobe", dng: true)))
    }
    let asset = try await rig.asset("Trip/a.jpg")
    let trashed = try await rig.library.trash([asset])
    try rig.folder.write("Trip/a.jpg", seed: 2)
    await #expect(
      throws: PhotoLibraryError.cannotWrite(path: "\(rig.root)/Trip/a.jpg", code: EEXIST)
    ) { try await rig.library.restore(trashed) }
    #expect(rig.root.appending("Trip").fileNames == ["a.jpg"])
    let restored = try await rig.library.restore(trashed, intoOwnFolder: true)
    #expect(restored.map(\.id) == [asset.id])
    #expect(rig.root.appending("Trip/Restored").fileNames == ["a.dng", "a.jpg"])
    try await rig.library.update()
    #expect(try await rig.library.asset(at: rig.root.appending("Trip/a.jpg").url).id != asset.id)
    // Another one of that name.
    let again = try await rig.library.trash([rig.asset("Trip/a.jpg")])
    try rig.folder.write("Trip/a.jpg", seed: 3)
    try rig.folder.write("Trip/Restored/a.jpg", seed: 4)
    _ = try await rig.library.restore(again, intoOwnFolder: true)
    #expect(rig.root.appending("Trip/Restored 2").fileNames == ["a.jpg"])
  }

  @Test("An asset whose second file can't go into the trash stays whole, and says what had gone")
  func partial() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("b.jpg", seed: 2)
      try folder.write("b.dng", Data(MediaSample.raw("Adobe", dng: true)))
    }
    let assets = [try await rig.asset("a.jpg"), try await rig.asset("b.jpg")]
    try rig.folder.delete("b.dng")
    await #expect { try await rig.library.trash(assets) } throws: { error in
      guard case PhotoLibraryError.incomplete(let done, let left, let cause) = error else {
        return false
      }
      return done == [rig.base.appending("Trash/files/a.jpg").url]
        && left == [rig.root.appending("b.jpg").url] && cause.description.contains("b.dng")
    }
    #expect(rig.root.fileNames == ["b.jpg"])
    #expect(try await rig.library.trashedAssets().map(\.fileName) == ["a.jpg"])
  }

  @Test("When nothing had gone, the error is the file's own")
  func failing() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let asset = try await rig.asset("a.jpg")
    try rig.folder.delete("a.jpg")
    await #expect(
      throws: PhotoLibraryError.cannotRead(path: "\(rig.root)/a.jpg", code: ENOENT)
    ) { try await rig.library.trash([asset]) }
  }

  @Test(
    "What a file manager threw away is listed: single files, and folders, which come back whole")
  func byOthers() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("Trip/Day/b.jpg", seed: 2)
    }
    let trash = Trash(home: rig.base.appending("Trash"))
    let ids = Set(try await rig.all().map(\.id))
    _ = try trash.put(rig.root.appending("a.jpg"), at: TrashDate(text: "2020-01-02T03:04:05"))
    _ = try trash.put(rig.root.appending("Trip"))
    // What isn't the library's isn't listed, nor what tells no path of its own.
    try LibraryFolder(rig.base).write("other/c.jpg")
    _ = try trash.put(rig.base.appending("other/c.jpg"))
    for (name, path) in [("up", "\(rig.root)/gone/../../x"), ("relative", "x.jpg"), ("none", "")] {
      try LibraryFolder(rig.base).write("Trash/files/\(name)")
      try LibraryFolder(rig.base).write(
        "Trash/info/\(name).trashinfo", Data("[Trash Info]\nPath=\(path)\n".utf8))
    }
    try await rig.library.update()
    #expect(try await rig.all().isEmpty)
    let listed = try await rig.library.trashedAssets()
    #expect(listed.map(\.fileName) == ["Trip", "a.jpg"])
    #expect(listed[1].deletionDate?.ISO8601Format().hasPrefix("2020-01-0") == true)
    try await rig.library.restore(listed)
    #expect(Set(try await rig.all().map(\.id)) == ids)
  }

  @Test(
    "A date that another program wrote may be none",
    arguments: [
      ("9999-99-99T99:99:99", true), ("0000-00-00T00:00:00", true), ("today", false), ("", false),
    ])
  func dates(text: String, isDate: Bool) async throws {
    let rig = try await LibraryRig()
    let base = LibraryFolder(rig.base)
    try base.write("Trash/files/a.jpg")
    try base.write(
      "Trash/info/a.jpg.trashinfo",
      Data("[Trash Info]\nDeletionDate=\(text)\nPath=\(rig.root)/a.jpg\nPath=/b.jpg\n".utf8))
    let listed = try await rig.library.trashedAssets()
    #expect(listed.map(\.fileName) == ["a.jpg"])
    #expect((listed[0].deletionDate != nil) == isDate)
    #expect(listed[0].deletionDate?.ISO8601Format().isEmpty != true)
  }

  @Test("Sidecars of a name that two assets share stay with the other one")
  func sharedNames() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("a.png", PixelBuffer.quadrants(.photo).pngData())
      for name in ["a.xmp", "A.JPG.xmp", "a.AAE", "ab.xmp"] {
        try folder.write(name, Data(name.utf8))
      }
    }
    // A folder is no sidecar, whatever it is called.
    try rig.folder.write("a.jpg.aae/b.jpg", seed: 3)
    try await rig.library.trash([rig.asset("a.jpg")])
    #expect(rig.root.appending("a.jpg.aae/b.jpg").exists)
    #expect(rig.root.fileNames == ["a.AAE", "a.png", "a.xmp", "ab.xmp"])
    try await rig.library.trash([rig.asset("a.png")])
    #expect(rig.root.fileNames == ["ab.xmp"])
    // In the same second, perhaps: the library tells them apart.
    let ids = try await rig.library.trashedAssets().compactMap(\.assetID)
    #expect(Set(ids).count == 2)
  }

  @Test("What is deleted for good is gone with its sidecars, unless its files have changed")
  func permanently() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("a.xmp", Data("edits".utf8))
      try folder.write("b.jpg", seed: 2)
    }
    let a = try await rig.asset("a.jpg")
    try rig.folder.write("a.jpg", seed: 3)
    await #expect { try await rig.library.deletePermanently([a]) } throws: { error in
      guard case PhotoLibraryError.changed = error else { return false }
      return "\(error)".contains("has changed")
    }
    #expect(rig.root.fileNames == ["a.jpg", "a.xmp", "b.jpg"])
    try await rig.library.update()
    try await rig.library.deletePermanently([rig.asset("a.jpg")])
    #expect(rig.root.fileNames == ["b.jpg"])
    #expect(try await rig.names() == ["b.jpg"])
    #expect(try await rig.library.trashedAssets() == [])
  }

  @Test(
    "What is deleted from the trash is gone from it, folders too, and links in them are not followed"
  )
  func emptying() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("Trip/Day/b.jpg", seed: 2)
    }
    try LibraryFolder(rig.base).write("kept/c.jpg")
    rig.root.appending("Trip/link").makeLink(to: "\(rig.base)/kept")
    let trash = Trash(home: rig.base.appending("Trash"))
    try await rig.library.trash([rig.asset("a.jpg")])
    _ = try trash.put(rig.root.appending("Trip"))
    try await rig.library.deletePermanently(rig.library.trashedAssets())
    #expect(rig.base.appending("Trash/files").fileNames == [])
    #expect(rig.base.appending("Trash/info").fileNames == [])
    #expect(rig.base.appending("kept/c.jpg").exists)
  }

  @Test("A library whose trash is elsewhere leaves nothing in the user's own")
  func scratchTrash() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    try await rig.library.trash([rig.asset("a.jpg")])
    let users = Trash(home: XDGFolders().data?.appending("Trash"))
    #expect(users.contents(of: [rig.root]) == [])
    #expect(rig.base.appending("Trash/files/a.jpg").exists)
  }
}

extension LibraryRig {
  fileprivate func names() async throws -> [String] { try await all().map(\.fileName).sorted() }

  /// All files below the root, without locks and albums.
  fileprivate func tree() throws -> [String] {
    let names = FileManager.default.enumerator(atPath: root.description)?.allObjects as? [String]
    return (names ?? []).filter { !$0.hasSuffix("lock") && !$0.contains("albums") }.sorted()
  }
}

extension FilePath {
  /// The names of the files in a folder.
  fileprivate var fileNames: [FilePath] {
    ((try? names()) ?? []).sorted().filter { FileStatus(of: appending($0))?.kind == .file }
  }
}
