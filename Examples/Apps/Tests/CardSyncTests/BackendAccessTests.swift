import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("Who may ask the backend", .serialized)
struct BackendAccessTests {
  private let scratch: Scratch
  private let backend: Backend

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url)
  }

  /// Adds a record.
  private func add(_ name: String = "a") async throws -> Int {
    let id = UUID().uuidString.lowercased()
    let json = JSONValue.object(["id": .string(id), "name": .string(name)])
    return try await backend.ask(
      "PUT", "v1/records/\(id)", ["If-None-Match": "*"], body: json.data
    ).status
  }

  @Test("Nobody without a token is let in, with a guessed one neither")
  func tokens() async throws {
    #expect(backend.token.count == 32)
    let guesses = [
      "", "x", String(repeating: "0", count: 32), String(backend.token.dropLast()),
      backend.token.uppercased() + "x", "' OR 1=1 --",
    ]
    for path in ["v1/records", "v1/pictures/\(String(repeating: "a", count: 64))", "", "nothing"] {
      for guess in guesses {
        #expect(try await backend.ask("GET", path, token: guess).status == 401)
      }
    }
    let other = try await Backend.addToken("bert", in: backend.folder)
    #expect(try await add() == 201)
    let records = try await backend.ask("GET", "v1/records", token: other).json["records"]
    #expect(records == .array([]))
    // A new token for somebody ends the old one.
    let renewed = try await Backend.addToken("anna", in: backend.folder)
    #expect(try await backend.ask("GET", "v1/records").status == 401)
    #expect(
      try await backend.ask("GET", "v1/records", token: renewed).json["records"]?.array?.count == 1)
  }

  @Test(
    "With another person's token no card goes to them, and it is told; with the right one it goes on"
  )
  func otherPerson() async throws {
    let store = try scratch.store()
    try store.addCard("anna's")
    try await CardSync(store, backend.client()).sync()
    let token = try await Backend.addToken("bert", in: backend.folder)
    try store.addCard("anna's second")
    let wrong = FeedClient(cards: backend.url, token: token)
    let error = try await #require(throws: FeedError.self) {
      try await CardSync(store, wrong).sync()
    }
    #expect(error.needsPerson)
    #expect("\(error)".contains("is bert's, and what is here was exchanged with anna's"))
    #expect(try await wrong.changes(since: nil).entries.isEmpty)
    try await CardSync(store, backend.client()).sync()
    #expect(try await backend.client().changes(since: nil).entries.count >= 2)
  }

  @Test("Tokens aren't on the disk, and nobody else may read what is")
  func secrets() async throws {
    #expect(try await add("secret name") == 201)
    let attributes = try FileManager.default.attributesOfItem(atPath: backend.folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    let jpeg = TestJPEG.make()
    let path = "v1/pictures/\(PictureHash(of: jpeg))"
    #expect(try await backend.ask("PUT", path, body: jpeg).status == 201)
    try TestPostgres.dumpDatabase(
      of: backend.folder, to: backend.folder.appending(component: "dump"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: backend.folder.path)
      .map { backend.folder.appending(path: $0) }
    var names: Set<String> = []
    for file in files
    where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      let data = try Data(contentsOf: file)
      #expect(data.range(of: Data(backend.token.utf8)) == nil)
      names.insert(data == jpeg ? "picture" : file.lastPathComponent)
    }
    let records = TestPostgres.address == nil ? "backend.sqlite" : "dump"
    #expect(names.isSuperset(of: [records, "picture"]))
  }

  @Test(
    "No path leads out of the folder",
    arguments: [
      "v1/pictures/..%2F..%2Fbackend.sqlite", "v1/pictures/../../backend.sqlite",
      "v1/pictures/%2Fetc%2Fpasswd", "v1/pictures/backend.sqlite", "v1/records/..%2Fbackend.sqlite",
      "v1/pictures/" + String(repeating: "A", count: 64),
    ])
  func paths(path: String) async throws {
    for method in ["GET", "PUT"] {
      let answer = try await backend.ask(
        method, path, ["If-None-Match": "*"], body: Data("x".utf8))
      #expect([400, 404, 405].contains(answer.status), "\(method) \(answer.status)")
    }
  }

  @Test("It prints its address, and nothing of anybody's cards or tokens")
  func output() async throws {
    let file = scratch.url.appending(component: "output")
    try Data().write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(component: "cards-backend")
    process.arguments =
      try FeedServerProcess.place(backend.folder) + ["--listen", "127.0.0.1:0"]
    let handle = try FileHandle(forWritingTo: file)
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    defer { process.terminate() }
    try await wait("the address") { try String(contentsOf: file, encoding: .utf8).hasSuffix("/\n") }
    let address = try String(contentsOf: file, encoding: .utf8)
    let url = try #require(URL(string: address.trimmingCharacters(in: .newlines)))
    let store = try scratch.store()
    try store.addCard("secret name")
    try await CardSync(store, FeedClient(cards: url, token: backend.token)).sync()
    let guess = FeedClient(cards: url, token: "guess")
    await #expect(throws: FeedError.notSignedOn(address: guess.address)) {
      try await guess.changes(since: nil)
    }
    await #expect(throws: FeedError.notSignedOn(address: guess.address)) {
      try await guess.put(Data(), id: UUID(), replacing: nil)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == address)
  }
}
