import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebServing

/// Blobs, each called by the hash of its content; every person has their own.
struct BlobRoutes: Sendable {
  let records: any RecordEngine
  let blobs: any BlobStore
  let limits: Limits

  func add(to router: Router<FeedContext>) {
    // The first clients know pictures alone, which only the cards had.
    add(to: router, at: "v1/pictures/:hash", for: limits.feeds.filter { $0.name == "cards" })
    add(to: router, at: "v1/blobs/:hash", for: limits.feeds)
  }

  private func add(to router: Router<FeedContext>, at path: RouterPath, for feeds: [Feed]) {
    router.put(path) { request, context in
      let key = try Self.key(of: context)
      if try await blob(key) != nil { return Self.proof(.ok, key.name) }
      let upload = try await blobs.begin()
      do {
        let received = try await receive(request, upload, feeds)
        try await complete(upload, received, key, feeds)
      } catch {
        try? await blobs.discard(upload)
        throw error
      }
      return Self.proof(.created, key.name)
    }
    router.patch(path) { try await resume($0, $1, feeds) }
    router.get(path) { request, context in
      let key = try Self.key(of: context)
      guard let blob = try await blob(key) else {
        throw WebError(.notFound, "There is no such blob.")
      }
      var response = Response.bytes(count: blob.size, type: blob.type, for: request) {
        try await blobs.read(blob.place, $0)
      }
      response.headers[.eTag] = "\"\(key.name)\""
      response.headers[.reprDigest] = ReprDigest.field(hexadecimal: key.name.text)
      return response
    }
    router.head(path) { _, context in
      let key = try Self.key(of: context)
      guard try await blob(key) == nil else { return Self.proof(.ok, key.name) }
      let upload = try await records.upload(key)
      let offset = upload == nil ? nil : try await blobs.received(upload!)
      return Response(status: .notFound, headers: Self.fields(offset: offset))
    }
  }

  /// The blob in the path: 64 small hexadecimal digits.
  private static func key(of context: FeedContext) throws -> BlobKey {
    guard let name = BlobName(try context.parameters.require("hash")) else {
      throw WebError(.badRequest, "A blob's name is its SHA-256 in small hexadecimal digits.")
    }
    return BlobKey(person: context.visitor.person, name: name)
  }

  /// What is counted and there.
  private func blob(_ key: BlobKey) async throws -> Blob? {
    guard let blob = try await records.blob(key),
      try await blobs.size(blob.place) == blob.size
    else { return nil }
    return blob
  }

  // MARK: Answers

  /// An answer that the blob is here.
  private static func proof(_ status: HTTPResponse.Status, _ name: BlobName) -> Response {
    Response(status: status, headers: [.reprDigest: ReprDigest.field(hexadecimal: name.text)])
  }

  private static func fields(offset: Int?) -> HTTPFields {
    offset.map { [.uploadOffset: "\($0)", .uploadComplete: "?0"] } ?? [:]
  }

  // MARK: Uploads

  /// Takes a whole body.
  private func receive(
    _ request: Request, _ upload: String, _ feeds: [Feed]
  ) async throws -> Received {
    let limit = maximum(of: feeds)
    let tooLarge = WebError(.contentTooLarge, "That is more than \(limit) bytes, the most for one.")
    if request.length > limit + Request.patience { throw tooLarge }
    let body = request.body
    if request.length > limit {
      try await request.drain()
      throw tooLarge
    }
    return try await blobs.append(body, to: upload, at: 0, limit: limit)
  }

  private func maximum(of feeds: [Feed]) -> Int { feeds.map(\.maximumBlobBytes).max() ?? 0 }

  /// Takes a part of a blob, where the last one ended (draft-ietf-httpbis-resumable-upload).
  private func resume(
    _ request: Request, _ context: FeedContext, _ feeds: [Feed]
  ) async throws -> Response {
    let key = try Self.key(of: context)
    if try await blob(key) != nil { return Self.proof(.ok, key.name) }
    guard let offset = request.headers[.uploadOffset].flatMap({ Int($0) }), offset >= 0,
      let isComplete = ["?0": false, "?1": true][request.headers[.uploadComplete] ?? "?0"]
    else {
      throw WebError(
        .badRequest, "A part has Upload-Offset: BYTES, and the last one Upload-Complete: ?1.")
    }
    var upload = try await records.upload(key)
    if let known = upload, try await blobs.received(known) == nil { upload = nil }
    if upload == nil {
      upload = try await blobs.begin()
      try await records.setUpload(upload, key)
    }
    guard let upload else { throw HTTPError(.internalServerError) }
    do {
      let limit = maximum(of: feeds)
      let received = try await blobs.append(request.body, to: upload, at: offset, limit: limit)
      guard isComplete else {
        return Response(status: .accepted, headers: Self.fields(offset: received.count))
      }
      try await complete(upload, received, key, feeds)
      try await records.setUpload(nil, key)
      return Self.proof(.created, key.name)
    } catch is UploadConflict {
      var response = try Response.json([
        "error": "The part begins elsewhere than the last one ended, or that is still coming."
      ])
      response.status = .conflict
      let there = try await blobs.received(upload)
      response.headers.append(contentsOf: Self.fields(offset: there))
      return response
    } catch let error as WebError {
      // What can't become the blob isn't kept.
      if error.status.kind == .clientError, error.status != .requestTimeout {
        try await records.setUpload(nil, key)
        try await blobs.discard(upload)
      }
      throw error
    }
  }

  /// Makes an upload the blob that it must be, and counts it.
  private func complete(
    _ upload: String, _ received: Received, _ key: BlobKey, _ feeds: [Feed]
  ) async throws {
    let size = received.count
    let type = MediaType(
      head: try await blobs.read(upload: upload, 0..<min(size, MediaType.headSize)),
      tail: try await blobs.read(upload: upload, max(size - MediaType.tailSize, 0)..<size))
    let blob = Blob(size: size, type: type.name, place: blobs.place(for: upload))
    guard feeds.contains(where: { $0.takes(blob) }) else {
      throw WebError(
        .unsupportedMediaType, "That isn't \(Self.words(for: feeds)), whole to its end.")
    }
    let digest: [UInt8]
    if let known = received.digest {
      digest = known
    } else {
      digest = try await blobs.digest(upload)
    }
    guard BlobName(digest: digest) == key.name else {
      throw WebError(.unprocessableContent, "That isn't the blob of this name.")
    }
    try await records.reserve(blob.place)
    try await blobs.finish(upload)
    do {
      try await records.addBlob(blob, key, limits: limits)
    } catch {
      // Such as where there is no room for it. The sweep deletes it otherwise.
      try? await blobs.delete(blob.place)
      throw error
    }
  }

  private static func words(for feeds: [Feed]) -> String {
    Set(feeds.flatMap { $0.blobTypes ?? [] }).sorted().joined(separator: " or ")
  }
}

extension HTTPField.Name {
  /// What proves a write (RFC 9530).
  static let reprDigest = HTTPField.Name(ReprDigest.name)!
  /// How many bytes of an upload are there (draft-ietf-httpbis-resumable-upload).
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
  /// Whether a part is the last one (draft-ietf-httpbis-resumable-upload).
  static let uploadComplete = HTTPField.Name("Upload-Complete")!
}
