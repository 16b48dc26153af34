import Foundation

/// A place in Amazon S3, or in a store that speaks like it: `s3://BUCKET[/PREFIX][?region=REGION][&endpoint=URL]`.
public struct S3Address: Hashable, Sendable {
  /// The bucket.
  public var bucket: String
  /// Before all keys; ends with a slash, if there is one.
  public var prefix: String
  /// The default is `us-east-1`.
  public var region: String
  /// Of a store that isn't Amazon's, which has the bucket in its paths.
  public var endpoint: URL?

  /// Reads an address; `nil` for what isn't one.
  public init?(_ text: String) {
    guard let parts = URLComponents(string: text), parts.scheme == "s3",
      let bucket = parts.host, bucket.wholeMatch(of: /[a-z0-9][a-z0-9.\-]{1,62}/) != nil
    else { return nil }
    self.bucket = bucket
    let folders = parts.path.split(separator: "/")
    prefix = folders.isEmpty ? "" : folders.joined(separator: "/") + "/"
    var items: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      guard ["region", "endpoint"].contains(item.name), let value = item.value else { return nil }
      items[item.name] = value
    }
    region = items["region"] ?? "us-east-1"
    if let text = items["endpoint"] {
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil
      else { return nil }
      endpoint = url
    }
  }

  /// The scheme and host of all requests, and what their paths begin with.
  var place: (scheme: String, host: String, path: String) {
    guard let endpoint else { return ("https", "\(bucket).s3.\(region).amazonaws.com", "/") }
    let port = endpoint.port.map { ":\($0)" } ?? ""
    return (endpoint.scheme ?? "https", (endpoint.host() ?? "") + port, "/\(bucket)/")
  }

  /// A request that is signed.
  public struct SignedRequest: Sendable {
    /// Where it goes.
    public var url: String
    /// All its fields.
    public var headers: [String: String]
  }

  /// Signs a request for something in the bucket.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - key: The object after the prefix, or "" for the bucket.
  ///   - query: The query.
  ///   - headers: Fields with small names.
  ///   - payload: The SHA-256 of the body, in hexadecimal digits.
  ///   - credentials: Who asks.
  /// - Returns: The request.
  public func sign(
    _ method: String, _ key: String, query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], payload: String, _ credentials: SignatureV4.Credentials
  ) -> SignedRequest {
    let place = place
    let object = key.isEmpty ? "" : prefix + key
    let path =
      place.path
      + object.split(separator: "/").map { SignatureV4.escaped($0) }.joined(separator: "/")
    let request = SignatureV4.Request(
      method: method, host: place.host, path: path, query: query, headers: headers,
      payload: payload)
    let signature = SignatureV4(credentials: credentials, region: region)
    let text = SignatureV4.query(query)
    return SignedRequest(
      url: "\(place.scheme)://\(place.host)\(path)\(text.isEmpty ? "" : "?\(text)")",
      headers: headers.merging(signature.fields(for: request, at: .now)) { $1 })
  }
}
