import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// How long and how large a server's answers may be.
public struct HTTPLimits: Hashable, Sendable {
  /// How long a request or its answer may take without going on by 64 KiB, or ending.
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
public struct HTTPAnswer: Sendable {
  /// The status.
  public var status: Int
  /// The fields of its head.
  public var headers: HTTPHeaders
  /// The body, but for what was handed on.
  public var body: Data
}

/// Sends requests, and reads no more and no longer than allowed.
public struct HTTPExchange: Sendable {
  /// Takes a successful answer's bytes as they come.
  public typealias Sink = @Sendable (_ status: Int, ByteBuffer) throws -> Void

  /// Where a server is tried again at all, the caller does it.
  private static let client = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(10)
    // No request may wait for one: see `HTTPTurns`.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1 << 10
    return HTTPClient(configuration: configuration)
  }()
  private static let turns = HTTPTurns(limit: 16)

  /// The server, for error messages.
  public let address: String
  private let token: String?
  /// How long and how large its answers may be.
  public let limits: HTTPLimits

  /// Creates an exchange with a server, which gets a token where there is one.
  public init(address: String, token: String?, limits: HTTPLimits) {
    self.address = address
    self.token = token
    self.limits = limits
  }

  /// An address without user, password and query.
  public static func name(of url: URL) -> String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? ""
  }

  /// Asks for something, also where the same server has it elsewhere.
  ///
  /// - Parameters:
  ///   - method: What to do.
  ///   - url: With what.
  ///   - headers: Fields besides the token.
  ///   - body: What to send; the default is nothing.
  ///   - limit: How large the answer may be, in bytes.
  ///   - wait: How long the server may wait before it answers. The default is no longer than usual.
  ///   - sink: Takes a successful answer's bytes; with `nil`, the default, they are the answer's body.
  /// - Returns: The answer.
  /// - Throws: ``FeedError``, and what `sink` and the body throw.
  public func send(
    _ method: HTTPMethod, _ url: URL, _ headers: [String: String] = [:], body: HTTPBody? = nil,
    limit: Int, wait: Duration = .zero, sink: Sink? = nil
  ) async throws -> HTTPAnswer {
    var request = Request(method: method, headers: headers, body: body, limit: limit)
    (request.wait, request.sink) = (wait, sink)
    var place = url
    for _ in 0..<4 {
      let answer = try await untilAnswered(request, place)
      guard (300..<400).contains(answer.status), answer.status != 304 else { return answer }
      let location = answer.headers.first(name: "Location") ?? ""
      guard let next = URL(string: location, relativeTo: place)?.absoluteURL,
        Self.origin(of: next) == Self.origin(of: url)
      else { throw FeedError.redirected(address: address, to: Self.name(of: location)) }
      place = next
    }
    throw FeedError.notUnderstood(address: address, reason: "it sends on and on")
  }

  private struct Request: Sendable {
    var method: HTTPMethod
    var headers: [String: String]
    var body: HTTPBody?
    var limit: Int
    var wait = Duration.zero
    var sink: Sink?
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

  /// Sends a request again where the server refused it before it had gone whole, and AsyncHTTPClient lost that answer: it
  /// drops the rest of the body then, and misses it later (1.37, when the answer's head is there and its end not yet).
  private func untilAnswered(_ wanted: Request, _ url: URL) async throws -> HTTPAnswer {
    let server = Self.origin(of: url).map { $0 ?? "" }.joined(separator: " ")
    for _ in 0..<4 {
      do {
        // Who waits for news keeps nobody from sending.
        if wanted.wait > .zero { return try await once(wanted, url) }
        return try await Self.turns.take(at: server) { try await once(wanted, url) }
      } catch is LostRefusal {}
    }
    throw FeedError.notUnderstood(
      address: address, reason: "it refuses what is sent before it is there")
  }

  private struct LostRefusal: Error {}

  private func once(_ wanted: Request, _ url: URL) async throws -> HTTPAnswer {
    var request = HTTPClientRequest(url: url.absoluteString)
    request.method = wanted.method
    for (name, value) in wanted.headers { request.headers.add(name: name, value: value) }
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let progress = TransferProgress()
    request.body = wanted.body.map { body in
      .stream(BodyParts(body: body, progress: progress), length: .known(Int64(body.size)))
    }
    do {
      return try await progress.watch(
        every: limits.time, after: wanted.wait,
        tooSlow: FeedError.tooSlow(
          address: address, seconds: Int(limits.time.components.seconds))
      ) { [request] in
        let answer = try await Self.client.execute(request, deadline: .distantFuture)
        let body = try await read(answer, wanted, progress)
        return HTTPAnswer(
          status: Int(answer.status.code), headers: answer.headers, body: body)
      }
    } catch let error as FeedError {
      throw error
    } catch let error as CallerError {
      throw error.cause
    } catch let error as HTTPClientError where error == .bodyLengthMismatch {
      // A body has the size that it says, or throws.
      throw LostRefusal()
    } catch {
      try Task.checkCancellation()
      throw FeedError.unreachable(address: address, reason: Self.words(for: error))
    }
  }

  /// Reads while it comes, so that 2 GB never are in memory.
  private func read(
    _ answer: HTTPClientResponse, _ wanted: Request, _ progress: TransferProgress
  ) async throws -> Data {
    let tooLarge = FeedError.tooLarge(address: address, limit: wanted.limit)
    if let length = answer.headers.first(name: "Content-Length").flatMap({ Int($0) }),
      length > wanted.limit, wanted.method != .HEAD
    {
      throw tooLarge
    }
    let sink = (200..<300).contains(answer.status.code) ? wanted.sink : nil
    var (data, count) = (Data(), 0)
    for try await chunk in answer.body {
      count += chunk.readableBytes
      guard count <= wanted.limit else { throw tooLarge }
      progress.add(chunk.readableBytes)
      if let sink {
        do { try sink(Int(answer.status.code), chunk) } catch { throw CallerError(cause: error) }
      } else {
        data.append(contentsOf: chunk.readableBytesView)
      }
    }
    return data
  }

  private static func words(for error: any Error) -> String {
    switch error {
    case let error as HTTPClientError
    where error == .connectTimeout || error == .getConnectionFromPoolTimeout:
      "nobody answers there"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      "it ended the connection without an answer"
    case is NIOConnectionError, is IOError: "nobody listens there, or the connection broke"
    case let error as HTTPClientError: "the connection failed (\(error.shortDescription))"
    default: "the connection failed (\(type(of: error)))"
    }
  }
}

/// Whether bytes still come or go.
final class TransferProgress: Sendable {
  /// How many bytes at least must come or go in each span of time.
  private static let least = 64 << 10

  private let count = Atomic(0)

  func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

  /// Ends what goes on too slowly.
  func watch<T: Sendable>(
    every time: Duration, after wait: Duration, tooSlow: FeedError,
    _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: wait)
        repeat {
          self.count.store(0, ordering: .relaxed)
          try await Task.sleep(for: time)
        } while self.count.load(ordering: .relaxed) >= Self.least
        throw tooSlow
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}
