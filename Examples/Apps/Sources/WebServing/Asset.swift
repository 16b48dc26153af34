import Foundation
import HTTPTypes
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
  let headers: HTTPFields
  /// Names these bytes, in quotes.
  let entityTag: String

  /// How long browsers show what they have.
  ///
  /// After an update of the program old files don't fit. Drawings do: a browser shows its own while it asks for new ones,
  /// because the one that tells that the program is gone can't be fetched any more.
  var cacheControl: String {
    kind == .svg ? "max-age=0, stale-while-revalidate=86400" : "no-cache"
  }

  /// Creates an asset.
  ///
  /// - Parameters:
  ///   - path: Where it is served, such as "/" or "/ui/live.js".
  ///   - kind: What it is.
  ///   - bytes: The file, such as `PackageResources.live_js`.
  ///   - headers: Further fields of the answer, such as a service worker's `Service-Worker-Allowed`. The default is none.
  public init(_ path: RouterPath, _ kind: Kind, _ bytes: [UInt8], headers: HTTPFields = [:]) {
    self.path = path
    self.kind = kind
    self.bytes = bytes
    self.headers = headers
    entityTag = Response.entityTag(of: Data(bytes))
  }
}

extension RouterMethods<WebContext> {
  /// Serves files.
  ///
  /// Browsers ask for them anew each time, and get only those that have changed.
  public func serve(_ assets: [Asset]) {
    for asset in assets {
      let body = ByteBuffer(bytes: asset.bytes)
      var headers = asset.headers
      headers[.cacheControl] = asset.cacheControl
      get(asset.path) { [headers] request, _ in
        Response.tagged(
          asset.entityTag, type: asset.kind.rawValue, for: request, headers: headers, body)
      }
    }
  }
}
