import Checksums
import FeedClient
import Foundation
import ViewfinderLibrary

/// An Immich server, by its published API: `bulk-upload-check` and uploads with `x-immich-checksum`.
///
/// The key needs the permission `asset.upload` alone. What a person threw into Immich's trash isn't sent again.
public struct Immich: ExportService {
  private let url: URL
  private let key: String
  private let exchange: HTTPExchange

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - url: Where the server is, as a browser shows it.
  ///   - key: An API key.
  ///   - limits: How long and how large the server's answers may be.
  public init(url: URL, key: String, limits: HTTPLimits = HTTPLimits()) {
    (self.url, self.key) = (url, key)
    exchange = HTTPExchange(address: HTTPExchange.name(of: url), token: nil, limits: limits)
  }

  /// Where the server is.
  public var address: String { exchange.address }

  /// The server and who sends; another key may be another person's.
  public var account: String { "immich \(address) \(key)" }

  /// Many at once: the server looks for hashes alone.
  public var batch: Int { 200 }

  // MARK: What is there

  private struct Check: Encodable {
    struct Photo: Encodable {
      var id: String
      var checksum: String
    }
    var assets: [Photo]
  }

  private struct Checked: Decodable {
    struct Photo: Decodable {
      var id: String
      var action: String
      var reason: String?
    }
    var results: [Photo]
  }

  /// Asks by the hashes which photos are not there, not even in the trash.
  public func lacking(_ photos: [ExportPhoto]) async throws -> Set<BlobName> {
    let check = Check(
      assets: photos.map { .init(id: $0.name.text, checksum: Self.checksum($0)) })
    let answer = try await exchange.send(
      .POST, place("bulk-upload-check"), fields(["Content-Type": "application/json"]),
      body: HTTPBody(JSONEncoder().encode(check)), limit: exchange.limits.page)
    let checked = try read(Checked.self, answer)
    let known = checked.results.filter { $0.action == "reject" && $0.reason == "duplicate" }
    return Set(photos.map(\.name)).subtracting(known.compactMap { BlobName($0.id) })
  }

  private static func checksum(_ photo: ExportPhoto) -> String {
    photo.sha1.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Sending

  private struct Uploaded: Decodable {
    var id: String
    var status: String
  }

  /// Sends a photo as a form.
  public func put(_ photo: ExportPhoto, _ file: HTTPBody) async throws {
    let boundary = "photo-\(UUID().uuidString)"
    let modified = photo.modified.formatted(.iso8601)
    let fields = [
      // Servers before version 3 want these two.
      ("deviceAssetId", photo.name.text), ("deviceId", "photo-stream"),
      // The server takes what the photo itself says for more.
      ("fileCreatedAt", photo.taken?.instant?.formatted(.iso8601) ?? modified),
      ("fileModifiedAt", modified),
    ]
    let form = fields.map { name, value in
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    let head = """
      \(form.joined())--\(boundary)\r
      Content-Disposition: form-data; name="assetData"; filename="\(Self.quoted(photo.fileName))"\r
      Content-Type: \(photo.type)\r
      \r\n
      """
    let body = HTTPBody(joining: [
      HTTPBody(Data(head.utf8)), file, HTTPBody(Data("\r\n--\(boundary)--\r\n".utf8)),
    ])
    let answer = try await exchange.send(
      .POST, place(),
      self.fields([
        "Content-Type": "multipart/form-data; boundary=\(boundary)",
        "x-immich-checksum": Self.checksum(photo),
      ]), body: body, limit: 1 << 20)
    _ = try read(Uploaded.self, answer)
  }

  /// A file's name within quotes, as browsers escape it in forms.
  private static func quoted(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  // MARK: Requests

  private func place(_ name: String? = nil) -> URL {
    let assets = url.appending(path: "api/assets")
    return name.map { assets.appending(component: $0) } ?? assets
  }

  private func fields(_ more: [String: String]) -> [String: String] {
    more.merging(["x-api-key": key, "Accept": "application/json"]) { $1 }
  }

  private func read<T: Decodable>(_ type: T.Type, _ answer: HTTPAnswer) throws -> T {
    switch answer.status {
    case 200, 201:
      if answer.isPage { throw FeedError.intercepted(address: address) }
      guard let value = try? JSONDecoder().decode(type, from: answer.body) else {
        throw ExportError.notThere(address: address, service: "Immich server")
      }
      return value
    case 401, 403:
      throw ExportError.notAllowed(
        address: address, secret: "the API key, or the key lacks the permission asset.upload")
    case 404, 405: throw ExportError.notThere(address: address, service: "Immich server")
    default: throw answer.error(from: address)
    }
  }
}
