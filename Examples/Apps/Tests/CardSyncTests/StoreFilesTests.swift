import CardModel
import Foundation
import GRDB
import ServerSupport
import Testing

@testable import CardStore

@Suite("The store's files")
struct StoreFilesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("They are for the person alone, whatever the folder was before")
  func modes() throws {
    let folder = scratch.url.appending(component: "wallet")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let store = try CardStore(folder: folder)
    try store.addCard("a")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var count = 0
    for case let name as String in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
      count += 1
    }
    #expect(count >= 4)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test("A store that a newer version made isn't touched, and the words say so")
  func newerSchema() throws {
    let folder = scratch.url.appending(component: "wallet")
    do {
      let queue = try DatabaseQueue(path: prepare(folder).path)
      var migrator = StoreSchema.migrations
      migrator.registerMigration("of the future") { _ in }
      try migrator.migrate(queue)
      try queue.close()
    }
    let before = try Data(contentsOf: folder.appending(component: "cards.sqlite"))
    #expect(throws: CardStoreError.newerSchema(path: folder.path)) { try CardStore(folder: folder) }
    #expect(try Data(contentsOf: folder.appending(component: "cards.sqlite")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cards.sqlite"])
  }

  @Test("What isn't a database is told, and stays as it is")
  func damaged() throws {
    let folder = scratch.url.appending(component: "wallet")
    let file = prepare(folder)
    let bytes = Data(repeating: 0x20, count: 8192)
    try bytes.write(to: file)
    #expect(throws: CardStoreError.damaged(path: folder.path)) { try CardStore(folder: folder) }
    #expect(try Data(contentsOf: file) == bytes)
  }

  private func prepare(_ folder: URL) -> URL {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(component: "cards.sqlite")
  }

  @Test(
    "Only whole JPEGs are kept as pictures",
    arguments: [
      ("no bytes", Data()), ("a text", Data("not a picture".utf8)),
      ("a PNG", Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
      ("half a JPEG", TestJPEG.make().dropLast(10)),
      ("markers alone", Data([0xff, 0xd8, 0xff, 0xd9])),
      ("no frame", Data([0xff, 0xd8, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x55, 0xff, 0xd9])),
      (
        "a length that leads out",
        Data([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xd9])
      ),
      ("17 MB", TestJPEG.make(size: 17 << 20)),
    ])
  func notAPicture(words: String, data: Data) throws {
    let store = try scratch.store()
    #expect("\(words)") {
      try store.addPicture(data)
    } throws: { error in
      if case CardStoreError.notAPicture = error { true } else { false }
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: scratch.url.appending(path: "wallet/pictures").path)
    #expect(files.isEmpty)
  }

  @Test("A picture is there once, by its hash, and leaves when it isn't itself any more")
  func pictures() throws {
    let store = try scratch.store()
    let jpeg = TestJPEG.make()
    let hash = try store.addPicture(jpeg)
    #expect(try store.addPicture(jpeg) == hash)
    #expect(try store.picture(hash) == jpeg)
    let file = scratch.url.appending(path: "wallet/pictures/\(hash).jpg")
    try TestJPEG.make().write(to: file)
    #expect(try store.picture(hash) == nil)
    #expect(try store.addPicture(jpeg) == hash)
    #expect(try store.picture(hash) == jpeg)
  }

  @Test("A name of a picture can't lead out of the folder")
  func pathOut() {
    for text in ["../cards.sqlite", "/etc/passwd", String(repeating: "../", count: 21) + "a", ""] {
      #expect(PictureHash(text) == nil)
    }
  }

  @Test("Pictures that nothing names go after a day; those of cards stay")
  func tidies() throws {
    let store = try scratch.store()
    let card = try store.addCard("a")
    let lonely = try store.addPicture(TestJPEG.make())
    let fresh = try store.addPicture(TestJPEG.make())
    let folder = scratch.url.appending(path: "wallet/pictures")
    let old = Date() - 100_000
    for hash in card.pictures.union([lonely]) {
      try FileManager.default.setAttributes(
        [.modificationDate: old], ofItemAtPath: folder.appending(component: "\(hash).jpg").path)
    }
    let again = try scratch.store()
    #expect(!again.hasPicture(lonely))
    #expect(again.hasPicture(fresh))
    #expect(card.pictures.allSatisfy(again.hasPicture))
  }

  @Test(
    "A half-typed form's pictures stay as long as it does, and a year where nobody says that it is gone"
  )
  func drafts() throws {
    let store = try scratch.store()
    let folder = scratch.url.appending(path: "wallet/pictures")
    let left = try store.addPicture(TestJPEG.make())
    let given = try store.addPicture(TestJPEG.make())
    let gone = PictureHash(of: Data("gone".utf8))
    let (id, other) = (UUID(), UUID())
    #expect(try store.keepDraft(id, pictures: [left, gone]) == [gone])
    #expect(try store.keepDraft(other, pictures: [given]) == [])
    #expect(try store.keepDraft(other, pictures: []) == [])
    for hash in [left, given] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 40 * 86_400],
        ofItemAtPath: folder.appending(component: "\(hash).jpg").path)
    }
    let again = try scratch.store()
    #expect(again.hasPicture(left) && !again.hasPicture(given))
    // A browser that was cleared never says so.
    let later = try CardStore(folder: scratch.url.appending(component: "wallet")) {
      Date() + 366 * 86_400
    }
    #expect(!later.hasPicture(left))
  }

  @Test(
    "On a full disk nothing is lost and the words say what to do",
    .enabled(if: TestDisk.canMount, "needs to mount a small disk as root"))
  func fullDisk() throws {
    let disk = try TestDisk(megabytes: 3)
    let store = try CardStore(folder: disk.folder)
    let card = try store.addCard("first")
    #expect(throws: CardStoreError.diskFull) {
      while true { _ = try store.addPicture(TestJPEG.make(size: 300_000)) }
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: disk.folder.appending(component: "pictures").path)
    #expect(files.allSatisfy { !$0.hasSuffix(".part") })
    // What is left goes to the database.
    #expect(throws: CardStoreError.diskFull) {
      while true {
        try store.edit(card.id) {
          $0.note = String(repeating: "x", count: 9000) + UUID().uuidString
        }
      }
    }
    #expect(try store.card(card.id)?.name == "first")
    #expect(try CardStore(folder: disk.folder).cards().count == 1)
    #expect(try store.picture(card.front!.picture) != nil)
  }
}
