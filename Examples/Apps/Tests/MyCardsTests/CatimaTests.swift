import CardModel
import CardStore
import Foundation
import Testing
import Viewfinder

@testable import CardExchange

@Suite("Catima's files") struct CatimaTests {
  /// As Catima 2 writes it, with a line end within a note.
  static let table = #"""
    2

    _id
    Food
    "Sport, and more"

    _id,store,note,validfrom,expiry,balance,balancetype,cardid,barcodeid,barcodetype,barcodeencoding,headercolor,starstatus,lastused,archive
    1,Bakery,"Ask for

    ""the stamp""",,1798675200000,10.5,EUR,4006381333931,,EAN_13,ISO-8859-1,-16095279,1,1700000000,0
    7,Pool,,,,0,,A-7,QR-7,QR_CODE,UTF-8,,0,0,1

    cardId,groupId
    1,Food
    1,"Sport, and more"

    """#.replacing("\n", with: "\r\n")

  private func store() throws -> CardStore {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-cards-\(UUID().uuidString)")
    return try CardStore(folder: folder)
  }

  private func png(_ grey: UInt8) throws -> Data {
    try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 86, height: 54),
      data: Data(repeating: grey, count: 86 * 54)
    ).pngData()
  }

  private func all(_ store: CardStore) throws -> [Card] {
    var filter = CardStore.Filter()
    filter.isArchived = nil
    return try store.cards(filter)
  }

  @Test("A file of Catima's comes in whole: fields, groups and photos")
  func imports() throws {
    let store = try store()
    let zip = try ZipArchive.make([
      ("catima.csv", Data(Self.table.utf8)), ("card_1_front.png", png(40)),
      ("card_1_back.png", png(200)), ("card_1_icon.png", png(0)),
    ])
    let report = try CatimaImport(zip).run(into: store)
    #expect(report == .init(added: 2, known: 0, remarks: []))
    let cards = try all(store)
    let bakery = try #require(cards.first { $0.name == "Bakery" })
    #expect(bakery.note == "Ask for\r\n\r\n\"the stamp\"")
    #expect(bakery.balance == 10.5 && bakery.balanceType == "EUR")
    #expect(bakery.cardId == "4006381333931" && bakery.barcodeType == .ean13)
    #expect(bakery.headerColor?.description == "#0a67d1")
    #expect(bakery.starStatus && !bakery.archiveStatus)
    #expect(bakery.groups == ["Food", "Sport, and more"])
    #expect(bakery.expiry?.year == 2026)
    #expect(bakery.lastUsed == Date(timeIntervalSince1970: 1_700_000_000))
    let side = try #require(bakery.front)
    let front = try #require(try store.picture(side.picture))
    #expect(try PixelBuffer(decoding: front).dimensions == Dimensions(width: 86, height: 54))
    let pool = try #require(cards.first { $0.name == "Pool" })
    #expect(pool.archiveStatus && pool.barcodeText == "QR-7")
    #expect(pool.front != nil && pool.back != nil, "a plain card where there is no photo")
  }

  @Test("The same file twice makes no card twice, also after a way through Catima")
  func twice() throws {
    let store = try store()
    #expect(try CatimaImport(Data(Self.table.utf8)).run(into: store).added == 2)
    #expect(try CatimaImport(Data(Self.table.utf8)).run(into: store).known == 2)
    #expect(try CatimaImport(CatimaExport.zip(store)).run(into: store).known == 2)
    #expect(try all(store).count == 2)
  }

  @Test("What is exported comes back the same in another wallet")
  func roundTrip() throws {
    let (one, other) = (try store(), try store())
    _ = try CatimaImport(Data(Self.table.utf8)).run(into: one)
    let report = try CatimaImport(CatimaExport.zip(one)).run(into: other)
    #expect(report == .init(added: 2, known: 0, remarks: []))
    let (before, after) = (try all(one), try all(other))
    for (card, copy) in zip(before, after) {
      #expect(card.id == copy.id)
      var copy = copy
      // Pictures were compressed anew.
      (copy.front, copy.back) = (card.front, card.back)
      #expect(card == copy)
    }
  }

  @Test(
    "What is no file of Catima's is told, and nothing comes in",
    arguments: [
      // With the line at fault, where it is one.
      ("", nil, "empty"), ("hello", nil, "no cards"), ("3\n\n_id\n", nil, "version 3"),
      ("2\n\n_id\n\n_id,store\nx,Shop\n", 6, "not a number"),
      ("_id,store\n1,\n", 2, "store is empty"), ("_id,store\n1,\"Shop\n", 2, "quote"),
      ("PK\u{3}\u{4}garbage", nil, "damaged"),
    ] as [(String, Int?, String)])
  func refused(text: String, line: Int?, words: String) throws {
    let store = try store()
    #expect {
      _ = try CatimaImport(Data(text.utf8)).run(into: store)
    } throws: { error in
      switch error as? ExchangeError {
      case .notCatima(let reason): line == nil && reason.contains(words)
      case .badRow(line, let reason): reason.contains(words)
      default: false
      }
    }
    #expect(try all(store).isEmpty)
  }

  @Test("A photo that is none, and a name that is too long, are told; the rest comes in")
  func remarks() throws {
    let store = try store()
    let long = String(repeating: "n", count: 10_000)
    let table = "_id,store,cardid\n1,Shop,5\n2,\(long),6\n3,<img src=x onerror=alert(1)>,7\n"
    let zip = try ZipArchive.make([
      ("catima.csv", Data(table.utf8)), ("card_1_front.png", Data("no picture".utf8)),
      ("../../../etc/cron.d/x", Data("x".utf8)),
    ])
    let report = try CatimaImport(zip).run(into: store)
    #expect(report.added == 2)
    #expect(report.remarks.count == 2)
    #expect(try all(store).map(\.name).sorted() == ["<img src=x onerror=alert(1)>", "Shop"])
  }

  @Test("An archive that unpacks to more than a wallet has is given up")
  func bomb() throws {
    let zip = try ZipArchive.make([("catima.csv", Data(count: 3 << 20))])
    #expect(zip.count < 1 << 16)
    #expect(throws: ExchangeError.tooLarge(what: "A file")) {
      try ZipArchive.read(zip, limits: .init(size: 1 << 20)) { (_, _) throws(ExchangeError) in }
    }
    #expect(throws: ExchangeError.tooLarge(what: "The number of files")) {
      try ZipArchive.read(zip, limits: .init(entries: 0)) { (_, _) throws(ExchangeError) in }
    }
  }
}
