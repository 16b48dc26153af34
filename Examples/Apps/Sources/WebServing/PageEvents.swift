import AsyncAlgorithms
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a page hears of, all of it over one connection: browsers have six for a server, and each tab wants its own.
///
/// ```swift
/// var events = PageEvents()
/// events.add("cards") { _ in store.watch() }
/// events.add(to: router)
/// ```
///
/// A page asks for `/events?topic=0.cards&topic=1.list&1.album=…` and gets Server-Sent Events that are named by those
/// numbers, each with one JSON as its data. The module `/ui/events.js` does so.
public struct PageEvents: Sendable {
  /// Who asks, and for what of a topic.
  public struct Visit: Sendable {
    /// The page's name for itself, the same in its requests' field `Viewfinder-Page`.
    public var page: String?
    /// What the page adds to the topic's name.
    public var parameters: [String: String]
  }

  /// Values until they are ended.
  public typealias Watch<Value> = (values: AsyncStream<Value>, end: @Sendable () -> Void)

  /// One topic for one page.
  private struct Follower: Sendable {
    /// Sends its events, under the name that the page has for it.
    var send: @Sendable (AsyncChannel<String>, String) async -> Void
    var end: @Sendable () -> Void
  }

  private var topics: [String: @Sendable (Visit) throws -> Follower] = [:]

  /// Knows no topic yet.
  public init() {}

  /// Adds a topic.
  ///
  /// - Parameters:
  ///   - topic: Its name: letters.
  ///   - watch: Begins to watch for a page: the value that is so now, then each new one. Where only the newest counts, keep
  ///     only that (`bufferingNewest(1)`), because a page may be slow. What it throws is the answer.
  public mutating func add<Value: Encodable & Sendable>(
    _ topic: String, watch: @escaping @Sendable (Visit) throws -> Watch<Value>
  ) {
    topics[topic] = { visit in
      let (values, end) = try watch(visit)
      return Follower(
        send: { channel, name in
          for await value in values {
            guard let json = try? JSONEncoder().encode(value) else { continue }
            await channel.send("event: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n")
          }
        }, end: end)
    }
  }

  /// Adds the route `/events`.
  ///
  /// - Parameters:
  ///   - router: Where it is added.
  ///   - pause: After how long a comment is sent, so that a quiet stream stays open. The default is 10 seconds.
  public func add(
    to router: some RouterMethods<WebContext>, signOfLifeEvery pause: Duration = .seconds(10)
  ) {
    router.streams(.events).get("events") { request, _ in
      let followers = try wanted(by: request)
      let body = ResponseBody { writer in
        let channel = AsyncChannel<String>()
        var tasks = followers.map { name, follower in
          Task { await follower.send(channel, name) }
        }
        tasks.append(
          Task {
            while !Task.isCancelled {
              await channel.send(":\n\n")
              try? await Task.sleep(for: pause)
            }
          })
        let end: @Sendable () -> Void = { [tasks] in
          for (_, follower) in followers { follower.end() }
          for task in tasks { task.cancel() }
          channel.finish()
        }
        try await ServerEvents.send((channel, end), to: request) { text in
          try await writer.write(ByteBuffer(string: text))
        }
        try await writer.finish(nil)
      }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: body)
    }
  }

  /// The most topics that a page hears of at once.
  private static let most = 16

  private func wanted(by request: Request) throws -> [(name: String, follower: Follower)] {
    let query = request.uri.queryParameters
    let names = query.getAll("topic")
    guard names.count <= Self.most else {
      throw WebError(.badRequest, "A page hears of \(Self.most) topics at most.")
    }
    let page = query["page"].map(String.init)
    var followers: [(name: String, follower: Follower)] = []
    do {
      for name in names {
        let parts = name.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy(\.isNumber),
          let topic = topics[String(parts[1])]
        else { throw WebError(.notFound, "There is nothing to hear of “\(name.prefix(40))”.") }
        let parameters = query.filter { $0.key.hasPrefix("\(parts[0]).") }.map {
          (String($0.key.dropFirst(parts[0].count + 1)), String($0.value))
        }
        let visit = Visit(
          page: page, parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }))
        followers.append((String(parts[0]), try topic(visit)))
      }
    } catch {
      for (_, follower) in followers { follower.end() }
      throw error
    }
    return followers
  }
}

extension HTTPField.Name {
  fileprivate static let viewfinderPage = HTTPField.Name("Viewfinder-Page")!
}

extension Request {
  /// The page that asks, by the name that it has for itself.
  public var page: String? { headers[.viewfinderPage] }
}
