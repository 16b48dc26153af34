import Foundation
import Hummingbird
import NIOCore
import Viewfinder
import WebServing

/// What a page, or a program, asks of a live picture: `/stream.mjpg`, `/stats.json` and `/geometry`.
struct LiveRoutes: Sendable {
  private let source: any LiveSource

  /// Creates the routes of a live picture.
  init(_ source: any LiveSource) { self.source = source }

  /// Adds the routes.
  ///
  /// - Parameters:
  ///   - router: Where they are added.
  ///   - path: What comes before their names, such as "picker".
  func add(to router: some RouterMethods<WebContext>, below path: RouterPath = "") {
    let group = router.group(path)
    group.streams(.pictures).get("stream.mjpg") { request, context in stream(request, context) }
    group.get("stats.json") { _, _ in try Response.json(source.report) }
    group.get("geometry") { request, _ in try geometry(request) }
  }

  // MARK: The live picture

  private func stream(_ request: Request, _ context: WebContext) -> Response {
    // What the system holds unsent makes the picture old: keep that to a few frames.
    let limit = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25))
    _ = context.channel.setOption(limit, value: 64 * 1024)
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: LivePart.delimiter))
      try await ServerEvents.send(source.stream.watch(), to: request) { part in
        try await writer.write(part.bytes)
        source.stream.didSend(part)
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "multipart/x-mixed-replace; boundary=\(LivePart.boundary)",
        .cacheControl: "no-store",
      ], body: body)
  }

  private func geometry(_ request: Request) throws -> Response {
    let query = request.uri.queryParameters
    func length(_ name: Substring) throws -> Double {
      guard let length = query[name].flatMap({ Double($0) }), (1...100_000).contains(length) else {
        throw WebError(.badRequest, "width and height are the view's, in points.")
      }
      return length
    }
    let size = CGSize(width: try length("width"), height: try length("height"))
    let gravity = try VideoGravity(word: query["gravity"] ?? "aspect")
    guard
      let geometry = source.geometry(
        viewSize: size, gravity: gravity, isMirrored: query["mirrored"] == "true")
    else { throw source.report.error }
    return try .json(source.outline.map { try GuideReport(geometry, $0) } ?? GuideReport(geometry))
  }
}

extension VideoGravity {
  fileprivate init(word: Substring) throws {
    switch word {
    case "aspect": self = .resizeAspect
    case "fill": self = .resizeAspectFill
    case "stretch": self = .resize
    default: throw WebError(.badRequest, "gravity is aspect, fill or stretch.")
    }
  }
}
