import AsyncHTTPClient
import Checksums
import Foundation
import NIOCore
import NIOHTTP1
import S3
import WebServing

/// Asks a store for things, as the API reference of Amazon S3 describes.
struct S3Client: Sendable {
  let address: S3Address
  private let credentials: SignatureV4.Credentials

  private static let client = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = .seconds(10)
    configuration.timeout.read = .seconds(60)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
    return HTTPClient(configuration: configuration)
  }()

  init(_ address: S3Address, _ credentials: SignatureV4.Credentials) {
    self.address = address
    self.credentials = credentials
  }

  /// What the store answered.
  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: Data

    /// The text of the first element of a name.
    func element(_ name: String) -> String? { XMLElements(body).element(name) }

    /// The texts of all elements of a name.
    func elements(_ name: String) -> [String] { XMLElements(body).elements(name) }
  }

  /// How often a request is tried.
  private static let tries = 4
  /// The longest answer, in bytes.
  private static let maximumAnswer = 16 << 20

  /// Asks; what may be asked twice is asked again after trouble.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - key: The object, or "" for the bucket.
  ///   - query: The query.
  ///   - headers: Fields with small names.
  ///   - body: The body.
  /// - Returns: An answer of 200 to 299, or 404.
  /// - Throws: `WebError` for clients; what is wrong goes to standard error, for the keeper.
  func ask(
    _ method: String, _ key: String, query: [(name: String, value: String)] = [],
    headers: [String: String] = [:], body: Data = Data()
  ) async throws -> Answer {
    var last = ""
    for attempt in 0..<Self.tries {
      if attempt > 0 {
        // A while, longer each time, and not all at once.
        let pause = Double(200 << attempt) * Double.random(in: 0.5...1)
        try await Task.sleep(for: .milliseconds(pause))
      }
      do {
        let answer = try await once(method, key, query, headers, body)
        switch answer.status {
        case 200..<300, 404, 416: return answer
        case 429, 500...: last = "it answers \(answer.status) \(answer.element("Code") ?? "")"
        default: throw Self.refusal(answer)
        }
      } catch let error as WebError {
        throw error
      } catch {
        try Task.checkCancellation()
        last = "\(type(of: error))"
      }
    }
    ServerLog.tell("The store doesn't answer as it should: \(last).")
    throw WebError(
      .serviceUnavailable, "The server's store has a problem. Try again in a moment.")
  }

  private func once(
    _ method: String, _ key: String, _ query: [(name: String, value: String)],
    _ headers: [String: String], _ body: Data
  ) async throws -> Answer {
    let signed = address.sign(
      method, key, query: query, headers: headers, payload: BlobName(of: body).text, credentials)
    var request = HTTPClientRequest(url: signed.url)
    request.method = .RAW(value: method)
    for (name, value) in signed.headers { request.headers.add(name: name, value: value) }
    if !body.isEmpty || method == "PUT" || method == "POST" {
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    let answer = try await Self.client.execute(request, timeout: .seconds(120))
    let data = try await answer.body.collect(upTo: Self.maximumAnswer)
    return Answer(
      status: Int(answer.status.code), headers: answer.headers, body: Data(buffer: data))
  }

  // MARK: Trouble

  /// What the keeper of the server can do; nothing that is secret.
  private static func refusal(_ answer: Answer) -> WebError {
    let code = answer.element("Code") ?? "\(answer.status)"
    let advice =
      switch code {
      case "SignatureDoesNotMatch", "InvalidAccessKeyId", "AuthFailure", "InvalidClientTokenId":
        "It doesn't know the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Set others, and start again."
      case "AccessDenied":
        "The keys may not do that. Allow them to read, write, list and delete in the bucket."
      case "NoSuchBucket": "It has no such bucket. Make it."
      case "RequestTimeTooSkewed": "This machine's clock is wrong. Set it."
      case "PermanentRedirect", "AuthorizationHeaderMalformed":
        "The bucket is in another region. Say which: s3://BUCKET?region=REGION."
      default: "Its documentation says what that means."
      }
    ServerLog.tell("The store refuses a request: \(code). \(advice)")
    return WebError(
      .serviceUnavailable, "The server's store has a problem. The server's keeper is told.")
  }
}
