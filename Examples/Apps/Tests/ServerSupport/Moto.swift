import Checksums
import Foundation
import S3

/// A server that speaks S3 and refuses wrong signatures: moto's, with a user who may use one bucket.
///
/// It lets three calls pass unsigned, which make the user, the key and what the user may do.
public final class Moto: Sendable {
  /// Where `moto_server` is, in the folder that `VIEWFINDER_MOTO` names; `nil` where it isn't.
  private static let program: String? = ProcessInfo.processInfo.environment["VIEWFINDER_MOTO"]
    .map { "\($0)/bin/moto_server" }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

  /// Why tests that need it are skipped; `nil` where they aren't, or must not be.
  public static let whyAbsent =
    program != nil || ProcessInfo.processInfo.environment["VIEWFINDER_NEEDS_MOTO"] != nil
    ? nil : "VIEWFINDER_MOTO names no folder with moto_server; Examples/Apps/check makes one"

  private let process: Process
  /// Where it listens.
  public let port: Int
  /// Who asks.
  public let credentials: SignatureV4.Credentials

  /// The bucket.
  public static let bucket = "blobs"

  /// The bucket's address, with a prefix; through another port, if one is given.
  public func address(port: Int? = nil) -> String {
    "s3://\(Self.bucket)/feeds?endpoint=http://127.0.0.1:\(port ?? self.port)"
  }

  /// The keys, as programs get them.
  public var environment: [String: String] {
    [
      "AWS_ACCESS_KEY_ID": credentials.accessKey, "AWS_SECRET_ACCESS_KEY": credentials.secretKey,
    ]
  }

  /// Starts one.
  public init() async throws {
    guard let program = Self.program else { throw POSIXError(.ENOENT) }
    port = Int.random(in: 20_000..<32_000)
    process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-H", "127.0.0.1", "-p", "\(port)"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "INITIAL_NO_AUTH_ACTION_COUNT": "3"
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let client = APIClient("http://127.0.0.1:\(port)/", token: nil)
    try await wait("moto_server") {
      (try? await Self.call(client, "CreateUser&UserName=feeds")) != nil
    }
    let made = XMLElements(try await Self.call(client, "CreateAccessKey&UserName=feeds").body)
    credentials = SignatureV4.Credentials(
      accessKey: made.element("AccessKeyId") ?? "",
      secretKey: made.element("SecretAccessKey") ?? "")
    let policy =
      #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
    let escaped = policy.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    _ = try await Self.call(
      client, "PutUserPolicy&UserName=feeds&PolicyName=all&PolicyDocument=\(escaped)")
    _ = try await ask("PUT", "")
  }

  // It doesn't end on SIGTERM.
  deinit { kill(process.processIdentifier, SIGKILL) }

  private static func call(_ client: APIClient, _ action: String) async throws -> APIClient.Answer {
    let answer = try await client.ask(
      "POST", "",
      [
        "Content-Type": "application/x-www-form-urlencoded",
        // Where it finds the service's name; it doesn't look at the signature yet.
        "Authorization":
          "AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0",
      ], body: Data("Action=\(action)&Version=2010-05-08".utf8))
    guard answer.status == 200 else { throw POSIXError(.EACCES) }
    return answer
  }

  /// Asks it for something in the bucket, by its whole key.
  public func ask(
    _ method: String, _ key: String, query: [(name: String, value: String)] = [],
    payload: Data = Data()
  ) async throws -> APIClient.Answer {
    guard var place = S3Address(address()) else { throw POSIXError(.EINVAL) }
    place.prefix = ""
    let hash = BlobName(of: payload).text
    let request = place.sign(method, key, query: query, payload: hash, credentials)
    return try await APIClient(request.url, token: nil)
      .ask(method, "", request.headers, body: payload)
  }

  /// The keys of the objects that begin with something.
  public func keys(_ start: String) async throws -> [String] {
    let query = [("list-type", "2"), ("prefix", start)]
    return XMLElements(try await ask("GET", "", query: query).body).elements("Key")
  }
}
