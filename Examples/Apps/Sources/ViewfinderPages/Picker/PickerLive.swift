import Foundation
import Synchronization
import Viewfinder
import ViewfinderPicker

/// A picker's live picture.
final class PickerLive: LiveSource {
  let stream: LiveStream
  private let picker: ImagePicker
  private let found = Mutex<[any MetadataObject]>([])

  init(_ picker: ImagePicker) {
    self.picker = picker
    stream = LiveStream(output: picker.previewOutput)
  }

  var report: LiveReport {
    var report = LiveReport(picker.state.camera, stream)
    let found = found.withLock { $0 }
    report.card = found.lazy.compactMap { $0 as? MetadataOutlineObject }.first.map {
      LiveReport.Card($0.card, picker.configuration.automaticShutter)
    }
    if picker.configuration.readsCodes {
      report.codes = found.compactMap { $0 as? MetadataMachineReadableCodeObject }
        .compactMap(LiveReport.Code.init)
    }
    return report
  }

  /// What the camera does, and where the card and codes lie.
  func watchReports() -> (values: AsyncStream<LiveReport>, end: @Sendable () -> Void) {
    let (values, continuation) = AsyncStream.makeStream(
      of: LiveReport.self, bufferingPolicy: .bufferingNewest(1))
    let (states, objects) = (picker.states, picker.metadataOutput.metadataObjects)
    let tasks = [
      Task { for await _ in states { continuation.yield(report) } },
      Task {
        for await newest in objects {
          found.withLock { $0 = newest }
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

extension ImagePicker.Configuration {
  /// Whether bar codes are looked for in the live picture, and some of them can be read.
  var readsCodes: Bool { !ImagePicker.availableCodeTypes.isDisjoint(with: codeTypes) }
}
