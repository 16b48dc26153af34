import Foundation

/// Where blobs are kept: `s3://BUCKET[/PREFIX][?region=REGION][&endpoint=URL]`.
struct S3Address: Hashable, Sendable {
  var bucket: String
  /// Before all keys; ends with a slash, if there is one.
  var prefix: String
  /// The default is `us-east-1`.
  var region: String
  /// Of a store that isn't Amazon's, which has the bucket in its paths.
  var endpoint: URL?

  /// Reads an address; `nil` for what isn't one.
  init?(_ text: String) {
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
}
