import Foundation
import ServerSupport
import Testing

@Suite("People and their devices", .serialized)
struct PersonTests {
  private let scratch: Scratch
  private let server: Server
  private var anna: APIClient { server.anna }

  init() async throws {
    scratch = try Scratch()
    server = try await Server(in: scratch)
  }

  @Test("A client is told whose the data is, which feeds there are, and what they take")
  func me() async throws {
    #expect(try await anna.put(newID()).status == 201)
    let me = try await anna.ask("GET", "v1/me").object
    #expect((me["person"] as? [String: String])?["name"] == "anna")
    #expect(UUID(uuidString: me["server"] as? String ?? "") != nil)
    #expect(me["maximumBytes"] as? Int == 1_000_000_000)
    let feeds = me["feeds"] as? [[String: Any]] ?? []
    #expect(feeds.map { $0["name"] as? String } == ["cards", "photos"])
    #expect(feeds.map { $0["records"] as? Int } == [0, 1])
    #expect(feeds.map { $0["maximumBlobBytes"] as? Int } == [16 << 20, 4 << 30])
    #expect(feeds.map { $0["blobTypes"] as? [String] } == [["image/jpeg"], nil])
    let bert = APIClient(
      anna.address, token: try await FeedServerProcess.addToken("bert", in: server.folder))
    let other = try await bert.ask("GET", "v1/me").object
    #expect(other["server"] as? String == me["server"] as? String)
    #expect(
      (other["person"] as? [String: String])?["id"] != (me["person"] as? [String: String])?["id"])
  }

  @Test("A device lets another one in, which has a token of its own, and takes it away again")
  func devices() async throws {
    let made = try await anna.ask("POST", "v1/devices", body: Data(#"{"name":"Phone"}"#.utf8))
    #expect(made.status == 201)
    let token = try #require(made.object["token"] as? String)
    let id = try #require(made.object["id"] as? String)
    let phone = APIClient(anna.address, token: token)
    #expect(try await phone.put(newID()).status == 201)
    let list = try await phone.ask("GET", "v1/devices").object["devices"] as? [[String: Any]] ?? []
    #expect(list.map { $0["name"] as? String } == ["Phone", "first"])
    #expect(list.map { $0["isThis"] as? Bool } == [true, false])
    #expect(list.allSatisfy { $0["seen"] is String && $0["token"] == nil })
    let twice = try await anna.ask("POST", "v1/devices", body: Data(#"{"name":"Phone"}"#.utf8))
    #expect(twice.status == 409)
    // Nobody takes away what is somebody else's.
    let bert = APIClient(
      anna.address, token: try await FeedServerProcess.addToken("bert", in: server.folder))
    #expect(try await bert.ask("DELETE", "v1/devices/\(id)").status == 404)
    #expect(try await anna.ask("DELETE", "v1/devices/\(id)").status == 204)
    #expect(try await phone.ask("GET", "v1/me").status == 401)
    #expect(try await anna.ask("GET", "v1/me").status == 200)
  }

  @Test("What a device calls itself is told beside its name, until another of the person says it")
  func introduction() async throws {
    let second = APIClient(
      anna.address,
      token: try await FeedServerProcess.addToken("anna", device: "Tablet", in: server.folder))
    let bert = APIClient(
      anna.address, token: try await FeedServerProcess.addToken("bert", in: server.folder))
    func clients(_ who: APIClient) async throws -> [String?] {
      let list = try await who.ask("GET", "v1/devices").object["devices"] as? [[String: Any]]
      return (list ?? []).map { $0["client"] as? String }
    }
    func introduce(_ who: APIClient, _ client: String) async throws -> Int {
      try await who.ask("PUT", "v1/me", body: Data(#"{"client":"\#(client)"}"#.utf8)).status
    }
    // In the order of the names: Tablet, first.
    #expect(try await clients(anna) == [nil, nil])
    #expect(try await introduce(anna, "a") == 204)
    #expect(try await introduce(bert, "a") == 204)
    #expect(try await clients(anna) == [nil, "a"])
    #expect(try await introduce(second, "b") == 204)
    #expect(try await introduce(second, "b") == 204)
    #expect(try await clients(anna) == ["b", "a"])
    // It came again by another name.
    #expect(try await introduce(second, "a") == 204)
    #expect(try await clients(anna) == ["a", nil])
    #expect(try await clients(bert) == ["a"])
    for client in ["", #"\u0000"#, String(repeating: "a", count: 101)] {
      #expect(try await introduce(second, client) == 400)
    }
    // Who gets a device's name gets nothing else of it.
    _ = try await FeedServerProcess.addToken("anna", device: "Tablet", in: server.folder)
    #expect(try await clients(anna) == [nil, nil])
  }

  @Test("A device without a name is refused", arguments: ["", "{}", #"{"name":""}"#, "[]"])
  func nameless(body: String) async throws {
    let answer = try await anna.ask("POST", "v1/devices", body: Data(body.utf8))
    #expect(answer.status == 400)
  }

  @Test("The keeper makes a token for each device, by either name of the program")
  func keeper() async throws {
    let second = try await FeedServerProcess.addToken(
      "anna", device: "Tablet", in: server.folder, program: "cards-backend")
    let tablet = APIClient(anna.address, token: second)
    #expect(try await tablet.ask("GET", "v1/me").status == 200)
    #expect(try await anna.ask("GET", "v1/me").status == 200)
    _ = try await FeedServerProcess.addToken("anna", device: "Tablet", in: server.folder)
    #expect(try await tablet.ask("GET", "v1/me").status == 401)
  }

  @Test("A folder that others could read is closed to them")
  func permissions() async throws {
    let folder = scratch.url.appending(component: "open")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try await FeedServerProcess.addToken("anna", in: folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }
}
