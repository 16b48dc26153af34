import Checksums
import Foundation
import NIOCore
import S3
import WebServing

/// The store of many processes: a bucket of Amazon S3, or of a server that speaks like it.
///
/// What has come of an upload are objects `uploads/NAME/OFFSET`, so that any process can go on with it. The last
/// request joins them to one object, in the store itself where their sizes allow.
struct S3Blobs: BlobStore {
  private let client: S3Client

  /// Keeps files in a bucket.
  init(_ address: S3Address, _ credentials: SignatureV4.Credentials) {
    client = S3Client(address, credentials)
  }

  /// How much is kept in memory of an upload, and the size of an object's parts, in bytes.
  private static let chunk = 8 << 20
  /// The least size of a part but the last, in bytes.
  private static let least = 5 << 20

  private static var notFound: WebError { WebError(.notFound, "There is no such upload.") }

  // MARK: Uploads

  /// Part of an upload.
  private struct Piece {
    var key: String
    var offset: Int
    var size: Int
  }

  func begin() async throws -> String { UUID().uuidString.lowercased() }

  func received(_ upload: String) async throws -> Int? {
    let pieces = try await pieces(of: upload)
    return pieces.last.map { $0.offset + $0.size } ?? 0
  }

  /// What has come, without gaps.
  private func pieces(of upload: String) async throws -> [Piece] {
    var pieces: [Piece] = []
    for (key, size, _) in try await list("uploads/\(upload)/") {
      guard let offset = key.split(separator: "/").last.flatMap({ Int($0) }) else { continue }
      pieces.append(Piece(key: key, offset: offset, size: size))
    }
    var (whole, end): ([Piece], Int) = ([], 0)
    for piece in pieces.sorted(by: { $0.offset < $1.offset }) where piece.offset == end {
      whole.append(piece)
      end += piece.size
    }
    return whole
  }

