import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@Suite("Devices of a person")
struct DeviceTests {
  private let scratch: Scratch
  private let backend: Backend

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url)
  }

  @Test(
    "A device that is let in gets the cards by its code, is seen, and may come no more when it is removed"
  )
  func letIn() async throws {
    let first = try scratch.store("first")
    try first.addCard("a")
    try await CardSync(first, backend.client()).sync()
    let phone = try await backend.client().addDevice(named: "Phone")
    let new = DeviceCode(server: backend.url, token: try #require(phone.token))
    let code = try #require(DeviceCode(new.text + "\n"))
    #expect(code == new)
    let devices = try await backend.client().devices()
    #expect(devices.first { $0.id == phone.id }?.seen == nil)
    #expect(devices.filter(\.isThis).count == 1 && devices.allSatisfy { $0.token == nil })
    let client = FeedClient(cards: code.server, token: code.token)
    let second = try scratch.store("second")
    try await CardSync(second, client).sync()
    #expect(try second.cards().map(\.name) == ["a"])
    #expect(try await client.devices().first { $0.isThis }?.seen != nil)
    try await backend.client().removeDevice(phone.id)
    await #expect(throws: FeedError.notSignedOn(address: client.address)) {
      try await client.devices()
    }
  }

  @Test("A device that doesn't come in time is let in no more; one that came stays")
  func unused() async throws {
    let client = backend.client()
    let (late, quick) = (
      try await client.addDevice(named: "late"), try await client.addDevice(named: "quick")
    )
    _ = try await FeedClient(cards: backend.url, token: quick.token ?? "").account()
    for device in [late, quick] {
      try await client.removeDevice(device.id, ifUnusedAfter: .milliseconds(10))
    }
    let names = try await client.devices().map(\.name)
    #expect(names.contains("quick") && !names.contains("late"))
  }

  @Test("Two devices of one name are refused in the server's words")
  func sameName() async throws {
    _ = try await backend.client().addDevice(named: "Phone")
    await #expect {
      _ = try await backend.client().addDevice(named: "Phone")
    } throws: { error in
      "\(error)".contains("Choose another name")
    }
  }

  @Test(
    "What isn't a code is none",
    arguments: [
      "", "https://feeds.example/?token=abc", "{}",
      #"{"server":"feeds.example","token":"abcdefgh"}"#,
      #"{"server":"file:///etc/passwd","token":"abcdefgh"}"#,
      #"{"server":"http://a.example","token":""}"#,
      #"{"server":"http://a.example","token":"a\r\nHost: b"}"#,
      #"{"server":"http://a.example","token":"\#(String(repeating: "a", count: 2000))"}"#,
    ])
  func noCode(text: String) {
    #expect(DeviceCode(text) == nil)
  }

  @Test("An address that other machines can't reach is told apart")
  func reach() throws {
    func code(_ address: String) throws -> DeviceCode {
      DeviceCode(server: try #require(URL(string: address)), token: "t")
    }
    for address in ["http://127.0.0.1:8090", "http://localhost", "http://[::1]:8090"] {
      #expect(try code(address).isForThisMachine)
    }
    #expect(try !code("http://192.168.1.5:8090").isForThisMachine)
  }
}
