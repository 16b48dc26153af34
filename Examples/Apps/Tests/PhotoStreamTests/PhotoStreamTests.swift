import Checksums
import FeedClient
import Foundation
import ServerSupport
import Testing
import ViewfinderLibrary

@testable import PhotoStream

@Suite("The photo stream", .serialized)
struct PhotoStreamTests {
  private let scratch: Scratch
  private let server: FeedServerProcess

  init() async throws {
    scratch = try Scratch()
    server = try await FeedServerProcess(in: scratch.url.appending(component: "server"))
  }

  private func device(_ name: String, pictures: [String] = []) async throws -> Device {
    try await Device(
      name, in: scratch, server.process.address, token: server.token, pictures: pictures)
  }

  private var feed: FeedClient {
    get throws {
      FeedClient(
        url: try #require(URL(string: server.process.address)), token: server.token, feed: "photos")
    }
  }

  private func photos() async throws -> [StreamPhoto] {
    try await feed.changes(since: nil).entries.compactMap { StreamRecord($0.json)?.photo }
  }

  @Test("A photo of one device comes into the others' albums byte for byte, once, and back to none")
  func there() async throws {
    let (phone, desk) = (try await device("phone"), try await device("desk"))
    try await phone.run { phoneStream in
      try await desk.run { deskStream in
        let first = try await phone.add("first")
        try await wait("the first") { try await desk.album() == [first] }
        let second = try await desk.add("second")
        try await wait("the second") { try await phone.album() == [second] }
        try await wait("both to rest") {
          phoneStream.status.phase == .idle && deskStream.status.phase == .idle
        }
        #expect(phoneStream.status.sent == 1 && phoneStream.status.received == 1)
        #expect(deskStream.status.sent == 1 && deskStream.status.received == 1)
        #expect(phoneStream.status.person == "anna")
      }
    }
    #expect(try await phone.count() == 2)
    #expect(try await desk.count() == 2)
    let photos = try await photos()
    #expect(Set(photos.map(\.device)) == ["phone", "desk"])
    #expect(photos.allSatisfy { $0.type == "image/jpeg" && $0.size > 100 })
  }

  @Test("A stream isn't idle while a photo on its way is still to be counted")
  func counting() async throws {
    let phone = try await device("phone")
    try await phone.run { stream in
      try await wait("it to rest") { stream.status.phase == .idle }
      let ledger = try await stream.ledger()
      let photo = StreamPhoto(
        name: BlobName(of: Data("photo".utf8)), device: "desk", fileName: "photo.jpg",
        type: "image/jpeg", size: 5, taken: nil)
      stream.board.fetches(photo, done: 5)
      try await stream.tell(ledger)
      #expect(stream.status.phase == .working)
      stream.board.change { $0.fetching = nil }
      stream.board.sends(photo, done: 5)
      try await stream.tell(ledger)
      #expect(stream.status.phase == .working)
      stream.board.change { $0.sending = nil }
      try await stream.tell(ledger)
      #expect(stream.status.phase == .idle)
    }
  }

  @Test("A library that had photos before sends those alone that come from then on")
  func before() async throws {
    let phone = try await device("phone", pictures: ["a", "b", "c"])
    try await phone.run { stream in
      try await phone.add("new")
      try await wait("the new one") { stream.status.sent == 1 }
      try await Task.sleep(for: .milliseconds(500))
      #expect(stream.status.sent == 1)
    }
    #expect(try await photos().count == 1)
  }

  @Test("A photo that is there already isn't fetched")
  func known() async throws {
    let desk = try await device("desk", pictures: ["same"])
    let phone = try await device("phone")
    try await phone.run { stream in
      try await phone.add("same")
      try await wait("it") { stream.status.sent == 1 }
    }
    try await desk.run { stream in
      try await wait("rest") { stream.status.phase == .idle && stream.status.person != nil }
      try await Task.sleep(for: .milliseconds(500))
      #expect(stream.status.received == 0)
    }
    #expect(try await desk.count() == 1)
  }

  @Test("A photo that comes into the library while others are fetched isn't fetched a second time")
  func meanwhile() async throws {
    let (phone, desk) = (try await device("phone"), try await device("desk"))
    for number in 0..<30 { try await phone.add("\(number)") }
    try await phone.run { stream in
      try await wait("all that is sent") { stream.status.sent == 30 }
    }
    try await desk.run { stream in
      try await wait("the first photo") { stream.status.received > 0 }
      // The oldest, which comes last.
      try await desk.add("0")
      try await wait("all photos") { stream.status.received == 29 && stream.status.wanted == 0 }
    }
    #expect(try await desk.count() == 30)
  }

  @Test("The same photo on two devices is one in the stream")
  func twins() async throws {
    let (phone, desk) = (try await device("phone"), try await device("desk"))
    try await phone.add("twin")
    try await desk.add("twin")
    try await phone.run { phoneStream in
      try await desk.run { deskStream in
        try await wait("rest") {
          phoneStream.status.phase == .idle && deskStream.status.phase == .idle
            && phoneStream.status.sent + deskStream.status.sent == 1
        }
      }
    }
    #expect(try await photos().count == 1)
    #expect(try await phone.count() == 1)
    #expect(try await desk.count() == 1)
  }

  @Test("What is deleted from the stream stays in the libraries, and the other way round")
  func deleting() async throws {
    let (phone, desk) = (try await device("phone"), try await device("desk"))
    try await phone.run { _ in
      try await desk.run { stream in
        let (kept, thrown) = (try await phone.add("kept"), try await phone.add("thrown"))
        try await wait("both") { try await desk.album() == [kept, thrown] }
        // Out of the stream.
        let name = BlobName(of: kept)
        let entry = try await feed.changes(since: nil).entries
          .first { StreamRecord($0.json)?.sha256 == name.text }
        _ = try await feed.put(
          StreamRecord(deleted: name).json, id: StreamPhoto.id(of: name), replacing: entry?.etag)
        // Out of a library.
        let all = try await desk.library.album(.all).assets()
        for try await asset in all where try await asset.defaultRepresentation.data() == thrown {
          try await desk.library.deletePermanently([asset])
        }
        try await wait("the deletion") { try await desk.album() == [kept] }
        try await Task.sleep(for: .seconds(1))
        #expect(try await desk.album() == [kept])
        #expect(try await phone.count() == 2)
        #expect(stream.status.received == 2)
      }
    }
    #expect(try await photos().map(\.name) == [BlobName(of: picture("thrown"))])
  }

  @Test(
    "A photo waits while there is no server, and what a program was doing when it ended goes on")
  func away() async throws {
    // Another server may take the port that this one had.
    let proxy = try Proxy(to: server.process.port)
    let address = proxy.url.absoluteString
    let phone = try await Device("phone", in: scratch, address, token: server.token)
    let desk = try await Device("desk", in: scratch, address, token: server.token)
    #expect(await server.process.end() == 0)
    var photo = Data()
    try await phone.run { stream in
      photo = try await phone.add("later")
      try await wait("the reason") { stream.status.phase == .waiting }
      #expect(stream.status.reason?.message.contains("can't be reached") == true)
    }
    let again = try await FeedServerProcess.start(in: server.folder)
    proxy.redirect(to: again.port)
    try await phone.run { stream in
      try await wait("it to be sent") { stream.status.sent == 1 }
    }
    try await desk.run { _ in
      try await wait("it") { try await desk.album() == [photo] }
    }
    // Another start does nothing again.
    try await desk.run { stream in
      try await wait("rest") { stream.status.phase == .idle && stream.status.person != nil }
      #expect(stream.status.received == 0 && stream.status.sent == 0)
    }
    #expect(await again.end() == 0)
  }

  @Test(
    "What a server acknowledged and lost is sent again, whether it had told of it or not",
    arguments: [true, false])
  func restored(isTold: Bool) async throws {
    let proxy = try Proxy(to: server.process.port)
    let phone = try await Device(
      "phone", in: scratch, proxy.url.absoluteString, token: server.token)
    try await phone.run { stream in
      try await phone.add("before")
      try await wait("the first photo") { stream.status.sent == 1 }
      try await Task.sleep(for: .milliseconds(500))
    }
    #expect(await server.process.end() == 0)
    let copy = scratch.url.appending(component: "copy")
    try FeedServerProcess.copy(server.folder, to: copy)
    let again = try await FeedServerProcess.start(in: server.folder)
    proxy.redirect(to: again.port)
    let client = FeedClient(url: proxy.url, token: server.token, feed: "photos")
    let ledger = try StreamLedger(
      try await client.account(), in: phone.folder.appending(component: "stream"))
    let before = try await ledger.cursor()
    try await phone.run { stream in
      try await phone.add("after")
      try await wait("the second photo") { stream.status.sent == 1 }
      if isTold { try await wait("its news") { try await ledger.cursor() != before } }
    }
    // As if it hadn't heard of its own photo.
    if !isTold {
      try await ledger.receive(
        FeedClient.Page(entries: [], cursor: try #require(before), hasMore: false))
      try await ledger.didSend(BlobName(of: picture("after")), etag: "\"its own\"")
    }
    #expect(await again.end() == 0)
    let restored = try await FeedServerProcess.start(in: copy)
    proxy.redirect(to: restored.port)
    try await phone.run { stream in
      try await wait("it to be sent again") { stream.status.sent == 1 }
      try await Task.sleep(for: .milliseconds(500))
      #expect(stream.status.sent == 1)
    }
    let names = try await client.changes(since: nil).entries
      .compactMap { StreamRecord($0.json)?.photo?.name }
    #expect(try Set(names) == [BlobName(of: picture("before")), BlobName(of: picture("after"))])
  }

  @Test("A token that the server doesn't know needs a person, and says so")
  func token() async throws {
    let phone = try await Device(
      "phone", in: scratch, server.process.address, token: "wrong-token")
    try await phone.run { stream in
      try await wait("the refusal") { stream.status.phase == .refused }
      #expect(stream.status.reason?.message.contains("doesn't know the token") == true)
    }
  }

  @Test("What the stream has for too long, or too much of, is named, the oldest first")
  func surplus() async throws {
    let account = FeedClient.Account(server: "s", person: .init(id: "1", name: "anna"))
    let ledger = try StreamLedger(account, in: scratch.url)
    let names = (0..<5).map { BlobName(of: Data([UInt8($0)])) }
    let entries = try names.enumerated().map { index, name in
      let photo = StreamPhoto(
        name: name, device: "d", fileName: "f", type: "image/jpeg", size: 1, taken: nil)
      return FeedClient.Entry(
        etag: "\"\(index)\"", changed: Date(timeIntervalSince1970: 1000 + Double(index)),
        json: try StreamRecord(photo).json)
    }
    try await ledger.receive(FeedClient.Page(entries: entries, cursor: "c", hasMore: false))
    #expect(try await ledger.surplus(beyond: 5, before: nil).map(\.name) == [])
    #expect(try await ledger.surplus(beyond: 3, before: nil).map(\.name) == Array(names[..<2]))
    let before = Date(timeIntervalSince1970: 1001)
    #expect(try await ledger.surplus(beyond: 5, before: before).map(\.etag) == ["\"0\""])
    try await ledger.didRemove(names[0])
    #expect(try await ledger.surplus(beyond: 5, before: before).isEmpty)
  }
  @Test("What the server told of before it answered needn’t be told again, or sent again")
  func toldBefore() async throws {
    let account = FeedClient.Account(server: "s", person: .init(id: "1", name: "anna"))
    let ledger = try StreamLedger(account, in: scratch.url)
    for (name, told) in [("a", "\"2\""), ("b", "\"1\"")] {
      let photo = StreamPhoto(
        name: BlobName(of: Data(name.utf8)), device: "d", fileName: "f", type: "image/jpeg",
        size: 1, taken: nil)
      try await ledger.offer(StreamLedger.Offer(photo: photo, asset: UUID()))
      let entry = FeedClient.Entry(
        etag: told, changed: nil, json: try StreamRecord(photo).json)
      try await ledger.receive(FeedClient.Page(entries: [entry], cursor: name, hasMore: false))
      try await ledger.didSend(photo.name, etag: "\"2\"")
    }
    // Of the other it told another version.
    #expect(try await ledger.unlisted() == [BlobName(of: Data("b".utf8))])
  }
}
