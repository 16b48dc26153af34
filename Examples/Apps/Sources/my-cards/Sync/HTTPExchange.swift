import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// How long and how large a server's answers may be.
public struct HTTPLimits: Hashable, Sendable {
  /// How long a request and its answer may take.
  ///
  /// The default is a minute.
  public var time = Duration.seconds(60)
  /// How large a page of records may be, in bytes.
  ///
  /// The default is 16 MB.
  public var page = 16 << 20
  /// How large a picture may be, in bytes.
  ///
  /// The default is 16 MB.
  public var picture = 16 << 20

  /// Creates limits with default values.
  public init() {}
}

/// What a server answered, read to its end.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: HTTPHeaders
  var body: Data
}

/// Sends requests, and reads no more and no longer than allowed.
struct HTTPExchange: Sendable {
  /// Where a server is tried again at all, `CardSync` does it.
  private static let client = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(10)
    return HTTPClient(configuration: configuration)
  }()

  /// The server, for error messages.
  let address: String
  let token: String?
  let limits: HTTPLimits

  /// Asks for something, also where the same server has it elsewhere.
  func send(
    _ method: HTTPMethod, _ url: URL, _ headers: [String: String] = [:], body: Data? = nil,
    limit: Int
  ) async throws -> HTTPAnswer {
    var place = url
    for _ in 0..<4 {
      let answer = try await once(method, place, headers, body, limit)
      guard (300..<400).contains(answer.status), answer.status != 304 else { return answer }
      let location = answer.headers.first(name: "Location") ?? ""
      guard let next = URL(string: location, relativeTo: place)?.absoluteURL,
        Self.origin(of: next) == Self.origin(of: url)
      else { throw CardSyncError.redirected(address: address, to: Self.name(of: location)) }
      place = next
    }
    throw CardSyncError.notUnderstood(address: address, reason: "it sends on and on")
  }

  private static func origin(of url: URL) -> [String?] {
    [url.scheme?.lowercased(), url.host()?.lowercased(), url.port.map { "\($0)" }]
  }

  /// Another server's name, without what may be secret.
  private static func name(of location: String) -> String {
    let parts = URLComponents(string: location)
    let host = [parts?.scheme.map { "\($0)://" }, parts?.host, parts?.port.map { ":\($0)" }]
    return parts?.host == nil ? "an address that isn't one" : host.compactMap { $0 }.joined()
  }

  private func once(
    _ method: HTTPMethod, _ url: URL, _ headers: [String: String], _ body: Data?, _ limit: Int
  ) async throws -> HTTPAnswer {
    var request = HTTPClientRequest(url: url.absoluteString)
    request.method = method
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    request.body = body.map { .bytes(ByteBuffer(bytes: $0)) }
    do {
      return try await withTimeLimit { [request] in
        let answer = try await Self.client.execute(request, deadline: .distantFuture)
        let body = try await read(answer, limit)
        return HTTPAnswer(
          status: Int(answer.status.code), headers: answer.headers, body: body)
      }
    } catch let error as CardSyncError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw CardSyncError.unreachable(address: address, reason: Self.words(for: error))
    }
  }

  /// Reads while it comes, so that 2 GB never are in memory.
  private func read(_ answer: HTTPClientResponse, _ limit: Int) async throws -> Data {
    let tooLarge = CardSyncError.tooLarge(address: address, limit: limit)
    if let length = answer.headers.first(name: "Content-Length").flatMap({ Int($0) }),
      length > limit
    {
      throw tooLarge
    }
    var data = Data()
    for try await chunk in answer.body {
      guard data.count + chunk.readableBytes <= limit else { throw tooLarge }
      data.append(contentsOf: chunk.readableBytesView)
    }
    return data
  }

  private func withTimeLimit<T: Sendable>(
    _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: limits.time)
        throw CardSyncError.tooSlow(
          address: address, seconds: Int(limits.time.components.seconds))
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }

  private static func words(for error: any Error) -> String {
    switch error {
    case let error as HTTPClientError where error == .connectTimeout: "nobody answers there"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      "it ended the connection without an answer"
    case is NIOConnectionError, is IOError: "nobody listens there, or the connection broke"
    default: "the connection failed (\(type(of: error)))"
    }
  }
}
