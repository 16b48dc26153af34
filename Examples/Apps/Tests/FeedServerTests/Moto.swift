import Foundation
import ServerSupport
import Testing

@testable import FeedServer

/// A server that speaks S3 and refuses wrong signatures: moto's, with a user who may use one bucket.
///
/// It lets three calls pass unsigned, which make the user, the key and what the user may do.
final class Moto: Sendable {
  /// Where `moto_server` is, in the folder that `VIEWFINDER_MOTO` names; `nil` where it isn't.
  static let program: String? = ProcessInfo.processInfo.environment["VIEWFINDER_MOTO"]
    .map { "\($0)/bin/moto_server" }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

  /// Why tests that need it are skipped; `nil` where they aren't, or must not be.
  static let absence: Comment? =
    program != nil || ProcessInfo.processInfo.environment["VIEWFINDER_NEEDS_MOTO"] != nil
    ? nil : "VIEWFINDER_MOTO names no folder with moto_server; Examples/Apps/check makes one"

  private let process: Process
  let port: Int
  let key: String
  let secret: String

  static let bucket = "blobs"

  /// What `--blobs` gets.
  var address: String { "s3://\(Self.bucket)/feeds?endpoint=http://127.0.0.1:\(port)" }

  /// Starts one.
  init() async throws {
    port = Int.random(in: 20_000..<32_000)
    process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = ["-H", "127.0.0.1", "-p", "\(port)"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "INITIAL_NO_AUTH_ACTION_COUNT": "3"
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let client = APIClient("http://127.0.0.1:\(port)/", token: nil)
    var answer: APIClient.Answer?
    let end = ContinuousClock.now + .seconds(60)
    while answer == nil, ContinuousClock.now < end {
      answer = try? await Self.call(client, "CreateUser&UserName=feeds")
      if answer == nil { try await Task.sleep(for: .milliseconds(100)) }
    }
    let made = try await Self.call(client, "CreateAccessKey&UserName=feeds")
    let text = String(decoding: made.body, as: UTF8.self)
    key = try #require(text.firstMatch(of: /<AccessKeyId>(.+?)</)).1.description
    secret = try #require(text.firstMatch(of: /<SecretAccessKey>(.+?)</)).1.description
    let policy =
      #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
    let escaped = try #require(
      policy.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    _ = try await Self.call(
      client, "PutUserPolicy&UserName=feeds&PolicyName=all&PolicyDocument=\(escaped)")
    _ = try await store().ask("PUT", "")
  }

  /// Asks it for things, signed.
  func store() throws -> S3Client {
    S3Client(
      try #require(S3Address(address)), SignatureV4.Credentials(accessKey: key, secretKey: secret))
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
    #expect(answer.status == 200)
    return answer
  }
}
