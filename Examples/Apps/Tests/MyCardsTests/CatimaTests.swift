import CardModel
import CardStore
import Foundation
import ServerSupport
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

  private let scratch: Scratch

  init() throws { scratch = try Scratch("cards") }

  private func store() throws -> CardStore {
    try CardStore(folder: scratch.url.appending(component: UUID().uuidString))
  }

  private func png(_ grey: UInt8) throws -> Data {
    try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 86, height: 54),
      data: Data(repeating: grey, count: 86 * 54)
    ).pngData()
  }

  private func all(_ store: CardStore) throws -> [Card] {
    return try store.cards(.all)
  }

  @Test("A file of Catima's comes in whole: fields, groups and photos")
  func imports() throws {
    let store = try store()
    let zip = try TestZip.make([
      ("catima.csv", Data(Self.table.utf8)), ("card_1_front.png", png(40)),
      ("card_1_back.png", png(200)), ("card_1_icon.png", png(0)),
    ])
    let report = try CatimaImport.run(zip, into: store)
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
    #expect(pool.front == nil && pool.back == nil, "nothing is made up where there is no photo")
  }

  @Test(
    "A day or a moment that no calendar has is left out, and the card comes in",
    arguments: [
      "253402300800000", "-62136000000001", "1e18", "1e300", "inf", "-inf", "nan", "9e99999",
      "-1e18",
    ])
  func noDays(number: String) async throws {
    let store = try store()
    let table = """
      _id,store,expiry,validfrom,lastused,cardid\r
      1,Bakery,\(number),\(number),\(number),7\r

      """
    #expect(try CatimaImport.run(Data(table.utf8), into: store).added == 1)
    let card = try #require(try all(store).first)
    #expect(card.name == "Bakery" && card.cardId == "7")
    #expect(card.expiry == nil && card.validFrom == nil)
    let moment = Double(number).flatMap { $0 > 0 ? Date(secondsSince1970: $0) : nil }
    #expect(card.lastUsed == moment)
    #expect(try await !CatimaExport.zip(store).isEmpty)
  }

  @Test(
    "The first and the last day that there are come in", arguments: ["0001-01-02", "9999-12-30"])
  func lastDays(text: String) throws {
    let day = try #require(CardDate(text))
    let store = try store()
    let milliseconds = try #require(day.start()).timeIntervalSince1970 * 1000
    let table = "_id,store,expiry,cardid\r\n1,Bakery,\(milliseconds),7\r\n"
    #expect(try CatimaImport.run(Data(table.utf8), into: store).added == 1)
    #expect(try all(store).first?.expiry == day)
  }

  @Test("The same file twice makes no card twice, also after a way through Catima")
  func twice() async throws {
    let store = try store()
    #expect(try CatimaImport.run(Data(Self.table.utf8), into: store).added == 2)
    #expect(try CatimaImport.run(Data(Self.table.utf8), into: store).known == 2)
    #expect(try await CatimaImport.run(CatimaExport.zip(store), into: store).known == 2)
    #expect(try all(store).count == 2)
  }

  /// Why a test stops an import.
  private struct Stop: Error {}

  @Test(
    "An import that is stopped leaves nothing in the wallet, however far it was, and comes in whole later",
    arguments: 0..<4)
  func stopped(at call: Int) throws {
    let store = try store()
    let file = try TestFile(
      TestZip.make([
        ("catima.csv", Data(Self.table.utf8)), ("card_1_front.png", png(40)),
        ("card_1_back.png", png(200)), ("card_7_front.png", png(90)),
      ]))
    var calls: [[Int]] = []
    #expect(throws: Stop.self) {
      try CatimaImport(file.url).run(into: store) { done, count in
        if calls.count == call { throw Stop() }
        calls.append([done, count])
      }
    }
    #expect(try store.records().isEmpty)
    calls = []
    let report = try CatimaImport(file.url).run(into: store) { calls.append([$0, $1]) }
    #expect(report.added == 2 && calls == [[0, 2], [0, 2], [1, 2], [2, 2]])
    #expect(try all(store).flatMap(\.pictures).count == 3)
  }

  @Test("A card that was deleted comes in again from a file, as another one")
  func deleted() async throws {
    let store = try store()
    _ = try CatimaImport.run(Data(Self.table.utf8), into: store)
    let export = try await CatimaExport.zip(store)
    let gone = try #require(try all(store).first { $0.name == "Bakery" })
    try store.delete(gone.id)
    #expect(try CatimaImport.run(export, into: store) == .init(added: 1, known: 1, remarks: []))
    let back = try #require(try all(store).first { $0.name == "Bakery" })
    #expect(back.id != gone.id && back.cardId == gone.cardId)
  }

  @Test("What is exported comes back the same in another wallet")
  func roundTrip() async throws {
    let (one, other) = (try store(), try store())
    _ = try CatimaImport.run(Data(Self.table.utf8), into: one)
    let report = try await CatimaImport.run(CatimaExport.zip(one), into: other)
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
      ("", nil, "empty"), ("hello", nil, "no cards"),
      ("3\n\n_id\n", nil, "its version isn't known"),
      ("2\n\n_id\n\n_id,store\nx,Shop\n", 6, "not a number"),
      ("_id,store\n1,\n", 2, "store is empty"), ("_id,store\n1,\"Shop\n", 2, "quote"),
      ("PK\u{3}\u{4}garbage", nil, "damaged"),
    ] as [(String, Int?, String)])
  func refused(text: String, line: Int?, words: String) throws {
    let store = try store()
    #expect {
      _ = try CatimaImport.run(Data(text.utf8), into: store)
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
    let zip = try TestZip.make([
      ("catima.csv", Data(table.utf8)), ("card_1_front.png", Data("no picture".utf8)),
      ("../../../etc/cron.d/x", Data("x".utf8)),
    ])
    let report = try CatimaImport.run(zip, into: store)
    #expect(report.added == 2)
    #expect(report.remarks.map(\.code) == ["notImported", "noPhoto"])
    #expect(report.remarks.map(\.reasons?.first?.code) == ["fieldTooLong", "badPicture"])
    #expect(try all(store).map(\.name).sorted() == ["<img src=x onerror=alert(1)>", "Shop"])
  }

  @Test("An archive that unpacks to more than a wallet has is given up")
  func bomb() throws {
    let zip = try TestZip.make([("catima.csv", Data(count: 3 << 20))])
    #expect(zip.count < 1 << 16)
    let file = try TestFile(zip)
    var reader = ZipReader(file: file.url)
    reader.limits.size = 1 << 20
    #expect(throws: ExchangeError.tooLarge(what: "A file")) {
      try reader.read(where: { _ in true }) { _, _ in true }
    }
    reader.limits = .init(entries: 0)
    #expect(throws: ExchangeError.tooLarge(what: "The number of files")) { try reader.names() }
  }

  @Test("A file is refused at its first bad row, however many follow")
  func firstBadRow() throws {
    let rows = String(repeating: "1,Shop\n", count: 100_000)
    var count = 0
    #expect(throws: ExchangeError.badRow(line: 2, reason: "_id is not a number")) {
      try CSV.read("_id,store\nx,Shop\n" + rows) { (row) throws(ExchangeError) in
        count += 1
        if row.line == 2 { _ = try CatimaTable(parsing: "_id,store\nx,Shop\n" + rows) }
      }
    }
    #expect(count == 2)
  }

  @Test("Other programs read the archive that is made, whole")
  func otherReaders() async throws {
    let store = try store()
    let photos = try [("card_1_front.png", png(40)), ("card_1_back.png", png(200))]
    _ = try CatimaImport.run(
      TestZip.make([("catima.csv", Data(Self.table.utf8))] + photos), into: store)
    let file = try await TestFile(CatimaExport.zip(store))
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let script = """
      import sys, zipfile
      zip = zipfile.ZipFile(sys.argv[1])
      sys.exit(zip.testzip() or len(zip.namelist()) != 3)
      """
    python.arguments = ["-c", script, file.url.path]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
  }
}

/// A file of a test's own.
final class TestFile {
  let url = FileManager.default.temporaryDirectory
    .appending(component: "viewfinder-file-\(UUID().uuidString)")

  init(_ data: Data) throws { try data.write(to: url) }

  deinit { try? FileManager.default.removeItem(at: url) }
}

enum TestZip {
  /// An archive of these files.
  static func make(_ files: [(String, Data)]) throws -> Data {
    let zip = try ZipWriter()
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    return try files.reduce(Data()) { try $0 + zip.add($1.0, $1.1, date: date) } + zip.end()
  }
}

extension CatimaImport {
  /// Imports a file's bytes.
  static func run(_ data: Data, into store: CardStore) throws -> Report {
    let file = try TestFile(data)
    return try CatimaImport(file.url).run(into: store)
  }
}

extension CatimaExport {
  /// The whole file.
  static func zip(_ store: CardStore) async throws -> Data {
    let export = try CatimaExport(of: store)
    var data = Data()
    while let part = try await export.next() { data += part }
    return data
  }
}
