import Foundation
import Hummingbird
import Viewfinder
import ViewfinderPicker

/// Shows an ``ImagePicker`` on pages, with the element `<viewfinder-picker>`.
///
/// ```swift
/// let page = PickerPage()
/// let picker = ImagePicker(configuration, presenter: page)
/// page.add(picker, to: router)
/// let photo = try await picker.pick()
/// ```
///
/// All pages show the same picker, as all buttons of a machine work the same machine. When no page has been open for ten
/// seconds, whoever picked is gone, and the picker is cancelled.
public final class PickerPage: ImagePickerPresenter {
  /// How long a picker waits for a page that was closed; it may only be loading anew.
  private let patience: Duration
  private let visitors = Watchers<PickerReport>()

  /// Creates a presenter.
  ///
  /// - Parameter patience: How long a picker waits for a page to come, or to come back.
  public init(patience: Duration = .seconds(10)) { self.patience = patience }

  /// Shows the picker until it is dismissed, or until no page shows it any more.
  public func present(_ picker: ImagePicker) async throws {
    var absence = ContinuousClock.now
    while !Task.isCancelled, picker.isPresented {
      if visitors.count > 0 { absence = .now }
      if ContinuousClock.now - absence > patience { return }
      try? await Task.sleep(for: min(patience / 4, .milliseconds(500)))
    }
  }

  /// Adds the routes of a picker below `/picker/`.
  public func add(_ picker: ImagePicker, to router: Router<WebContext>) {
    let follower = Task { [visitors] in
      for await state in picker.states {
        visitors.send(PickerReport(state, picker.configuration))
      }
    }
    let live = PickerLive(picker, until: follower)
    LiveRoutes(live).add(to: router, below: "/picker")
    router.get("picker/state") { [visitors] request, _ in
      ServerEvents.response(to: request) {
        let watch = visitors.watch()
        visitors.send(PickerReport(picker.state, picker.configuration))
        return watch
      }
    }
    router.post("picker/act") { request, context in
      let action = try await request.decode(as: PickerAction.self, context: context)
      try await action.perform(on: picker)
      return Response(status: .noContent)
    }
    PickerLibraryRoutes(picker).add(to: router)
  }
}

/// A picker's live picture.
final class PickerLive: LiveSource {
  let stream: LiveStream
  private let picker: ImagePicker
  private let reports = Watchers<LiveReport>()
  private let follower: Task<Void, Never>

  init(_ picker: ImagePicker, until follower: Task<Void, Never>) {
    self.picker = picker
    self.follower = follower
    stream = LiveStream(output: picker.previewOutput)
  }

  deinit { follower.cancel() }

  var report: LiveReport { LiveReport(picker.state.camera, stream) }

  func watchReports() -> (values: AsyncStream<LiveReport>, end: @Sendable () -> Void) {
    let watch = reports.watch()
    let task = Task { [reports, stream, picker] in
      for await state in picker.states { reports.send(LiveReport(state.camera, stream)) }
    }
    return (
      watch.values,
      {
        task.cancel(); watch.end()
      }
    )
  }

  func geometry(viewSize: CGSize, gravity: VideoGravity, isMirrored: Bool) -> PreviewGeometry? {
    picker.previewGeometry(viewSize: viewSize, videoGravity: gravity)
  }

  /// The outline to which the picker crops, where it has one.
  var outline: Outline? { picker.configuration.cameraOutline }
}
