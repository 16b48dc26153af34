import Foundation
import Synchronization
import Viewfinder
import ViewfinderPicker

/// A picker's live picture.
final class PickerLive: LiveSource {
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
