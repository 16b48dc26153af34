import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import Viewfinder

/// What a page, or a program, asks of a camera: `/stream.mjpg`, `/photo.jpg`, `/stats.json`,
/// `/events` and
/// `/geometry`.
public struct LiveRoutes: Sendable {
  private let camera: LiveCamera
  private let photoQuality: Double

  /// Creates the routes of a camera.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - photoQuality: Of photos, from 0 to 1.
  public init(_ camera: LiveCamera, photoQuality: Double = 0.9) {
    self.camera = camera
    self.photoQuality = photoQuality
  }

  /// Adds the routes.
  public func add(to router: Router<WebContext>) {
    router.get("stream.mjpg") { request, context in stream(request, context) }
    router.get("photo.jpg") { request, _ in try await photo(request) }
    router.get("stats.json") { _, _ in try Response.json(camera.report) }
    router.get("events") { request, _ in events(request) }
    router.get("geometry") { request, _ in try geometry(request) }
  }

  // MARK: The live picture

  private func stream(_ request: Request, _ context: WebContext) -> Response {
    // What the system holds unsent makes the picture old: keep that to a few frames.
    let limit = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25))
    _ = context.channel.setOption(limit, value: 64 * 1024)
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: LivePart.delimiter))
      try await send(camera.stream.watch(), to: request) { part in
        try await writer.write(part.bytes)
        camera.stream.didSend(part)
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

  /// Sends values until the server ends or the visitor goes away, also while there are none.
  private func send<Value: Sendable>(
    _ watch: (values: AsyncStream<Value>, end: @Sendable () -> Void), to request: Request,
    write: (Value) async throws -> Void
  ) async throws {
    try await request.body.consumeWithInboundCloseHandler { _ in
      defer { watch.end() }
      for await value in watch.values.cancelOnGracefulShutdown() { try await write(value) }
    } onInboundClosed: {
      watch.end()
    }
  }

  private func events(_ request: Request) -> Response {
    let body = ResponseBody { writer in
      try await send(camera.watchReports(), to: request) { report in
        let json = try JSONEncoder().encode(report)
        try await writer.write(
          ByteBuffer(string: "data: \(String(decoding: json, as: UTF8.self))\n\n"))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body)
  }

  // MARK: Photos

  private func photo(_ request: Request) async throws -> Response {
    let report = camera.report
    guard report.state == .running else { throw WebError(.serviceUnavailable, report.message) }
    var settings = CapturePhotoSettings()
    settings.quality = photoQuality
    if let words = request.uri.queryParameters["outline"] {
      settings.outline = try OutlineWords.read(String(words))
    }
    let photo = try await camera.photoOutput.capturePhoto(with: settings)
    return .jpeg(photo.fileDataRepresentation() ?? Data())
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
      let geometry = camera.geometry(
        viewSize: size, gravity: gravity, isMirrored: query["mirrored"] == "true")
    else { throw WebError(.serviceUnavailable, camera.report.message) }
    return try .json(GuideReport(geometry))
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
