import Checksums
import Foundation
import ServerSupport
import Testing

@testable import FeedServer

/// Where a server of a test keeps files.
enum TestStore: String, CaseIterable, Sendable {
  case folder, s3

  /// Those that can be tried here.
  static let all = Moto.absence == nil ? allCases : [.folder]
}

@Suite("Blobs", .serialized)
struct BlobTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A server with somebody who asks it, and what its store needs.
  private struct Begun {
    var server: Server
    var moto: Moto?
    var options: [String] = []
    var environment: [String: String] = [:]

    /// What is left of uploads.
    func uploads() async throws -> [String] {
      if let moto { return try await moto.uploads() }
      let uploads = server.folder.appending(component: "uploads").path
      return try FileManager.default.contentsOfDirectory(atPath: uploads)
    }
  }

  private func begin(_ store: TestStore) async throws -> Begun {
    guard store == .s3 else { return Begun(server: try await Server(in: scratch)) }
    let moto = try await Moto()
    let environment = moto.environment
    let options = ["--blobs", moto.address()]
    return Begun(
      server: try await Server(in: scratch, options, environment: environment), moto: moto,
      options: options, environment: environment)
  }

  @Test(
    "The store of many processes is tried, too", .disabled(if: Moto.absence != nil, Moto.absence))
  func isThere() { #expect(TestStore.all == TestStore.allCases) }

  @Test(
    "Files of any kind are kept, with their types; pictures are JPEGs as before",
    arguments: TestStore.all)
  func kinds(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    let png = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) + bytes(10)
    let files = [
      (png, "image/png"), (jpeg(), "image/jpeg"), (bytes(3), "application/octet-stream"),
    ]
    for (file, type) in files {
      let name = try await anna.put(file)
      let answer = try await anna.ask("GET", "v1/blobs/\(name)")
      #expect(answer.body == file)
      #expect(answer["Content-Type"] == type)
      #expect(answer["ETag"] == "\"\(name)\"")
      #expect(answer["Repr-Digest"] == ReprDigest.field(hexadecimal: name.text))
      #expect(try await anna.ask("PUT", "v1/blobs/\(name)", body: file).status == 200)
    }
    let other = png + bytes(1)
    let answer = try await anna.ask("PUT", "v1/pictures/\(BlobName(of: other))", body: other)
    #expect(answer.status == 415)
    #expect(answer.error == "That isn't image/jpeg, whole to its end.")
  }

  @Test("A part of a blob is had by its range", arguments: TestStore.all)
  func ranges(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    let file = bytes(1_000_000)
    let name = try await anna.put(file)
    let part = try await anna.ask("GET", "v1/blobs/\(name)", ["Range": "bytes=700000-"])
    #expect(part.status == 206)
    #expect(part.body == file.dropFirst(700_000))
    #expect(part["Content-Range"] == "bytes 700000-999999/1000000")
    #expect(
      try await anna.ask("GET", "v1/blobs/\(name)", ["Range": "bytes=1000000-"]).status == 416)
  }

  @Test(
    "A blob comes in parts, and goes on where it stopped when the server was started anew",
    arguments: TestStore.all)
  func parts(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    let file = bytes(300_000)
    let name = BlobName(of: file)
    #expect(try await anna.ask("HEAD", "v1/blobs/\(name)")["Upload-Offset"] == nil)
    #expect(try await anna.patch(file[..<100_000], of: name, at: 0).status == 202)
    #expect(await begun.server.process.end() == 0)
    let process = try await FeedServerProcess.start(
      in: begun.server.folder, begun.options, environment: begun.environment)
    let again = APIClient(process.address, token: anna.token)
    let head = try await again.ask("HEAD", "v1/blobs/\(name)")
    #expect(head.status == 404)
    #expect(head["Upload-Offset"] == "100000")
    let wrong = try await again.patch(file[100_000...], of: name, at: 99_999, isLast: true)
    #expect(wrong.status == 409)
    #expect(wrong["Upload-Offset"] == "100000")
    let last = try await again.patch(file[100_000...], of: name, at: 100_000, isLast: true)
    #expect(last.status == 201)
    #expect(last["Repr-Digest"] == ReprDigest.field(hexadecimal: name.text))
    #expect(try await again.ask("GET", "v1/blobs/\(name)").body == file)
    #expect(try await begun.uploads() == [])
  }

  @Test("What doesn't become the blob of its name leaves nothing behind", arguments: TestStore.all)
  func wrong(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    let name = BlobName(of: bytes(50))
    #expect(try await anna.ask("PUT", "v1/blobs/\(name)", body: bytes(50)).status == 422)
    #expect(try await anna.patch(bytes(10), of: name, at: 0).status == 202)
    #expect(try await anna.patch(bytes(10), of: name, at: 10, isLast: true).status == 422)
    #expect(try await anna.ask("HEAD", "v1/blobs/\(name)")["Upload-Offset"] == nil)
    #expect(try await anna.patch(bytes(10), of: name, at: -1).status == 400)
    for name in ["x", "..%2Fbackend.sqlite", String(repeating: "A", count: 64)] {
      #expect(try await anna.ask("GET", "v1/blobs/\(name)").status == 400)
    }
    #expect(try await begun.uploads() == [])
    #expect(try await anna.ask("GET", "v1/me").object["bytes"] as? Int == 0)
  }

  @Test("No more than sixteen uploads of a person have begun", arguments: TestStore.all)
  func tooMany(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    for _ in 0..<16 {
      #expect(try await anna.patch(bytes(1), of: BlobName(of: bytes(9)), at: 0).status == 202)
    }
    let answer = try await anna.patch(bytes(1), of: BlobName(of: bytes(9)), at: 0)
    #expect(answer.status == 429)
    _ = try await anna.put(bytes(9))
  }

  @Test("A large file comes in parts of any size, and whole", arguments: TestStore.all)
  func large(store: TestStore) async throws {
    let begun = try await begin(store)
    let anna = begun.server.anna
    // Parts that a store can join by itself, and some that it can't.
    for sizes in [[8 << 20, 8 << 20, 100], [3 << 20, 6 << 20, 9 << 20, 1]] {
      let count = sizes.reduce(0, +)
      let file = Data(count: count - 64) + bytes(64)
      let name = BlobName(of: file)
      var offset = 0
      for size in sizes {
        let end = offset + size
        let answer = try await anna.patch(
          file[offset..<end], of: name, at: offset, isLast: end == count)
        #expect(answer.status == (end == count ? 201 : 202))
        offset = end
      }
      #expect(try await anna.ask("GET", "v1/blobs/\(name)").body == file)
      let whole = Data(count: count) + bytes(64)
      _ = try await anna.put(whole)
      #expect(try await anna.ask("GET", "v1/blobs/\(BlobName(of: whole))").body == whole)
    }
    #expect(try await begun.uploads() == [])
  }
}

