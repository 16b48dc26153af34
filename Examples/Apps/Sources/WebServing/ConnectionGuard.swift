import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Gives a connection its place, and a request's head its time, whatever trickles in; tells who finds no place.
///
/// Comes after the decoder, and before what answers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum State {
    /// So many requests are being answered; with none, the next one's head is waited for.
    case open(requests: Int)
    /// There was no place; that is told when the visitor has asked, or hasn't for a moment.
    case refused
    case toldSo
  }

  /// How long one who is refused may take to ask, and then to go.
  private static let moment = TimeAmount.seconds(1)
  /// After how many seconds one who is refused may find a place.
  private static let retry = 5

  private let places: ConnectionPlaces
  private let headTime: TimeAmount
  private let idleTime: TimeAmount
  private var state = State.refused
  private var deadline: Scheduled<Void>?

  /// Creates a handler for one connection.
  ///
  /// - Parameters:
  ///   - places: Where it takes its place.
  ///   - headTime: How long the first request's head may take.
  ///   - idleTime: How long it may take from an answer to the next request's head.
  init(places: ConnectionPlaces, headTime: TimeAmount, idleTime: TimeAmount) {
    (self.places, self.headTime, self.idleTime) = (places, headTime, idleTime)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
      try? pipeline.addHandler(RequestTarget(), position: .after(decoder))
    }
    let (channel, places) = (context.channel, places)
    if places.enter(channel) { state = .open(requests: 0) }
    channel.closeFuture.whenComplete { _ in places.leave(channel) }
    if case .refused = state {
      end(in: Self.moment, context)
    } else {
      end(in: headTime, context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    switch (state, part) {
    case (.open(let requests), .head(let request)):
      deadline?.cancel()
      // Another visitor may have got the place meanwhile.
      guard requests > 0 || places.serve(context.channel) else { return refuse(request, context) }
      state = .open(requests: requests + 1)
      context.fireChannelRead(data)
    case (.open, _): context.fireChannelRead(data)
    case (.refused, .head(let request)): refuse(request, context)
    case (.refused, _), (.toldSo, _): break
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case (.open(let requests), .end) = (state, unwrapOutboundIn(data)) {
      // What was no request is answered, too.
      state = .open(requests: max(requests - 1, 0))
      if requests == 1 {
        places.wait(context.channel)
        end(in: idleTime, context)
      }
    }
    context.write(data, promise: promise)
  }

  private func end(in time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      if case .refused = state { refuse(nil, context) } else { context.close(promise: nil) }
    }
  }

  private func refuse(_ request: HTTPRequest?, _ context: ChannelHandlerContext) {
    state = .toldSo
    let words =
      "This server answers \(places.count) visitors at a time, and all places are taken. Try again in \(Self.retry) seconds."
    var error = WebError(.serviceUnavailable, words, code: "busy")
    error.retryAfter = Self.retry
    let (type, text) = Self.answer(error, to: request)
    let head = HTTPResponse(
      status: .serviceUnavailable,
      headerFields: [
        .contentType: type, .contentLength: "\(text.utf8.count)", .cacheControl: "no-store",
        .retryAfter: "\(Self.retry)", .connection: "close",
      ])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    // What the visitor still sends is read for a moment: an end at once could overtake the answer.
    context.close(mode: .output, promise: nil)
    end(in: Self.moment, context)
  }

  private static func answer(_ error: WebError, to request: HTTPRequest?) -> (String, String) {
    guard let request, request.wantsPage else {
      let json = (try? JSONEncoder().encode(ErrorReport(error))) ?? Data()
      return ("application/json", String(decoding: json, as: UTF8.self))
    }
    return (
      Asset.Kind.html.rawValue, ErrorPage(error: error, isGerman: request.prefersGerman).html
    )
  }
}

/// Takes the host of an absolute address to what the request says of its host, which such an address would overrule.
///
/// Comes before NIO's types are made to common ones, which lose it. A request that then names two hosts is refused.
private final class RequestTarget: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data),
      let host = head.uri.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/([^\/?#]*)/)?.1,
      head.headers["Host"] != [String(host)]
    else { return context.fireChannelRead(data) }
    head.headers.add(name: "Host", value: String(host))
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
