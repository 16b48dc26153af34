import Checksums
import FeedClient
import Foundation
import NIOHTTP1
import ViewfinderLibrary

/// A folder of a server that speaks WebDAV (RFC 4918), such as Nextcloud's.
///
/// Photos are at `2026/11/IMG_0001-HASH.jpg`, by the month of their own clock, or in `Undated`. A photo is written
/// under another name and renamed, so that there is no half one; it is there where its file has its size.
public struct WebDAV: ExportService {
  private let url: URL
  private let user: String
  private let exchange: HTTPExchange
  private let credentials: String

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - url: The folder, which is made where it is missing; the one around it must be there. Nextcloud's are at
  ///     `https://HOST/remote.php/dav/files/USER/FOLDER`.
  ///   - user: Who sends.
  ///   - password: Their password; for Nextcloud an app password.
  ///   - limits: How long and how large the server's answers may be.
  public init(url: URL, user: String, password: String, limits: HTTPLimits = HTTPLimits()) {
    (self.url, self.user) = (url, user)
    credentials = Data("\(user):\(password)".utf8).base64EncodedString()
    exchange = HTTPExchange(address: HTTPExchange.name(of: url), token: nil, limits: limits)
  }

  /// Where the folder is.
  public var address: String { exchange.address }

  /// The folder and who sends.
  public var account: String { "webdav \(address) \(user)" }

  /// Few at once: each is a request.
  public var batch: Int { 20 }

  // MARK: What is there

  /// Asks for the size of each photo's file.
  public func lacking(_ photos: [ExportPhoto]) async throws -> Set<BlobName> {
    var lacking: Set<BlobName> = []
    for photo in photos where try await size(of: place(of: photo)) != photo.size {
      lacking.insert(photo.name)
    }
    return lacking
  }

  /// A file's size, in bytes; `nil` where there is none.
  private func size(of place: URL) async throws -> Int? {
    let question = """
      <?xml version="1.0" encoding="utf-8"?>
      <propfind xmlns="DAV:"><prop><getcontentlength/></prop></propfind>
      """
    let answer = try await send(
      .PROPFIND, place, ["Depth": "0", "Content-Type": "application/xml; charset=utf-8"],
      HTTPBody(Data(question.utf8)))
    if answer.status == 404 { return nil }
    // Nobody else on the way answers with "Multi-Status".
    guard answer.status == 207 else { throw error(answer) }
    let text = String(decoding: answer.body, as: UTF8.self)
    return text.firstMatch(of: /<(?:\w+:)?getcontentlength[^>]*>\s*(\d+)\s*</).flatMap { Int($0.1) }
  }

  private func place(of photo: ExportPhoto) -> URL {
    (photo.folders + [photo.uniqueName]).reduce(url) { $0.appending(component: $1) }
  }

  // MARK: Sending

  /// Writes a photo aside, and renames it.
  public func put(_ photo: ExportPhoto, _ file: HTTPBody) async throws {
    let place = place(of: photo)
    let draft = place.deletingLastPathComponent()
      .appending(component: "\(photo.uniqueName).uploading")
    let fields = [
      "Content-Type": photo.type,
      // For Nextcloud: the time that its pages show.
      "X-OC-MTime": "\(Int(photo.modified.timeIntervalSince1970))",
    ]
    var answer = try await send(.PUT, draft, fields, file)
    if answer.status == 404 || answer.status == 409 {
      try await makeFolders(of: photo)
      answer = try await send(.PUT, draft, fields, file)
    }
    guard [200, 201, 204].contains(answer.status) else { throw error(answer) }
    answer = try await send(
      .MOVE, draft, ["Destination": place.absoluteString, "Overwrite": "T"], nil)
    // It may be moved already, by a request whose answer was lost; who asks next sees.
    guard [201, 204, 404].contains(answer.status) else { throw error(answer) }
  }

  private func makeFolders(of photo: ExportPhoto) async throws {
    var folder = url
    for name in [nil] + photo.folders {
      if let name { folder = folder.appending(component: name) }
      let answer = try await send(.MKCOL, folder, [:], nil)
      // 405: it is there.
      guard [201, 405].contains(answer.status) else { throw error(answer) }
    }
  }

  // MARK: Requests

  private func send(
    _ method: HTTPMethod, _ place: URL, _ fields: [String: String], _ body: HTTPBody?
  ) async throws -> HTTPAnswer {
    try await exchange.send(
      method, place,
      fields.merging(["Authorization": "Basic \(credentials)"]) { $1 }, body: body,
      limit: 1 << 20)
  }

  private func error(_ answer: HTTPAnswer) -> any Error {
    if answer.isPage, answer.status < 300 { return FeedError.intercepted(address: address) }
    return switch answer.status {
    case 401, 403: ExportError.notAllowed(address: address, secret: "the user or the password")
    case 200..<300, 404, 405, 409, 501:
      ExportError.notThere(address: address, service: "folder that speaks WebDAV")
    // Locked by somebody, such as a draft by an upload whose connection broke.
    case 423:
      FeedError.failed(
        address: address, status: 423, message: "The file is locked.", retryAfter: nil)
    default: answer.error(from: address)
    }
  }
}
