import Viewfinder

/// When, where and with what a photo was taken, as its files say.
///
/// Programs that edit often leave out what the camera wrote: the original still has it.
struct AssetFacts: Hashable, Sendable {
  private(set) var captureDate: CaptureDate?
  private(set) var captureDateSource: CaptureDate.Source?
  private(set) var position: GeoPosition?
  private(set) var camera: String?
  private(set) var hasPairedVideo = false

  /// What the default file says, and where it doesn't, the others: originals first.
  init(_ file: FileRow, _ others: some Sequence<FileRow> = []) {
    let files = [file] + others.sorted { ($0.role.rawValue, $0.name) < ($1.role.rawValue, $1.name) }
    hasPairedVideo =
      file.info.type?.kind != .video
      && files.contains { $0.info.motion != nil || $0.info.type?.kind == .video }
    for info in files.map(\.info) {
      if captureDate == nil {
        captureDate = info.captureDate
        captureDateSource = info.captureDateSource
      }
      position = position ?? info.position
      camera = camera ?? info.camera
    }
    if captureDate == nil {
      captureDate = files.lazy.compactMap { CaptureDate(fileName: $0.name) }.first
      captureDateSource = captureDate == nil ? nil : .fileName
    }
  }
}
