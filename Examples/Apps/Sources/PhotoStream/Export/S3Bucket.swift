import Checksums
import FeedClient
import Foundation
import NIOHTTP1
public import S3
import ViewfinderLibrary

/// A bucket of Amazon S3, or of another store that speaks like it.
///
/// Photos are at `PREFIX/2026/11/IMG_0001-HASH.jpg`, by the month of their own clock, or in `Undated`. A photo is there
/// where its object has its size, and its hash in `x-amz-meta-sha256`, which nobody else on the way answers with. A
/// large one goes in parts, of which those that are there aren't sent again.
public struct S3Bucket: ExportService {
  private let place: S3Address
  private let credentials: SignatureV4.Credentials
  private let exchange: HTTPExchange
  /// The size of parts, and of what goes whole at most, in bytes.
  ///
  /// The least that stores take is 5 MiB.
  var partSize = 8 << 20

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - place: The bucket and where in it.
  ///   - credentials: Who sends. They may list the bucket, and read and write objects there.
  ///   - limits: How long and how large the store's answers may be.
  public init(
    _ place: S3Address, _ credentials: SignatureV4.Credentials, limits: HTTPLimits = HTTPLimits()
  ) {
    (self.place, self.credentials) = (place, credentials)
    let host = place.endpoint.map(HTTPExchange.name) ?? "Amazon S3"
    exchange = HTTPExchange(
      address: "\(place.bucket)/\(place.prefix) of \(host)", token: nil, limits: limits)
  }

  /// Where the bucket is.
  public var address: String { exchange.address }

  /// The bucket, where in it, and who sends.
  public var account: String { "s3 \(address) \(credentials.accessKey)" }

  /// Few at once: each is a request.
  public var batch: Int { 20 }

  private func key(of photo: ExportPhoto) -> String {
    (photo.folders + [photo.uniqueName]).joined(separator: "/")
  }

  // MARK: What is there

  /// Asks for each photo's object.
  public func lacking(_ photos: [ExportPhoto]) async throws -> Set<BlobName> {
    var lacking: Set<BlobName> = []
    for photo in photos where try await !has(photo) { lacking.insert(photo.name) }
    return lacking
  }

  private func has(_ photo: ExportPhoto) async throws -> Bool {
    let answer = try await ask(.HEAD, key(of: photo))
    if answer.status == 404 { return false }
    guard answer.status == 200, !answer.isPage else { throw error(answer) }
    return answer.headers.first(name: "Content-Length") == "\(photo.size)"
      && answer.headers.first(name: "x-amz-meta-sha256") == photo.name.text
  }

  // MARK: Sending

  /// Sends a photo whole, or in parts where it is large; the store compares the hashes.
  public func put(_ photo: ExportPhoto, _ file: HTTPBody) async throws {
    let fields = ["content-type": photo.type, "x-amz-meta-sha256": photo.name.text]
    guard photo.size > partSize else {
      let answer = try await ask(
        .PUT, key(of: photo), headers: fields, body: file, payload: photo.name)
      // Who asks next sees whether it is there.
      guard answer.status == 200 else { throw error(answer) }
      return
    }
    // Its parts may have been joined by a request whose answer was lost.
    if try await has(photo) { return }
    var begun = try await begunUpload(photo)
    if begun == nil { begun = try await begin(photo, fields) }
    guard let upload = begun else { throw notUnderstood }
    let there = try await parts(of: upload, photo)
    var etags: [String] = []
    for (index, start) in stride(from: 0, to: photo.size, by: partSize).enumerated() {
      let range = start..<min(start + partSize, photo.size)
      if let part = there[index + 1], part.size == range.count {
        etags.append(part.etag)
      } else {
        etags.append(try await send(file, range, number: index + 1, upload, photo))
      }
    }
    try await join(etags, upload, photo)
  }

  /// An upload of the photo that was begun before; others of it, begun by requests that came twice, are given up.
  private func begunUpload(_ photo: ExportPhoto) async throws -> String? {
    let whole = place.prefix + key(of: photo)
    let answer = try await found(.GET, "", [("prefix", whole), ("uploads", "")])
    // Its key has letters that XML escapes, perhaps: then it is the only one that begins with it.
    let uploads = answer.elements("UploadId")
    for upload in uploads.dropFirst() {
      _ = try await ask(.DELETE, key(of: photo), query: [("uploadId", upload)])
    }
    return uploads.first
  }

