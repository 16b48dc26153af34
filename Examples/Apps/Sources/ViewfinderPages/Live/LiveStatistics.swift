import Synchronization
import Viewfinder

/// Tells how a camera's stream is doing, twice a second, while somebody wants to know.
final class LiveStatistics: Sendable {
  /// Where the figures come from; a session's output.
  let output = CaptureStatisticsOutput()

  private static let pause = Duration.milliseconds(500)
  private let watchers = Watchers<StatisticsReport>()
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Reports from now on, each made once for all who watch.
  func watch(
    _ report: @escaping @Sendable (CaptureFigures) -> StatisticsReport
  ) -> (values: AsyncStream<StatisticsReport>, end: @Sendable () -> Void) {
    watchers.watch(first: { begin(report) }, last: { self.stop() })
  }

  private func begin(_ report: @escaping @Sendable (CaptureFigures) -> StatisticsReport) {
    output.histogramInterval = Self.pause
    task.withLock { task in
      task = Task { [output, watchers] in
        while !Task.isCancelled {
          watchers.send(report(output.figures))
          try? await Task.sleep(for: Self.pause)
        }
      }
    }
  }

  private func stop() {
    task.withLock { $0?.cancel() }
    output.histogramInterval = nil
  }
}

extension LiveCamera {
  /// What a page draws of the stream.
  func watchStatistics() -> (values: AsyncStream<StatisticsReport>, end: @Sendable () -> Void) {
    statistics.watch { [session, stream] figures in
      StatisticsReport(
        figures, format: session.activeVideoFormat, clients: stream.watcherCount)
    }
  }
}
