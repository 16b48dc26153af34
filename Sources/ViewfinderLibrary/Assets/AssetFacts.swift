import Viewfinder

/// When, where and with what a photo was taken, as its files say.
///
/// Programs that edit often leave out what the camera wrote: the original still has it.
struct AssetFacts: Hashable, Sendable {
  private(set) var captureDate: CaptureDate?
  private(set) var position: GeoPosition?
  private(set) var camera: String?

  /// What a file says.
  init(_ info: MediaInfo) {
    (captureDate, position, camera) = (info.captureDate, info.position, info.camera)
  }

  /// What several files say; the first that says something counts.
  init?(_ files: some Collection<MediaInfo>) {
    guard let first = files.first else { return nil }
    self.init(first)
    for file in files.dropFirst() { complete(by: file) }
  }

  /// Takes what is missing from another file.
  mutating func complete(by other: MediaInfo) {
    captureDate = captureDate ?? other.captureDate
    position = position ?? other.position
    camera = camera ?? other.camera
  }
}