  private func begin(_ photo: ExportPhoto, _ fields: [String: String]) async throws -> String {
    let answer = try await found(.POST, key(of: photo), [("uploads", "")], headers: fields)
    guard let upload = answer.element("UploadId") else { throw notUnderstood }
    return upload
  }

  private func parts(
    of upload: String, _ photo: ExportPhoto
  ) async throws -> [Int: (size: Int, etag: String)] {
    let answer = try await found(.GET, key(of: photo), [("uploadId", upload)])
    let (numbers, sizes, etags) = (
      answer.elements("PartNumber"), answer.elements("Size"), answer.elements("ETag")
    )
    guard numbers.count == sizes.count, sizes.count == etags.count else { return [:] }
    var parts: [Int: (size: Int, etag: String)] = [:]
    for (index, number) in numbers.enumerated() {
      if let number = Int(number), let size = Int(sizes[index]) {
        parts[number] = (size, etags[index])
      }
    }
    return parts
  }

  private func send(
    _ file: HTTPBody, _ range: Range<Int>, number: Int, _ upload: String, _ photo: ExportPhoto
  ) async throws -> String {
    // In memory, for its hash comes first.
    let data = try await file.data(in: range)
    let answer = try await ask(
      .PUT, key(of: photo), query: [("partNumber", "\(number)"), ("uploadId", upload)],
      body: HTTPBody(data), payload: BlobName(of: data))
    guard answer.status == 200, let etag = answer.headers.first(name: "ETag") else {
      throw error(answer)
    }
    return etag
  }

  private func join(_ etags: [String], _ upload: String, _ photo: ExportPhoto) async throws {
    let answer = try await found(
      .POST, key(of: photo), [("uploadId", upload)], body: XMLElements.joining(etags))
    // An error can come after the head was sent.
    if let code = answer.element("Code") {
      throw FeedError.failed(address: address, status: 500, message: code, retryAfter: nil)
    }
  }

  // MARK: Requests

  private func ask(
    _ method: HTTPMethod, _ key: String, query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], body: HTTPBody? = nil, payload: BlobName = BlobName(of: Data())
  ) async throws -> HTTPAnswer {
    let request = place.sign(
      method.rawValue, key, query: query, headers: headers, payload: payload.text, credentials)
    guard let url = URL(string: request.url) else { throw notUnderstood }
    return try await exchange.send(
      method, url, request.headers, body: body, limit: exchange.limits.page)
  }

  /// What the store says in XML.
  private func found(
    _ method: HTTPMethod, _ key: String, _ query: [(name: String, value: String)],
    headers: [String: String] = [:], body: Data? = nil
  ) async throws -> XMLElements {
    let answer = try await ask(
      method, key, query: query, headers: headers, body: body.map { HTTPBody($0) },
      payload: BlobName(of: body ?? Data()))
    guard answer.status == 200, !answer.isPage else { throw error(answer) }
    return XMLElements(answer.body)
  }

  private var notUnderstood: FeedError {
    .notUnderstood(address: address, reason: "it doesn't speak like Amazon S3")
  }

  private func error(_ answer: HTTPAnswer) -> any Error {
    if answer.isPage, answer.status < 300 { return FeedError.intercepted(address: address) }
    switch (answer.status, XMLElements(answer.body).element("Code")) {
    case (_, "NoSuchBucket"):
      return ExportError.notThere(address: address, service: "bucket of that name")
    case (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"):
      return ExportError.notAllowed(address: address, secret: "requests for another region")
    // An upload that was given up meanwhile: it begins anew.
    case (404, _):
      return FeedError.failed(
        address: address, status: 404, message: "The upload is gone.", retryAfter: nil)
    case (401, _), (403, _):
      return ExportError.notAllowed(
        address: address,
        secret: "the keys, or they may not list the bucket and read and write objects")
    default: return answer.error(from: address)
    }
  }
}
