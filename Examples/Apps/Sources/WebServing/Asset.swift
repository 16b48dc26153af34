import Checksums
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
    entityTag = "\"\(BlobName(of: Data(bytes)).text.prefix(32))\""
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
      headers[.eTag] = asset.entityTag
      // After an update of the program the old ones don't fit.
      headers[.cacheControl] = "no-cache"
      get(asset.path) { [headers] request, _ in
        if request.knows(asset.entityTag) {
          var response = Response(status: .notModified, headers: headers)
          response.headers[.contentLength] = nil
          return response
        }
        var response = Response(
          status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        response.headers[.contentType] = asset.kind.rawValue
        return response
      }
    }
  }
}

extension Request {
  /// Whether the visitor has what an entity tag names (RFC 9110, section 13.1.2).
  fileprivate func knows(_ entityTag: String) -> Bool {
    headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains {
      let tag = $0.trimming(while: \.isWhitespace)
      return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
    }
  }
}

extension Substring {
  fileprivate func trimming(while isOdd: (Character) -> Bool) -> Substring {
    var rest = drop(while: isOdd)
    while let last = rest.last, isOdd(last) { rest.removeLast() }
    return rest
  }
}
