import Foundation
import Hummingbird
import Synchronization
import Viewfinder
import ViewfinderPicker
import WebServing

/// Shows an ``ImagePicker`` on a page, with the element `<viewfinder-picker>`, or within one, with the elements
/// `<viewfinder-camera>`, `<viewfinder-library>` and `<viewfinder-crop>`.
///
/// ```swift
/// let page = PickerPage()
/// let picker = ImagePicker(configuration, presenter: page)
/// page.add(picker, to: router, events: &events)
/// router.post("choose") { request, _ in
///   try page.open(picker, for: request.page) { try picker.present() }
///   return Response(status: .noContent)
/// }
/// ```
///
/// A picker belongs to the page that opened it: others hear that the camera is in use elsewhere. Where no page opened
/// it, because the program did or one such as curl, all pages show it. When the page that it belongs to has been closed for
/// six seconds, or out of reach for thirty, whoever picked is gone, and the picker is cancelled.
public final class PickerPage: ImagePickerPresenter {
  private struct Session {
    /// The page that opened the picker; `nil` where it belongs to all.
    var owner: String?
    /// Counts who became that, so that the end of one presentation doesn't free the next.
    var turn = 0
    /// How many streams of events each page has; `nil` are those without a name.
    var visits: [String?: Int] = [:]
    /// Whether the owner has said that it goes.
    var isLeft = false
  }

  /// How long a picker waits for a page that is out of reach.
  private let patience: Duration
  /// How long it waits for one that was closed; it may only be loading anew.
  private let reload: Duration
  private let session = Mutex(Session())
  /// Held while a page opens the picker, so that another one doesn't take it over in between.
  private let opening = Mutex(())

  /// Creates a presenter.
  ///
  /// - Parameters:
  ///   - patience: How long a picker waits for a page to come, or to come back when it is out of reach: as long as the page
  ///     waits for an answer.
  ///   - reload: How long it waits for a page that was closed, and may only be loading anew: longer than a small
  ///     computer with much else to do takes to load it.
  public init(patience: Duration = .seconds(30), reload: Duration = .seconds(6)) {
    (self.patience, self.reload) = (patience, min(reload, patience))
  }

  /// Shows the picker until it is dismissed, or until the page that it belongs to is gone.
  public func present(_ picker: ImagePicker) async throws {
    var absence = ContinuousClock.now
    let turn = session.withLock { $0.turn }
    defer { session.withLock { if $0.turn == turn { $0.owner = nil } } }
    while !Task.isCancelled, picker.isPresented {
      if isWatched { absence = .now }
      let limit = session.withLock { $0.isLeft } ? reload : patience
      if ContinuousClock.now - absence > limit { return }
      try? await Task.sleep(for: min(limit / 4, .milliseconds(500)))
    }
  }

  /// Presents the picker on one page alone.
  ///
  /// - Parameters:
  ///   - picker: The picker.
  ///   - page: The page that asks: `request.page`. `nil` presents it on all.
  ///   - present: Calls one of the picker's methods that present it.
  /// - Returns: What `present` returns.
  /// - Throws: A ``WebError`` with the code `pickerElsewhere` where another page has the picker, else what `present` throws.
  public func open<Result: Sendable>(
    _ picker: ImagePicker, for page: String?, _ present: () throws -> Result
  ) throws -> Result {
    try opening.withLock { _ in
      let before = owner
      if picker.isPresented, before != page { throw Self.elsewhere }
      // Before it is presented: no other page may see it, not even for a moment.
      session.withLock { session in
        session.owner = page
        session.isLeft = false
        session.turn += 1
      }
      do {
        return try present()
      } catch {
        session.withLock { $0.owner = before }
        throw error
      }
    }
  }

  /// Adds the routes of a picker below `/picker/`, and the topics `picker`, its state, and `picker-live`, how its
  /// camera is doing.
  public func add(
    _ picker: ImagePicker, to router: some RouterMethods<WebContext>, events: inout PageEvents
  ) {
    let live = PickerLive(picker)
    LiveRoutes(live).add(to: router, below: "picker")
    events.add("picker-live") { _ in live.watchReports() }
    events.add("picker") { [self] visit in
      let reports = picker.follow { [self] in report($0, picker, to: visit.page) }
      come(visit.page)
      return (reports.values, { [self] in if reports.end() { leave(visit.page) } })
    }
    router.post("picker/act") { [self] request, context in
      if let page = request.page, picker.isPresented, !isShown(to: page) { throw Self.elsewhere }
      let action = try await request.decode(as: PickerAction.self, context: context)
      try await action.perform(on: picker)
      return Response(status: .noContent)
    }
    router.post("picker/leave") { [self] request, _ in
      if let page = request.page { isLeft(by: page) }
      return Response(status: .noContent)
    }
    PickerLibraryRoutes(picker).add(to: router)
  }

  private static let elsewhere = WebError(
    .conflict, "The camera is in use on another page. Close it there, then try again.",
    code: "pickerElsewhere")

  private var owner: String? { session.withLock { $0.owner } }

  private func isShown(to page: String?) -> Bool { owner.map { $0 == page } ?? true }

  /// Whether a page that may show the picker is there.
  private var isWatched: Bool {
    session.withLock { session in
      if let owner = session.owner { session.visits[owner] != nil } else { !session.visits.isEmpty }
    }
  }

  private func come(_ page: String?) {
    session.withLock { session in
      session.visits[page, default: 0] += 1
      if session.owner == page { session.isLeft = false }
    }
  }

  /// Hears that a page is being closed, or loaded anew.
  func isLeft(by page: String) {
    session.withLock { session in if session.owner == page { session.isLeft = true } }
  }

  private func leave(_ page: String?) {
    session.withLock { session in
      let rest = (session.visits[page] ?? 0) - 1
      session.visits[page] = rest > 0 ? rest : nil
    }
  }

  private func report(_ state: ImagePicker.State, _ picker: ImagePicker, to page: String?)
    -> PickerReport
  {
    let report = PickerReport(state, picker.configuration)
    return state.isPresented && !isShown(to: page) ? report.elsewhere : report
  }
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
