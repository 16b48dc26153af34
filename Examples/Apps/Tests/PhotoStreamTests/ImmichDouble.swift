import Checksums
import Foundation
import ServerSupport
import Synchronization

/// A small server after Immich's published API: API keys, `bulk-upload-check`, uploads, and no photo twice.
final class ImmichDouble: Sendable {
  private struct State {
    var photos: [String: Data] = [:]
    var names: [String] = []
    /// Photos that came whole, those that were there included.
    var uploads = 0
    var refused: Set<String> = []
  }

  /// The tests share the state with connections, which outlive no test.
  private final class Store: Sendable {
    let state = Mutex(State())
  }

  static let key = "an-api-key"
  private let store = Store()
  let server: TestServer

  init() throws {
    let store = store
    server = try TestServer { request, connection in
      let (status, body) = Self.answer(request, store)
      // Without waiting for the end: a proxy waits for this one's.
      connection.send(
        """
        HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r
        Connection: close\r\n\r\n\(body)
        """)
    }
  }

  /// The files that it has.
  var photos: Set<Data> { store.state.withLock { Set($0.photos.values) } }
  /// What they are called.
  var names: [String] { store.state.withLock { $0.names } }
  /// How many uploads came whole.
  var uploads: Int { store.state.withLock { $0.uploads } }

  /// Doesn't take files of a name.
  func refuse(_ name: String) { store.state.withLock { _ = $0.refused.insert(name) } }

  private static func answer(_ request: TestRequest, _ store: Store) -> (String, String) {
    guard request.header("x-api-key") == key else {
      return ("401 Unauthorized", #"{"message": "Invalid API key", "statusCode": 401}"#)
    }
    switch (request.method, request.target) {
    case ("POST", "/api/assets/bulk-upload-check"): return check(request, store)
    case ("POST", "/api/assets"): return upload(request, store)
    default: return ("404 Not Found", #"{"message": "Not Found", "statusCode": 404}"#)
    }
  }

  private struct Check: Codable {
    struct Asset: Codable {
      var id: String
      var checksum: String
    }
    var assets: [Asset]
  }

  private static func check(_ request: TestRequest, _ store: Store) -> (String, String) {
    guard let check = try? JSONDecoder().decode(Check.self, from: request.body) else {
      return ("400 Bad Request", #"{"error": "Bad Request"}"#)
    }
    let results = check.assets.map { asset in
      let known = store.state.withLock { $0.photos[asset.checksum] != nil }
      return known
        ? #"{"id": "\#(asset.id)", "action": "reject", "reason": "duplicate", "assetId": "a", "isTrashed": false}"#
        : #"{"id": "\#(asset.id)", "action": "accept"}"#
    }
    return ("200 OK", #"{"results": [\#(results.joined(separator: ", "))]}"#)
  }

  private static func upload(_ request: TestRequest, _ store: Store) -> (String, String) {
    let parts = parts(of: request)
    let wanted = ["deviceAssetId", "deviceId", "fileCreatedAt", "fileModifiedAt"]
    let dates = wanted.suffix(2).compactMap { name in
      parts[name].flatMap {
        try? Date(String(decoding: $0.data, as: UTF8.self), strategy: .iso8601)
      }
    }
    guard let file = parts["assetData"], let name = file.name, dates.count == 2,
      wanted.allSatisfy({ parts[$0] != nil })
    else { return ("400 Bad Request", #"{"error": "Bad Request"}"#) }
    var hash = SHA1()
    file.data.withUnsafeBytes { hash.update($0) }
    let checksum = hash.digest().map { String(format: "%02x", $0) }.joined()
    guard request.header("x-immich-checksum") == checksum else {
      return ("400 Bad Request", #"{"error": "the checksum is another's"}"#)
    }
    return store.state.withLock { state in
      guard !state.refused.contains(name) else {
        return ("400 Bad Request", #"{"error": "Unsupported file type"}"#)
      }
      state.uploads += 1
      guard state.photos.updateValue(file.data, forKey: checksum) == nil else {
        return ("200 OK", #"{"id": "a", "status": "duplicate"}"#)
      }
      state.names.append(name)
      return ("201 Created", #"{"id": "a", "status": "created"}"#)
    }
  }

  /// The parts of a form (RFC 7578).
  private static func parts(of request: TestRequest) -> [String: (name: String?, data: Data)] {
    guard let type = request.header("Content-Type"), let mark = type.range(of: "boundary=") else {
      return [:]
    }
    let boundary = Data("--\(type[mark.upperBound...])".utf8)
    var (parts, rest) = ([String: (name: String?, data: Data)](), request.body)
    while let begin = rest.range(of: boundary),
      let end = rest.range(of: Data("\r\n".utf8) + boundary, in: begin.upperBound..<rest.endIndex),
      let split = rest.range(of: Data("\r\n\r\n".utf8), in: begin.upperBound..<end.lowerBound)
    {
      let head = String(decoding: rest[begin.upperBound..<split.lowerBound], as: UTF8.self)
      if let name = head.firstMatch(of: /; name="(.*?)"/) {
        let file = head.firstMatch(of: /filename="(.*?)"/).map { String($0.1) }
        parts[String(name.1)] = (file, Data(rest[split.upperBound..<end.lowerBound]))
      }
      rest = Data(rest[(end.lowerBound + 2)...])
    }
    return parts
  }
}