extension Moto {
  /// What is left of uploads.
  func uploads() async throws -> [String] { try await keys("feeds/uploads/") }
}

@Suite(
  "A store of many processes in trouble", .serialized,
  .disabled(if: Moto.absence != nil, Moto.absence))
struct S3TroubleTests {
  @Test("Wrong keys are told to the keeper, and to nobody else")
  func keys() async throws {
    let moto = try await Moto()
    let server = try await Server(
      in: try Scratch(), ["--blobs", moto.address()],
      environment: moto.environment.merging(["AWS_SECRET_ACCESS_KEY": "wrong"]) { $1 })
    let answer = try await server.anna.ask(
      "PUT", "v1/blobs/\(BlobName(of: bytes(9)))", body: bytes(9))
    #expect(answer.status == 503)
    #expect(answer.error == "The server's store has a problem. The server's keeper is told.")
    #expect(await server.process.end() == 0)
    let output = await server.process.output
    #expect(output.contains("It doesn't know the keys in AWS_ACCESS_KEY_ID"))
    #expect(!output.contains("wrong") && !output.contains(moto.credentials.accessKey))
  }

  @Test("Without keys, or with an address that is none, it doesn't start")
  func options() async throws {
    for (address, words) in [
      "s3://blobs": "needs the keys", "s4://blobs": "--blobs is s3://BUCKET",
    ] {
      let failure = await #expect(throws: ServerProcess.Failure.self) {
        _ = try await ServerProcess(
          "feed-server", ["--data", Scratch().url.path, "--blobs", address],
          environment: ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""])
      }
      #expect(failure?.description.contains(words) == true)
    }
  }
}
