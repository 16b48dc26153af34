import Hummingbird
import WebServing

extension RouterMethods<WebContext> {
  /// Serves what all pages share, below `/ui/`.
  public func serveSharedAssets() {
    serve([
      Asset("/ui/tokens.css", .css, PackageResources.tokens_css),
      Asset("/ui/parts.css", .css, PackageResources.parts_css),
      Asset("/ui/bones.js", .javascript, PackageResources.bones_js),
      Asset("/ui/feed-words.js", .javascript, PackageResources.feed_words_js),
      Asset("/ui/icons.svg", .svg, PackageResources.icons_svg),
      Asset("/ui/camera.js", .javascript, PackageResources.camera_js),
      Asset("/ui/crop.js", .javascript, PackageResources.crop_js),
      Asset("/ui/elements.js", .javascript, PackageResources.elements_js),
      Asset("/ui/events.js", .javascript, PackageResources.events_js),
      Asset("/ui/keys.js", .javascript, PackageResources.keys_js),
      Asset("/ui/requests.js", .javascript, PackageResources.requests_js),
      Asset("/ui/sheet.js", .javascript, PackageResources.sheet_js),
      Asset("/ui/styles.js", .javascript, PackageResources.styles_js),
      Asset("/ui/tiles.css", .css, PackageResources.tiles_css),
      Asset("/ui/toast.js", .javascript, PackageResources.toast_js),
      Asset("/ui/words.js", .javascript, PackageResources.words_js),
      Asset("/ui/words-errors.js", .javascript, PackageResources.words_errors_js),
      Asset("/ui/words-shared.js", .javascript, PackageResources.words_shared_js),
      Asset("/ui/library.js", .javascript, PackageResources.library_js),
      Asset("/ui/live.css", .css, PackageResources.live_css),
      Asset("/ui/live.js", .javascript, PackageResources.live_js),
      Asset("/ui/photo-lists.js", .javascript, PackageResources.photo_lists_js),
      Asset("/ui/picker.css", .css, PackageResources.picker_css),
      Asset("/ui/picker.js", .javascript, PackageResources.picker_js),
      Asset("/ui/picker-actions.js", .javascript, PackageResources.picker_actions_js),
      Asset("/ui/picker-camera.js", .javascript, PackageResources.picker_camera_js),
      Asset("/ui/picker-correction.js", .javascript, PackageResources.picker_correction_js),
      Asset("/ui/picker-crop.js", .javascript, PackageResources.picker_crop_js),
      Asset("/ui/picker-element.js", .javascript, PackageResources.picker_element_js),
      Asset("/ui/picker-filters.js", .javascript, PackageResources.picker_filters_js),
      Asset("/ui/picker-library.js", .javascript, PackageResources.picker_library_js),
      Asset("/ui/picker-review.js", .javascript, PackageResources.picker_review_js),
      Asset("/ui/picker-tray.js", .javascript, PackageResources.picker_tray_js),
      Asset("/ui/picker-words.js", .javascript, PackageResources.picker_words_js),
      Asset("/ui/icon.svg", .svg, PackageResources.icon_svg),
    ])
  }
}
