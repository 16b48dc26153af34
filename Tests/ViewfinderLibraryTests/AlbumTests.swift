import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Albums: what is in them, what stays of them, and how they are found again.
@Suite struct AlbumTests {
  private func rig(_ count: Int = 6) async throws -> LibraryRig {
    try await LibraryRig { folder in
      for number in 0..<count { try folder.write("\(number).jpg", seed: number) }
    }
  }

  private func names(_ album: Album) async throws -> [String] {
    let list = try await album.assets()
    return try await list.assets(in: 0..<list.count).map(\.fileName)
  }

  @Test func smartAlbumsFoldersAndMadeAlbumsAreListedWithTheirCounts() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("DCIM/100VWFND/VWF_0001.JPG", seed: 1)
      try folder.write("Trip/a.jpg", seed: 2)
      try folder.write("Trip/Screenshot from 2024.png", seed: 3)
      try folder.write("Trip/broken.jpg", Data("no".utf8))
      try FileManager.default.createDirectory(
        at: folder.path.appending("Empty").url, withIntermediateDirectories: true)
    }
    _ = try await rig.library.makeAlbum(named: "Best")
    var counts: [String: Int] = [:]
    for album in try await rig.library.albums() {
      counts[album.name] = try await album.counts().all
    }
    #expect(
      counts == [
        "All Photos": 4, "Recents": 4, "Camera Roll": 1, "Videos": 0, "Favorites": 0, "Bursts": 0,
        "Screenshots": 1, "Best": 0, "100VWFND": 1, "Trip": 3,
      ])
    let trip = try #require(try await rig.library.albums().first { $0.name == "Trip" })
    #expect(try await trip.counts() == AlbumCounts(photos: 2, videos: 0, others: 1))
    #expect(try await trip.counts(.videos).all == 0)
    #expect(try await trip.counts(.photos).all == 2)
    #expect(try await trip.poster()?.error == nil)
  }

  @Test func albumsAndAssetsAreFoundByTheirIdentifiers() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<3 { try folder.write("Trip/\(number).jpg", seed: number) }
    }
    let made = try await rig.library.makeAlbum(named: "Best")
    for album in try await rig.library.albums() {
      #expect(try await rig.library.album(id: album.id) == album)
    }
    let all = try await rig.all()
    let wanted = [all[2].id, UUID(), all[0].id]
    #expect(try await rig.library.assets(ids: wanted) == [all[2], all[0]])
    try await made.delete()
    try rig.folder.delete("Trip/2.jpg")
    try await rig.library.update()
    #expect(try await rig.library.album(id: made.id) == nil)
    #expect(try await rig.library.assets(ids: wanted) == [all[0]])
  }

  @Test func anAlbumKeepsItsOrderAndNameWhenTheIndexIsLost() async throws {
    let rig = try await rig()
    let album = try await rig.library.makeAlbum(named: "Best")
    let all = try await rig.all()
    try await album.add([all[3], all[1], all[5]])
    try await album.move([all[5]], to: 0)
    _ = try await album.rename(to: "Best of all")
    try await rig.library.setFavorite(true, [all[2]])
    let wanted = [all[5], all[3], all[1]].map(\.fileName)
    #expect(try await names(album) == wanted)
    try rig.deleteIndex()
    let library = try await rig.reopened()
    try await library.update()
    let again = try await library.album(at: album.url)
    #expect(again.name == "Best of all")
    #expect(try await names(again) == wanted)
    #expect(try await names(library.album(.favorites)) == [all[2].fileName])
    #expect(
      try await library.everything().filter(\.isFavorite).map(\.fileName) == [all[2].fileName])
  }

  @Test func membersThatMoveStayAndThoseThatVanishComeBack() async throws {
    let rig = try await rig(3)
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add(try await rig.all())
    try rig.folder.move("0.jpg", to: "x/y.jpg")
    try rig.folder.delete("1.jpg")
    try await rig.library.update()
    #expect(Set(try await names(album)) == ["y.jpg", "2.jpg"])
    try rig.folder.write("1.jpg", seed: 1)
    try await rig.library.update()
    #expect(Set(try await names(album)) == ["y.jpg", "1.jpg", "2.jpg"])
  }

  @Test func anEditedAssetGetsItsIdentifierBackFromItsAlbumWhenTheIndexIsLost() async throws {
    let rig = try await rig(2)
    let asset = try await rig.asset("0.jpg")
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add([asset])
    try rig.folder.write("0.jpg", seed: 77)
    try await rig.library.update()
    #expect(try await rig.asset("0.jpg").id == asset.id)
    try rig.deleteIndex()
    let library = try await rig.reopened()
    try await library.update()
    #expect(try await library.asset(at: asset.url).fileName == "0.jpg")
    #expect(try await names(library.album(at: album.url)) == ["0.jpg"])
  }

  @Test func anAssetIsInSeveralAlbumsAndInEachOnce() async throws {
    let rig = try await rig(2)
    let all = try await rig.all()
    let (one, two) = (
      try await rig.library.makeAlbum(named: "One"), try await rig.library.makeAlbum(named: "Two")
    )
    try await one.add([all[0], all[1]])
    try await one.add([all[0]])
    try await two.add([all[0]])
    try await one.remove([all[1]])
    #expect(try await names(one) == [all[0].fileName])
    #expect(try await names(two) == [all[0].fileName])
    try await one.delete()
    #expect(try await names(two) == [all[0].fileName])
    await #expect { try await rig.library.album(at: one.url) } throws: { error in
      if case PhotoLibraryError.notFound = error { true } else { false }
    }
  }

  @Test func onlyAlbumsThatWereMadeCanBeChanged() async throws {
    let rig = try await rig(1)
    let all = try await rig.all()
    await #expect { try await rig.library.album(.all).add(all) } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    await #expect { try await rig.library.album(.recents).delete() } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    await #expect { try await rig.library.makeAlbum(named: " \n") } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
  }

  @Test func everyAlbumOpensByItsURL() async throws {
    let rig = try await LibraryRig { try $0.write("a b/ü%.d/1.jpg", seed: 1) }
    _ = try await rig.library.makeAlbum(named: "Best")
    for album in try await rig.library.albums() {
      #expect(try await rig.library.album(at: album.url) == album)
    }
    let asset = try #require(try await rig.all().first)
    #expect(try await rig.library.asset(at: asset.url) == asset)
    for text in [
      "https://example.org/", "viewfinder-library:///album/none", "viewfinder-library:///asset/1",
    ] {
      let url = try #require(URL(string: text))
      await #expect { try await rig.library.album(at: url) } throws: { error in
        if case PhotoLibraryError.invalidRequest = error { true } else { false }
      }
    }
  }

  @Test func whatOtherVersionsWroteInAnAlbumFileIsKept() async throws {
    let rig = try await rig(2)
    let all = try await rig.all()
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add([all[0]])
    let folder = rig.root.appending(".viewfinder/albums")
    let file = folder.appending(
      try FileManager.default.contentsOfDirectory(atPath: folder.description)[0])
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file.url)) as? [String: Any])
    object["color"] = "red"
    var entries = try #require(object["assets"] as? [[String: Any]])
    entries[0]["caption"] = "hello"
    object["assets"] = entries
    try JSONSerialization.data(withJSONObject: object).write(to: file.url)
    try await rig.library.update()
    try await album.add([all[1]])
    let text = try String(contentsOf: file.url, encoding: .utf8)
    #expect(text.contains("\"color\" : \"red\"") && text.contains("\"caption\" : \"hello\""))
  }

  @Test func anAlbumThatAnotherProgramChangesIsReadAnewWhateverItsSizeAndTime() async throws {
    let rig = try await rig(2)
    let album = try await rig.library.makeAlbum(named: "Best")
    try await album.add(try await rig.all())
    let folder = rig.root.appending(".viewfinder/albums")
    let path = folder.appending(try folder.names()[0])
    let modified = try #require(FileStatus(of: path)).modified
    var file = try AlbumFile(Data(contentsOf: path.url), path: path)
    file.entries.reverse()
    try FileDraft.replace(path, with: file.data())
    path.setModified(
      Int(modified / 1_000_000_000), nanoseconds: Int(modified % 1_000_000_000))
    try await rig.library.update()
    let list = try await album.assets()
    #expect(try await list.assets(in: 0..<2).map(\.id) == file.entries.map(\.id))
  }

  @Test func aListStaysAsItIsWhileTheLibraryChanges() async throws {
    let rig = try await rig(5)
    let list = try await rig.library.album(.all).assets()
    let before = try await list.assets(in: 0..<5).map(\.id)
    try rig.folder.delete("2.jpg")
    try rig.folder.write("new.jpg", seed: 99)
    try rig.folder.move("3.jpg", to: "z/3.jpg")
    try await rig.library.update()
    let after = try await list.assets(in: 0..<5)
    #expect(after.map(\.id) == before)
    #expect(after.filter(\.isRemoved).map(\.fileName) == ["2.jpg"])
    #expect(try await rig.library.album(.all).assets().count == 5)
  }

  @Test func enumerationEndsWithNothingAndStopsWhenAsked() async throws {
    let rig = try await rig(5)
    let list = try await rig.library.album(.all).assets(order: .name)
    var seen: [String?] = []
    try await list.enumerate { asset, _, _ in seen.append(asset?.fileName) }
    #expect(seen == ["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg", nil])
    seen = []
    try await list.enumerate(in: 1..<9, reversed: true) { asset, place, stop in
      seen.append(asset?.fileName)
      stop = place == 3
    }
    #expect(seen == ["4.jpg", "3.jpg"])
    seen = []
    for try await asset in list { seen.append(asset.fileName) }
    #expect(seen == ["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"])
    #expect(try await list.page(1, size: 2).map(\.fileName) == ["2.jpg", "3.jpg"])
    #expect(try await list.page(3, size: 2).isEmpty)
    var albums = 0
    var ended = false
    try await rig.library.enumerateAlbums { album, _ in
      if album == nil { ended = true } else { albums += 1 }
    }
    #expect(albums == 8 && ended)
  }

  @Test func anAlbumInAFolderThatMayNotBeWrittenIsAClearError() async throws {
    let rig = try await rig(1)
    let folder = rig.root.appending(".viewfinder")
    try Data().write(to: folder.url)
    let path = folder.appending("albums").description
    await #expect(throws: PhotoLibraryError.cannotWrite(path: path, code: ENOTDIR)) {
      try await rig.library.makeAlbum(named: "Best")
    }
    #expect(try await rig.library.albums().count == 8)
  }

  @Test(arguments: [SmartAlbum.bursts, .screenshots])
  func burstsAndScreenshotsAreFoundInEveryOrderAndUnderEveryFilter(kind: SmartAlbum) async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("Screenshot 1.jpg", seed: 1)
      for number in 1...2 { try folder.write("IMG_1_BURST00\(number).jpg", seed: 1 + number) }
    }
    let album = rig.library.album(kind)
    var filter = AssetFilter.photos
    #expect(try await album.counts(filter).all == 1)
    #expect(try await album.poster() != nil)
    for order in AssetOrder.allCases {
      #expect(try await album.assets(filter, order: order).count == 1)
    }
    try await rig.library.setFavorite(true, album.assets().page(0))
    filter.onlyFavorites = true
    #expect(try await album.counts(filter).photos == 1)
    #expect(try await album.counts(.videos).all == 0)
  }

  @Test("Programs that make the same album at once make one")
  func makingAtOnce() async throws {
    let rig = try await LibraryRig()
    let others = [rig.library, try await rig.reopened(), try await rig.reopened()]
    let albums = try await withThrowingTaskGroup(of: UUID.self) { group in
      for number in 0..<12 {
        group.addTask { try await others[number % 3].makeAlbum(named: "Caf\u{e9}").id }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(albums.count == 1)
    // The same name, written otherwise.
    #expect(albums.contains(try await rig.library.makeAlbum(named: "Cafe\u{301}").id))
  }

  @Test("Two albums of one name can become one, and one name finds the same in each program")
  func twins() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<4 { try folder.write("\(number).jpg", seed: number) }
    }
    let one = try await rig.library.makeAlbum(named: "One")
    let other = try await rig.library.makeAlbum(named: "Other")
    try await one.add([rig.asset("0.jpg"), rig.asset("1.jpg")])
    try await other.add([rig.asset("1.jpg"), rig.asset("2.jpg")])
    _ = try await other.rename(to: "One")
    let found = try await rig.library.makeAlbum(named: "One")
    #expect(try await rig.reopened().makeAlbum(named: "One").id == found.id)
    let twin = found.id == one.id ? other : one
    try await found.merge([twin])
    let names = try await found.assets().assets(in: 0..<9).map(\.fileName)
    #expect(Set(names) == ["0.jpg", "1.jpg", "2.jpg"] && names.count == 3)
    #expect(try await rig.library.album(id: twin.id) == nil)
  }

  @Test("A folder album can be renamed: its folder is, and its photos are what they were")
  func renamingAFolder() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("Trip/a.jpg", seed: 1)
      try folder.write("Trip/deep/b.jpg", seed: 2)
      try folder.write("Taken/c.jpg", seed: 3)
    }
    let ids = Set(try await rig.all().map(\.id))
    let album = try #require(try await rig.library.albums().first { $0.name == "Trip" })
    let renamed = try await album.rename(to: "Journey")
    #expect(renamed.kind == .folder(rig.root.appending("Journey").url))
    #expect(try await renamed.assets().count == 1)
    #expect(Set(try await rig.all().map(\.id)) == ids)
    #expect(try await rig.asset("Journey/deep/b.jpg").fileName == "b.jpg")
    for name in ["a/b", ".hidden", "..", String(repeating: "x", count: 256)] {
      await #expect { try await renamed.rename(to: name) } throws: { error in
        if case PhotoLibraryError.invalidRequest = error { true } else { false }
      }
    }
    await #expect { try await renamed.rename(to: "Taken") } throws: { error in
      if case PhotoLibraryError.cannotWrite(_, EEXIST) = error { true } else { false }
    }
    await #expect { try await rig.library.album(.all).rename(to: "x") } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
  }
}