  func append<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, to upload: String, at offset: Int, limit: Int
  ) async throws -> Received where Bytes.Element == ByteBuffer {
    if offset > 0 {
      guard try await received(upload) == offset else { throw UploadConflict() }
    } else {
      // What an earlier try left would be taken for a part of this one.
      for piece in try await pieces(of: upload) { try await remove(piece.key) }
    }
    var (count, hash, rest) = (offset, SHA256(), Data())
    for try await buffer in bytes {
      guard count + rest.count + buffer.readableBytes <= limit else {
        throw WebError(.contentTooLarge, "That is more than \(limit) bytes, the most for one.")
      }
      if offset == 0 { buffer.withUnsafeReadableBytes { hash.update($0) } }
      rest.append(contentsOf: buffer.readableBytesView)
      while rest.count >= Self.chunk {
        try await put(rest.prefix(Self.chunk), upload, at: count)
        count += Self.chunk
        rest = Data(rest.dropFirst(Self.chunk))
      }
    }
    if !rest.isEmpty || count == 0 { try await put(rest, upload, at: count) }
    count += rest.count
    return Received(count: count, digest: offset == 0 ? hash.digest() : nil)
  }

  private func put(_ data: Data, _ upload: String, at offset: Int) async throws {
    // So many digits that names sort as numbers do.
    let number = String(repeating: "0", count: max(15 - "\(offset)".count, 0)) + "\(offset)"
    _ = try await found(
      client.ask("PUT", "uploads/\(upload)/\(number)", body: Data(data)))
  }

  func digest(_ upload: String) async throws -> [UInt8] {
    var hash = SHA256()
    for piece in try await pieces(of: upload) {
      let data = try await object(piece.key, 0..<piece.size)
      data.withUnsafeBytes { hash.update($0) }
    }
    return hash.digest()
  }

  func read(upload: String, _ range: Range<Int>) async throws -> Data {
    var data = Data()
    for piece in try await pieces(of: upload) {
      let part = range.clamped(to: piece.offset..<piece.offset + piece.size)
      guard !part.isEmpty else { continue }
      let (start, end) = (part.lowerBound - piece.offset, part.upperBound - piece.offset)
      data += try await object(piece.key, start..<end)
    }
    return data
  }

  func place(for upload: String) -> String { "blobs/\(upload.prefix(2))/\(upload)" }

  func finish(_ upload: String) async throws {
    let pieces = try await pieces(of: upload)
    let place = place(for: upload)
    if let only = pieces.first, pieces.count == 1 {
      _ = try await found(
        client.ask("PUT", place, headers: ["x-amz-copy-source": source(only.key)]))
    } else {
      try await join(pieces, to: place)
    }
    try await discard(upload)
  }

  private func source(_ key: String) -> String {
    "/\(client.address.bucket)/\(client.address.prefix)\(key)"
  }

  /// Joins pieces by a multipart upload.
  private func join(_ pieces: [Piece], to place: String) async throws {
    let begun = try await found(client.ask("POST", place, query: [("uploads", "")]))
    guard let id = begun.element("UploadId") else { throw Self.notFound }
    do {
      // The store itself copies parts, if they are large enough.
      let copies = pieces.dropLast().allSatisfy { $0.size >= Self.least }
      let parts = try await copies ? copy(pieces, place, id) : send(pieces, place, id)
      let answer = try await found(
        client.ask(
          "POST", place, query: [("uploadId", id)], body: XMLElements.joining(parts)))
      // An error can come after the head was sent.
      guard answer.element("Code") == nil else {
        throw WebError(.serviceUnavailable, "The server's store has a problem. Try again.")
      }
    } catch {
      _ = try? await client.ask("DELETE", place, query: [("uploadId", id)])
      throw error
    }
  }

  private func copy(_ pieces: [Piece], _ place: String, _ id: String) async throws -> [String] {
    var etags: [String] = []
    for (index, piece) in pieces.enumerated() {
      let answer = try await found(
        client.ask(
          "PUT", place, query: [("partNumber", "\(index + 1)"), ("uploadId", id)],
          headers: ["x-amz-copy-source": source(piece.key)]))
      etags.append(answer.element("ETag") ?? "")
    }
    return etags
  }

  private func send(_ pieces: [Piece], _ place: String, _ id: String) async throws -> [String] {
    var (etags, rest): ([String], Data) = ([], Data())
    func flush() async throws {
      let answer = try await found(
        client.ask(
          "PUT", place, query: [("partNumber", "\(etags.count + 1)"), ("uploadId", id)],
          body: rest))
      etags.append(answer.headers.first(name: "ETag") ?? "")
      rest = Data()
    }
    for piece in pieces {
      rest += try await object(piece.key, 0..<piece.size)
      if rest.count >= Self.chunk { try await flush() }
    }
    if !rest.isEmpty { try await flush() }
    return etags
  }

  func discard(_ upload: String) async throws {
    for (key, _, _) in try await list("uploads/\(upload)/") { try await remove(key) }
  }

  // MARK: Files

  func size(_ place: String) async throws -> Int? {
    let answer = try await client.ask("HEAD", place)
    guard answer.status == 200 else { return nil }
    return answer.headers.first(name: "Content-Length").flatMap { Int($0) }
  }

  func read(_ place: String, _ range: Range<Int>) async throws -> Data {
    try await object(place, range)
  }

  func delete(_ place: String) async throws { try await remove(place) }

  func sweep(olderThan time: Date) async throws {
    for (key, _, changed) in try await list("uploads/") where changed < time {
      try await remove(key)
    }
    let begun = try await found(client.ask("GET", "", query: [("uploads", "")]))
    let uploads = zip(begun.elements("Key"), begun.elements("UploadId"))
    for ((key, id), date) in zip(uploads, begun.elements("Initiated")) {
      guard let begun = Self.date(date), begun < time, key.hasPrefix(client.address.prefix) else {
        continue
      }
      let own = String(key.dropFirst(client.address.prefix.count))
      _ = try await client.ask("DELETE", own, query: [("uploadId", id)])
    }
  }

  // MARK: Requests

  private func object(_ key: String, _ range: Range<Int>) async throws -> Data {
    guard !range.isEmpty else { return Data() }
    let field = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    let answer = try await client.ask("GET", key, headers: ["range": field])
    return answer.status == 206 || answer.status == 200 ? answer.body : Data()
  }

  private func remove(_ key: String) async throws { _ = try await client.ask("DELETE", key) }

  /// An answer that isn't 404: what was there a moment ago isn't any more, or the bucket.
  private func found(_ answer: S3Client.Answer) throws -> S3Client.Answer {
    guard answer.status != 404 else { throw Self.notFound }
    return answer
  }

  /// The objects whose keys begin with something.
  private func list(_ start: String) async throws -> [(key: String, size: Int, changed: Date)] {
    var objects: [(key: String, size: Int, changed: Date)] = []
    var next: String?
    let prefix = client.address.prefix
    repeat {
      var query = [("list-type", "2"), ("prefix", prefix + start)]
      if let next { query.append(("continuation-token", next)) }
      let answer = try await found(client.ask("GET", "", query: query))
      let (keys, sizes) = (answer.elements("Key"), answer.elements("Size"))
      for ((key, size), date) in zip(zip(keys, sizes), answer.elements("LastModified")) {
        objects.append(
          (String(key.dropFirst(prefix.count)), Int(size) ?? 0, Self.date(date) ?? .distantPast))
      }
      next = answer.element("NextContinuationToken")
    } while next != nil
    return objects
  }

  private static func date(_ text: String) -> Date? {
    if let date = try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)) {
      return date
    }
    return try? Date(text, strategy: .iso8601)
  }
}
