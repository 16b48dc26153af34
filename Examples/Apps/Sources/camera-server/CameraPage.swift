import Hummingbird
import WebServing

/// The live page: `/`.
enum CameraPage {
  static func add(to router: Router<WebContext>, mirrored: Bool) {
    var page = String(decoding: PackageResources.camera_html, as: UTF8.self)
    if mirrored { page = page.replacing("<viewfinder-live", with: "<viewfinder-live mirrored") }
    router.serve([
      Asset("/", .html, Array(page.utf8)),
      Asset("/camera.css", .css, PackageResources.camera_css),
      Asset("/camera.js", .javascript, PackageResources.camera_js),
    ])
  }
}
