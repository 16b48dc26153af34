import Foundation
import Testing

@testable import ViewfinderLibrary

/// What becomes of a list that is being shown.
@Suite struct AssetListChangeTests {
  private func rig(_ count: Int = 6) async throws -> LibraryRig {
    try await LibraryRig { folder in
      for number in 0..<count { try folder.write("\(number).jpg", seed: number) }
    }
  }

  @Test func aListTellsWhatCameWentAndWasWrittenTo() async throws {
    let rig = try await rig()
    let before = try await rig.library.album(.all).assets(order: .name)
    try rig.folder.delete("1.jpg")
    try rig.folder.write("3a.jpg", seed: 77)
    try rig.folder.write("5.jpg", seed: 78)
    try await rig.library.update()
    var changes = before.changes.makeAsyncIterator()
    let change = try #require(try await changes.next())
    #expect(change.before.count == 6)
    #expect(change.after.count == 6)
    #expect(change.removals == [1])
    #expect(change.insertions == [3])
    #expect(change.updates == [5])
    #expect(change.moves.isEmpty)
    #expect(try await change.after.asset(at: 3)?.fileName == "3a.jpg")
  }

  @Test func oneMovedAssetIsOneMove() async throws {
    let rig = try await rig()
    let album = try await rig.library.makeAlbum(named: "Best")
    let all = try await rig.all()
    try await album.add(all)
    let list = try await album.assets()
    try await album.move([all[0]], to: 6)
    var changes = list.changes.makeAsyncIterator()
    let change = try #require(try await changes.next())
    #expect(change.moves == [AssetListChange.Move(from: 0, to: 5)])
    #expect(change.removals.isEmpty && change.insertions.isEmpty && change.updates.isEmpty)
  }

  @Test func anAlbumsListHearsOnlyOfItsOwn() async throws {
    let rig = try await rig()
    let album = try await rig.library.makeAlbum(named: "Best")
    let all = try await rig.all()
    try await album.add([all[2]])
    let list = try await album.assets()
    try rig.folder.write("new.jpg", seed: 99)
    try await rig.library.update()
    var changes = list.changes.makeAsyncIterator()
    try await album.add([all[4]])
    let change = try #require(try await changes.next())
    #expect(change.insertions == [1])
    #expect(change.updates.isEmpty)
  }

  @Test func aChangeThatComesLaterIsWaitedFor() async throws {
    let rig = try await LibraryRig(watches: true) { try $0.write("0.jpg", seed: 0) }
    try await rig.library.update()
    let list = try await rig.library.album(.all).assets()
    async let insertions = list.changes.first { !$0.insertions.isEmpty }?.insertions
    try rig.folder.write("later.jpg", seed: 5)
    #expect(try await insertions?.count == 1)
  }

  @Test func anAssetThatIsShownByAnotherFileIsUpdatedAndStaysInItsPlace() async throws {
    let rig = try await rig(3)
    let list = try await rig.library.album(.all).assets(order: .name)
    try rig.folder.write("1-edited.jpg", seed: 50)
    try await rig.library.update()
    let asset = try #require(try await list.asset(at: 1))
    #expect(try await asset.representations().count == 2)
    var changes = list.changes.makeAsyncIterator()
    let change = try #require(try await changes.next())
    #expect(change.removals.isEmpty && change.insertions.isEmpty)
    #expect(change.updates.count == 1)
    #expect(change.after.count == 3)
  }

  @Test func randomChangesLeadFromOneListToTheOther() async throws {
    let rig = try await rig(12)
    let album = try await rig.library.makeAlbum(named: "Best")
    let all = try await rig.all()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<30 {
      let list = try await album.assets()
      let shuffled = Array(all.shuffled(using: &random).prefix(Int.random(in: 0...12)))
      let old = try await list.assets(in: 0..<list.count)
      try await album.remove(old)
      try await album.add(shuffled)
      let now = try await album.assets()
      var changes = list.changes.makeAsyncIterator()
      if old == shuffled { continue }
      let change = try #require(try await changes.next())
      // Taking out, putting in, then moving leads to the new list.
      var rows = change.before.rows
      for place in change.removals.reversed() { rows.remove(at: place) }
      let moved = Set(change.moves.map { change.before.rows[$0.from] })
      rows.removeAll(where: moved.contains)
      for place in (change.insertions + change.moves.map(\.to)).sorted() {
        rows.insert(now.rows[place], at: place)
      }
      #expect(rows == now.rows)
    }
  }
}
