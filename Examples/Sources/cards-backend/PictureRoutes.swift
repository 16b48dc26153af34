import Checksums
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore
import Viewfinder
import WebInterface

/// Pictures, each a file that is called by the hash of its content; every person has their own.
struct PictureRoutes: Sendable {
  let database: BackendDatabase
  let quota: Quota
  let folder: URL

  func add(to router: Router<BackendContext>) {
    router.put("v1/pictures/:hash") { request, context in
      let hash = try Self.hash(of: context)
      if try await has(hash, context.person) { return Self.proof(.ok, hash) }
      let data = Data(buffer: try await request.body(upTo: quota.pictureBytes))
      try Self.check(data, hash)
      try await keep(data, hash, context.person)
      return Self.proof(.created, hash)
    }
    router.get("v1/pictures/:hash") { _, context in
      let hash = try Self.hash(of: context)
      guard try await has(hash, context.person) else { throw HTTPError(.notFound) }
      return Response.jpeg(try Data(contentsOf: file(hash, context.person)))
    }
    router.head("v1/pictures/:hash") { _, context in
      let hash = try Self.hash(of: context)
      guard try await has(hash, context.person) else { return Response(status: .notFound) }
      return Self.proof(.ok, hash)
    }
  }

  /// An answer that the picture is here.
  private static func proof(_ status: HTTPResponse.Status, _ hash: String) -> Response {
    Response(status: status, headers: [.reprDigest: ReprDigest.field(hexadecimal: hash)])
  }

  /// The hash in the path: 64 small hexadecimal digits, and no path out of the folder.
  private static func hash(of context: BackendContext) throws -> String {
    let hash = try context.parameters.require("hash")
    guard hash.wholeMatch(of: /[0-9a-f]{64}/) != nil else {
      throw WebError(.badRequest, "A picture's name is its SHA-256 in small hexadecimal digits.")
    }
    return hash
  }

  private static func check(_ data: Data, _ hash: String) throws {
    guard data.starts(with: [0xff, 0xd8, 0xff]), data.suffix(2) == Data([0xff, 0xd9]) else {
      throw WebError(.unsupportedMediaType, "That isn't a whole JPEG.")
    }
    let digits = SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    guard digits.joined() == hash else {
      throw WebError(.unprocessableContent, "That isn't the picture of this name.")
    }
  }

  private func file(_ hash: String, _ person: Int64) -> URL {
    folder.appending(path: "pictures/\(person)/\(hash).jpg")
  }

  /// Whether the picture is counted and there.
  private func has(_ hash: String, _ person: Int64) async throws -> Bool {
    let isCounted = try await database.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT 1 FROM picture WHERE person = ? AND hash = ?", arguments: [person, hash])
    }
    return isCounted == true && FileManager.default.fileExists(atPath: file(hash, person).path)
  }

  /// Writes the file and counts it; both may be done again after a sudden end in between.
  private func keep(_ data: Data, _ hash: String, _ person: Int64) async throws {
    let file = file(hash, person)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try PhotoFile.write(data, to: file)
    do {
      try await database.write { [quota] db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO picture VALUES (?, ?, ?)",
          arguments: [person, hash, data.count])
        if db.changesCount == 1 { try db.add(bytes: data.count, to: person, quota) }
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }
}
