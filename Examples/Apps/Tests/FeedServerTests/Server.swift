import Checksums
import Foundation
import ServerSupport
import Testing

@testable import FeedServer

/// A `feed-server` at work, with somebody who asks it.
struct Server: Sendable {
  let folder: URL
  let process: ServerProcess
  let anna: APIClient

  /// Starts one that keeps its data in a folder.
  init(
    in scratch: Scratch, _ options: [String] = [], environment: [String: String] = [:]
  ) async throws {
    folder = scratch.url.appending(component: "data")
    let server = try await FeedServerProcess(in: folder, options, environment: environment)
    process = server.process
    anna = APIClient(process.address, token: server.token)
  }
}

extension APIClient {
  /// Writes a record where none is.
  func put(
    _ id: String, _ members: [String: Any] = [:], in feed: String = "photos"
  ) async throws -> Answer {
    try await put(id, members, in: feed, ["If-None-Match": "*"])
  }

  /// Writes a record in place of a version.
  func put(
    _ id: String, _ members: [String: Any] = [:], in feed: String = "photos", replacing etag: String
  ) async throws -> Answer {
    try await put(id, members, in: feed, ["If-Match": etag])
  }

  private func put(
    _ id: String, _ members: [String: Any], in feed: String, _ fields: [String: String]
  ) async throws -> Answer {
    let record = members.merging(["id": id]) { $1 }
    let body = try JSONSerialization.data(withJSONObject: record)
    return try await ask("PUT", "v1/feeds/\(feed)/records/\(id)", fields, body: body)
  }

  /// Sends a blob; gives its name.
  func put(_ blob: Data) async throws -> BlobName {
    let name = BlobName(of: blob)
    let answer = try await ask("PUT", "v1/blobs/\(name)", body: blob)
    #expect(answer.status == 201)
    return name
  }

  /// Sends a part of a blob.
  func patch(
    _ part: Data, of name: BlobName, at offset: Int, isLast: Bool = false
  ) async throws -> Answer {
    try await ask(
      "PATCH", "v1/blobs/\(name)",
      ["Upload-Offset": "\(offset)", "Upload-Complete": isLast ? "?1" : "?0"], body: part)
  }

  /// The identifiers of a feed's records.
  func ids(in path: String) async throws -> [String] {
    let page = try await ask("GET", path).object
    let entries = page["records"] as? [[String: Any]] ?? []
    return entries.compactMap { ($0["record"] as? [String: Any])?["id"] as? String }
  }
}

extension APIClient.Answer {
  /// The body as a JSON object.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }
  /// What went wrong, for the person.
  var error: String? { object["error"] as? String }
  /// The blobs that the server wants.
  var missing: [String]? { object["missing"] as? [String] }
}

/// A new identifier.
func newID() -> String { UUID().uuidString.lowercased() }

/// Bytes that are no file of a known kind.
func bytes(_ count: Int) -> Data {
  var generator = SystemRandomNumberGenerator()
  return Data((0..<count).map { _ in UInt8.random(in: 0...127, using: &generator) })
}

/// The smallest that counts as a JPEG; each is another one.
func jpeg() -> Data { Data([0xff, 0xd8, 0xff]) + bytes(64) + Data([0xff, 0xd9]) }
