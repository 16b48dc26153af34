import Foundation
import Hummingbird
import Synchronization
import Viewfinder
import ViewfinderPicker
import WebServing

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
  private let visitors = Mutex(0)

  /// Creates a presenter.
  ///
  /// - Parameter patience: How long a picker waits for a page to come, or to come back.
  public init(patience: Duration = .seconds(10)) { self.patience = patience }

  /// Shows the picker until it is dismissed, or until no page shows it any more.
  public func present(_ picker: ImagePicker) async throws {
    var absence = ContinuousClock.now
    while !Task.isCancelled, picker.isPresented {
      if visitors.withLock({ $0 }) > 0 { absence = .now }
      if ContinuousClock.now - absence > patience { return }
      try? await Task.sleep(for: min(patience / 4, .milliseconds(500)))
    }
  }

  /// Adds the routes of a picker below `/picker/`.
  public func add(_ picker: ImagePicker, to router: Router<WebContext>) {
    LiveRoutes(PickerLive(picker)).add(to: router, below: "/picker")
    router.get("picker/state") { request, _ in
      ServerEvents.response(to: request) { [self] in
        let reports = picker.follow { PickerReport($0, picker.configuration) }
        visitors.withLock { $0 += 1 }
        return (reports.values, { [self] in if reports.end() { visitors.withLock { $0 -= 1 } } })
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
private final class PickerLive: LiveSource {
  let stream: LiveStream
  private let picker: ImagePicker
  private let card = Mutex<TrackedOutline?>(nil)

  init(_ picker: ImagePicker) {
    self.picker = picker
    stream = LiveStream(output: picker.previewOutput)
  }

  var report: LiveReport {
    var report = LiveReport(picker.state.camera, stream)
    report.card = card.withLock { $0 }.map {
      LiveReport.Card($0, picker.configuration.automaticShutter)
    }
    return report
  }

  /// What the camera does, and where the card lies.
  func watchReports() -> (values: AsyncStream<LiveReport>, end: @Sendable () -> Void) {
    let (values, continuation) = AsyncStream.makeStream(
      of: LiveReport.self, bufferingPolicy: .bufferingNewest(1))
    let (states, found) = (picker.states, picker.metadataOutput.metadataObjects)
    let tasks = [
      Task { for await _ in states { continuation.yield(report) } },
      Task {
        for await objects in found {
          let first = objects.lazy.compactMap { $0 as? MetadataOutlineObject }.first
          card.withLock { $0 = first?.card }
          continuation.yield(report)
        }
      },
    ]
    return (
      values,
      {
        for task in tasks { task.cancel() }
        continuation.finish()
      }
    )
  }

  func geometry(viewSize: CGSize, gravity: VideoGravity, isMirrored: Bool) -> PreviewGeometry? {
    picker.previewGeometry(viewSize: viewSize, videoGravity: gravity)
  }

  /// The outline to which the picker crops, where it has one.
  var outline: Outline? { picker.configuration.cameraOutline }
}

extension ImagePicker {
  /// Reports of the state now and after each change, the newest for who is slow, until they are ended.
  ///
  /// - Parameter report: Makes a report.
  /// - Returns: The reports, and what ends them; the latter tells whether it was the first time.
  fileprivate func follow<Report: Sendable>(_ report: @escaping @Sendable (State) -> Report)
    -> (values: AsyncStream<Report>, end: @Sendable () -> Bool)
  {
    let (values, continuation) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    let states = states
    let task = Task { for await state in states { continuation.yield(report(state)) } }
    let isOver = Mutex(false)
    return (
      values,
      {
        task.cancel()
        continuation.finish()
        return isOver.withLock { isOver in
          defer { isOver = true }
          return !isOver
        }
      }
    )
  }
}
