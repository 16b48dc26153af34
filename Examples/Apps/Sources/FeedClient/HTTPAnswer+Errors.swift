import Checksums
import Foundation
import NIOHTTP1
import StrictJSON

extension HTTPAnswer {
  /// The members of the answer's object, as they stand.
  public func members(from address: String) throws -> [String: Data] {
    do { return try StrictJSON.members(of: body) } catch {
      if isPage { throw FeedError.intercepted(address: address) }
      throw FeedError.notUnderstood(address: address, reason: "what it sends isn't JSON")
    }
  }

  /// Whether it is a page for people, such as that of a network which wants them to sign in.
  public var isPage: Bool {
    headers.first(name: "Content-Type")?.lowercased().hasPrefix("text/html") ?? false
  }

  /// Checks that the server itself has what was written or asked for, of which `digest` is the `Repr-Digest`.
  public func prove(_ digest: String, from address: String) throws {
    guard headers[ReprDigest.name].contains(where: { ReprDigest.says(digest, in: $0) }) else {
      throw FeedError.intercepted(address: address)
    }
  }

  /// A strong ETag; a weak one can't be given back in a condition.
  public func etag(from address: String) throws -> String {
    guard let etag = headers.first(name: "ETag"), Self.isStrong(etag) else {
      throw FeedError.notUnderstood(
        address: address, reason: "what it stores has no strong ETag")
    }
    return etag
  }

  /// Whether an ETag names one version alone.
  public static func isStrong(_ etag: String) -> Bool {
    etag.count > 2 && etag.hasPrefix("\"") && etag.hasSuffix("\"")
  }

  /// What a status other than success says.
  public func error(from address: String) -> FeedError {
    switch status {
    case 401, 403: .notSignedOn(address: address)
    case 404: .notUnderstood(address: address, reason: "it has nothing there")
    case 410: .cursorUnknown(address: address)
    case 507: .full(address: address, message: message)
    case 408, 425, 429, 500...:
      .failed(address: address, status: status, message: message, retryAfter: retryAfter)
    default: .rejected(address: address, message: message.isEmpty ? "\(status)" : message)
    }
  }

  /// The server's `{"error": "…"}`, of which only a line is shown.
  private var message: String {
    let text = (try? JSONDecoder().decode(Complaint.self, from: body))?.error ?? ""
    let plain = text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
    return String(String.UnicodeScalarView(plain).prefix(200))
  }

  private struct Complaint: Decodable {
    var error: String
  }

  /// `Retry-After` in seconds or as a date; an hour at most.
  private var retryAfter: Duration? {
    guard let text = headers.first(name: "Retry-After") else { return nil }
    let dates = DateFormatter()
    dates.locale = Locale(identifier: "en_US_POSIX")
    dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let seconds = Double(text) ?? dates.date(from: text)?.timeIntervalSinceNow,
      seconds.isFinite
    else { return nil }
    return .seconds(min(max(seconds, 0), 3600))
  }
}
