import CardModel
import Foundation
import GRDB
import ServerSupport
import Testing

@testable import CardStore

/// A wallet whose database an older program has written.
@Suite("A wallet of an older program")
struct OldWalletTests {
  private let scratch: Scratch
  private let store: CardStore
  private let written: [String: Data]

  private static func id(_ digit: Int) -> UUID {
    UUID(uuidString: "8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b1\(digit)")!
  }

  init() throws {
    scratch = try Scratch()
    let folder = scratch.url.appending(component: "wallet")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: folder.appending(component: "cards.sqlite").path)
    written = try queue.write { db in
      try db.execute(sql: String(decoding: PackageResources.OldWallet_sql, as: UTF8.self))
      let rows = try Row.fetchAll(db, sql: "SELECT id, json FROM record")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["json"]) })
    }
    try queue.close()
    store = try CardStore(folder: folder) { Date(timeIntervalSince1970: 1_795_575_000) }
  }

  @Test("Its cards have every field, and say what they said, byte for byte")
  func fields() throws {
    var bakery = Card(id: Self.id(1))
    (bakery.name, bakery.note) = ("Corner bakery", "Ask for the stamp")
    (bakery.validFrom, bakery.expiry) = (CardDate("2026-01-01"), CardDate("2026-12-31"))
    (bakery.balance, bakery.balanceType) = (10.5, "EUR")
    (bakery.cardId, bakery.barcodeId, bakery.barcodeType) = ("4006381333931", "QR-7", .qrCode)
    (bakery.headerColor, bakery.starStatus) = (CardColor("#0a67d1"), true)
    bakery.lastUsed = Date(timeIntervalSince1970: 1_700_000_000)
    bakery.groups = ["Sport", "Food"]
    let photo = PictureHash("3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253")!
    (bakery.front, bakery.back) = (CardPicture(picture: photo), CardPicture(picture: photo))
    #expect(try store.card(Self.id(1)) == bakery)
    #expect(try store.card(Self.id(2))?.archiveStatus == true)
    for record in try store.records() {
      #expect(written[record.id.key] == record.json.data)
      #expect(try store.look { try $0.hasSeen(record) })
    }
    // Saved again as it is, nothing waits.
    try store.save(bakery)
    #expect(try store.records().count == 3)
    #expect(try store.link(to: "http://127.0.0.1:18123").waiting() == [Self.id(2)])
  }

  @Test("Its cards are found, and one that it deleted can be brought back")
  func finds() throws {
    var filter = CardStore.Filter()
    filter.text = "STAMP 4006 food"
    #expect(try store.cards(filter).map(\.name) == ["Corner bakery"])
    try store.edit(Self.id(1)) { $0.note = "Two stamps" }
    filter.text = "TWO 4006 food"
    #expect(try store.cards(filter).map(\.name) == ["Corner bakery"])
    (filter.text, filter.isArchived) = ("", true)
    #expect(try store.cards(filter).map(\.name) == ["Pool"])
    #expect(try store.undelete(Self.id(3))?.name == "Gone")
  }

  @Test("Where it went on with its server is known: the cursor, the versions there, the pictures")
  func link() throws {
    let link = try store.link(to: "http://127.0.0.1:18123")
    #expect(try link.cursor == "6-56fdb764-c8b1-4b35-847b-63cdc48beea4")
    #expect(try link.honoursConditions == true)
    let next = try #require(try link.next(Self.id(2)))
    #expect(next.etag == "\"20d9bb55-35ad-4ccf-ace7-5254c121cbcd\"")
    #expect(next.record.card?.note == "waits")
    #expect(try link.waitingBlobs().isEmpty)
  }

  @Test("Each field is listed once")
  func names() {
    let names = CardFields.all.map(\.name)
    #expect(names.count == 16 && Set(names).count == names.count)
    let columns = CardFields.all.compactMap(\.column)
    #expect(columns.count == 13 && Set(columns).count == columns.count)
  }
}
