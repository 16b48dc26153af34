import Checksums
import Foundation

/// Signs requests to S3: AWS Signature Version 4, in its header, with the payload's hash.
///
/// Source: "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3 API Reference.
public struct SignatureV4: Sendable {
  /// Whose requests they are.
  public struct Credentials: Hashable, Sendable {
    /// Names them.
    public var accessKey: String
    /// What only they know.
    public var secretKey: String
    /// Of credentials for a time.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
      (self.accessKey, self.secretKey) = (accessKey, secretKey)
      self.sessionToken = sessionToken
    }
  }

  let credentials: Credentials
  let region: String

  /// A request, as far as it is signed.
  struct Request {
    var method: String
    /// With a port, if that isn't the scheme's own.
    var host: String
    /// Already escaped, segment by segment.
    var path: String
    var query: [(name: String, value: String)] = []
    /// Fields with small names.
    var headers: [String: String] = [:]
    /// The SHA-256 of the body, in hexadecimal digits.
    var payload: String
  }

  /// The fields that a request needs besides its own.
  func fields(for request: Request, at time: Date) -> [String: String] {
    let (day, moment) = Self.stamps(time)
    var signed = request.headers
    signed["host"] = request.host
    signed["x-amz-content-sha256"] = request.payload
    signed["x-amz-date"] = moment
    if let token = credentials.sessionToken { signed["x-amz-security-token"] = token }
    let names = signed.keys.sorted()
    let list = names.joined(separator: ";")
    let canonical = [
      request.method, request.path, Self.query(request.query),
      names.map { "\($0):\(Self.trimmed(signed[$0] ?? ""))\n" }.joined(), list, request.payload,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", moment, scope, Self.hexadecimal(SHA256.hash(data: Data(canonical.utf8))),
    ].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secretKey)".utf8)
    for part in [day, region, "s3", "aws4_request"] { key = Self.hmac(part, key: key) }
    let signature = Self.hexadecimal(Self.hmac(text, key: key))
    var fields = signed.filter { $0.key.hasPrefix("x-amz-") && request.headers[$0.key] == nil }
    fields["authorization"] =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(list),Signature=\(signature)"
    return fields
  }

  /// The query as it is signed, and as it stands in the address.
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (escaped($0.name), escaped($0.value)) }
      .sorted { $0 < $1 }
      .map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// Text as it stands in an address: all but letters, digits and "-._~" escaped (RFC 3986).
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String { BlobName(digest: bytes).text }

  /// The day and the moment, in UTC: "20130524" and "20130524T000000Z".
  private static func stamps(_ time: Date) -> (day: String, moment: String) {
    var seconds = time_t(time.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let day = "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
    return (day, "\(day)T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z")
  }

  private static func trimmed(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }

  /// HMAC-SHA-256 (RFC 2104).
  private static func hmac(_ text: String, key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? SHA256.hash(data: Data(key)) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = SHA256.hash(data: Data(block.map { $0 ^ 0x36 }) + Data(text.utf8))
    return SHA256.hash(data: Data(block.map { $0 ^ 0x5c }) + Data(inner))
  }
}
