import Foundation
import Hummingbird
import ViewfinderPages
import ViewfinderPicker
import WebServing

/// The page: the timeline, and the bar whose middle button acts.
struct TimelinePage: Sendable {
  private struct Choice: Codable {
    var source: String
  }

  private let timeline: Timeline
  private let uploader: Uploader
  private let helper: PhotoHelper
  private let page: PickerPage

  init(_ timeline: Timeline, _ uploader: Uploader, _ helper: PhotoHelper, _ page: PickerPage) {
    (self.timeline, self.uploader, self.helper, self.page) = (timeline, uploader, helper, page)
  }

  func add(to router: Router<WebContext>, events: inout PageEvents) {
    let blocking = router.blocking
    router.serve([
      Asset("/", .html, PackageResources.timeline_html),
      Asset("/timeline.css", .css, PackageResources.timeline_css),
      Asset("/timeline.js", .javascript, PackageResources.timeline_js),
      Asset("/timeline-words.js", .javascript, PackageResources.timeline_words_js),
    ])
    router.get("choices") { _, _ in
      try Response.json(await helper.choices().map(\.rawValue))
    }
    router.post("choose") { request, context in
      let choice = try await request.decode(as: Choice.self, context: context)
      guard let source = ImagePicker.SourceType(rawValue: choice.source) else {
        throw WebError(.badRequest, "There is no such source.")
      }
      try page.open(helper.picker, for: request.page) {
        try helper.pick(from: source) { photo in
          guard let photo else { return }
          Task { await timeline.keep(photo) }
        }
      }
      return Response(status: .noContent)
    }
    router.post("send") { [uploader] _, _ in
      uploader.sendNow()
      return Response(status: .noContent)
    }
    events.add("timeline") { [timeline] _ in timeline.watch() }
    blocking.get("timeline/:id") { request, context in
      let id = try context.parameters.require("id")
      guard timeline.entries.contains(where: { $0.id == id }) else {
        throw WebError(.notFound, "The photo isn't in the timeline.")
      }
      let isSmall = request.uri.queryParameters["size"] == "small"
      // A photo never changes; nobody else than this person may keep it.
      return try Response.tagged(
        "\"\(id)\(isSmall ? "-small" : "")\"", type: "image/jpeg", for: request,
        headers: [.cacheControl: "private, max-age=31536000, immutable"],
        ByteBuffer(bytes: isSmall ? timeline.smallPhoto(id) : timeline.photo(id)))
    }
  }
}
