import Checksums
import Foundation
import ServerSupport
import Testing

@Suite("Blobs", .serialized)
struct BlobTests {
  private let scratch: Scratch
  private let server: Server
  private var anna: APIClient { server.anna }

  init() async throws {
    scratch = try Scratch()
    server = try await Server(in: scratch)
  }

  @Test("Files of any kind are kept, with their types; pictures are JPEGs as before")
  func kinds() async throws {
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

  @Test("A part of a blob is had by its range")
  func ranges() async throws {
    let file = bytes(1_000_000)
    let name = try await anna.put(file)
    let part = try await anna.ask("GET", "v1/blobs/\(name)", ["Range": "bytes=700000-"])
    #expect(part.status == 206)
    #expect(part.body == file.dropFirst(700_000))
    #expect(part["Content-Range"] == "bytes 700000-999999/1000000")
    #expect(
      try await anna.ask("GET", "v1/blobs/\(name)", ["Range": "bytes=1000000-"]).status == 416)
  }

  @Test("A blob comes in parts, and goes on where it stopped when the server was started anew")
  func parts() async throws {
    let file = bytes(300_000)
    let name = BlobName(of: file)
    #expect(try await anna.ask("HEAD", "v1/blobs/\(name)")["Upload-Offset"] == nil)
    #expect(try await anna.patch(file[..<100_000], of: name, at: 0).status == 202)
    #expect(await server.process.end() == 0)
    let process = try await ServerProcess("feed-server", ["--data", server.folder.path])
    let anna = APIClient(process.address, token: self.anna.token)
    let head = try await anna.ask("HEAD", "v1/blobs/\(name)")
    #expect(head.status == 404)
    #expect(head["Upload-Offset"] == "100000")
    let wrong = try await anna.patch(file[100_000...], of: name, at: 99_999, isLast: true)
    #expect(wrong.status == 409)
    #expect(wrong["Upload-Offset"] == "100000")
    let last = try await anna.patch(file[100_000...], of: name, at: 100_000, isLast: true)
    #expect(last.status == 201)
    #expect(last["Repr-Digest"] == ReprDigest.field(hexadecimal: name.text))
    #expect(try await anna.ask("GET", "v1/blobs/\(name)").body == file)
    let uploads = server.folder.appending(component: "uploads").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: uploads) == [])
  }

  @Test("What doesn't become the blob of its name leaves nothing behind")
  func wrong() async throws {
    let name = BlobName(of: bytes(50))
    #expect(try await anna.ask("PUT", "v1/blobs/\(name)", body: bytes(50)).status == 422)
    #expect(try await anna.patch(bytes(10), of: name, at: 0).status == 202)
    #expect(try await anna.patch(bytes(10), of: name, at: 10, isLast: true).status == 422)
    #expect(try await anna.ask("HEAD", "v1/blobs/\(name)")["Upload-Offset"] == nil)
    #expect(try await anna.patch(bytes(10), of: name, at: -1).status == 400)
    for name in ["x", "..%2Fbackend.sqlite", String(repeating: "A", count: 64)] {
      #expect(try await anna.ask("GET", "v1/blobs/\(name)").status == 400)
    }
    let uploads = server.folder.appending(component: "uploads").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: uploads) == [])
    #expect(try await anna.ask("GET", "v1/me").object["bytes"] as? Int == 0)
  }

  @Test("No more than sixteen uploads of a person have begun")
  func tooMany() async throws {
    for _ in 0..<16 {
      #expect(try await anna.patch(bytes(1), of: BlobName(of: bytes(9)), at: 0).status == 202)
    }
    let answer = try await anna.patch(bytes(1), of: BlobName(of: bytes(9)), at: 0)
    #expect(answer.status == 429)
    _ = try await anna.put(bytes(9))
  }
}
