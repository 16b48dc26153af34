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
  }

  let path: RouterPath
  let kind: Kind
  let bytes: [UInt8]

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

extension Router<WebContext> {
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

  /// Serves what all pages share, below `/ui/`.
  public func serveSharedAssets() {
    serve([
      Asset("/ui/base.css", .css, PackageResources.base_css),
      Asset("/ui/live.css", .css, PackageResources.live_css),
      Asset("/ui/live.js", .javascript, PackageResources.live_js),
      Asset("/ui/picker.css", .css, PackageResources.picker_css),
      Asset("/ui/picker.js", .javascript, PackageResources.picker_js),
      Asset("/ui/picker-actions.js", .javascript, PackageResources.picker_actions_js),
      Asset("/ui/picker-correction.js", .javascript, PackageResources.picker_correction_js),
      Asset("/ui/picker-crop.js", .javascript, PackageResources.picker_crop_js),
      Asset("/ui/picker-library.js", .javascript, PackageResources.picker_library_js),
      Asset("/ui/icon.svg", .svg, PackageResources.icon_svg),
    ])
  }
}
