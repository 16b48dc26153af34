import Hummingbird
import WebServing

/// The camera's page: `/`.
enum CameraPage {
  static func add(to router: some RouterMethods<WebContext>, mirrored: Bool) {
    var page = String(decoding: PackageResources.camera_html, as: UTF8.self)
    if mirrored { page = page.replacing("<viewfinder-live", with: "<viewfinder-live mirrored") }
    router.serve([
      Asset("/", .html, Array(page.utf8)),
      Asset("/camera.css", .css, PackageResources.camera_css),
      Asset("/camera.js", .javascript, PackageResources.camera_js),
      Asset("/camera-words.js", .javascript, PackageResources.camera_words_js),
      Asset("/figures.js", .javascript, PackageResources.figures_js),
      Asset("/plots.js", .javascript, PackageResources.plots_js),
      Asset("/still.js", .javascript, PackageResources.still_js),
    ])
  }
}
