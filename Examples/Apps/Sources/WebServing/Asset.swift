import Hummingbird

/// A file of a page, compiled into the program.
public struct Asset: Sendable {
  /// What kind of file it is.
  public enum Kind: String, Sendable {
    /// A page.
    case html = "text/html; charset=utf-8"
    /// A style sheet.
    case css = "text/css; charset=utf-8"
    /// A script.
    case javascript = "text/javascript; charset=utf-8"
    /// A drawing.
    case svg = "image/svg+xml"
    /// A picture.
    case png = "image/png"
    /// What a page is called when it is installed.
    case manifest = "application/manifest+json"
  }

  /// Where it is served.
  public let path: RouterPath
  let kind: Kind
  /// The file.
  public let bytes: [UInt8]

  /// Creates an asset.
  ///
  /// - Parameters:
  ///   - path: Where it is served, such as "/" or "/ui/live.js".
  ///   - kind: What it is.
  ///   - bytes: The file, such as `PackageResources.live_js`.
  public init(_ path: RouterPath, _ kind: Kind, _ bytes: [UInt8]) {
    self.path = path
    self.kind = kind
    self.bytes = bytes
  }
}

extension RouterMethods<WebContext> {
  /// Serves files.
  public func serve(_ assets: [Asset]) {
    for asset in assets {
      let body = ByteBuffer(bytes: asset.bytes)
      get(asset.path) { _, _ in
        // Asked for anew each time: after an update of the program the old ones don't fit.
        Response(
          status: .ok, headers: [.contentType: asset.kind.rawValue, .cacheControl: "no-cache"],
          body: ResponseBody(byteBuffer: body))
      }
    }
  }
}
