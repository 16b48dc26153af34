import Foundation
import Viewfinder

/// A live picture with what there is to know of it: a ``LiveCamera``'s, or a picker's.
protocol LiveSource: Sendable {
  /// The frames.
  var stream: LiveStream { get }

  /// How the camera is doing.
  var report: LiveReport { get }

  /// Reports from now on: one now, and one whenever something has changed.
  func watchReports() -> (values: AsyncStream<LiveReport>, end: @Sendable () -> Void)

  /// How a view shows the picture; `nil` while there is none.
  func geometry(viewSize: CGSize, gravity: VideoGravity, isMirrored: Bool) -> PreviewGeometry?

  /// The outline to which photos are cropped; `nil` where the visitor chooses.
  var outline: Outline? { get }
}

extension LiveCamera: LiveSource {
  var outline: Outline? { nil }
}
