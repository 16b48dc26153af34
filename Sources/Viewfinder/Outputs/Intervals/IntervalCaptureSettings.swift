/// What a series of photos should be like, one photo after each interval.
public struct IntervalCaptureSettings: Sendable {
  /// The time from one photo to the next, a millisecond at least, or zero: one after the other as fast
  /// as they are taken and saved.
  ///
  /// The default is a second.
  ///
  /// Photos are due at the start, plus one interval, plus two, and so on, whatever the earlier ones
  /// took.
  public var interval = Duration.seconds(1)

  /// When the first photo is due; `nil`, the default, means at once.
  ///
  /// ``CapturePhotoOutput/selfTimerTicks`` count down.
  public var start: SelfTimer?

  /// What each photo should be like.
  ///
  /// Each gets a copy of its own, with another ``CapturePhotoSettings/uniqueID`` and without self-timer.
  public var photoSettings = CapturePhotoSettings()

  /// After how many saved photos the series ends; `nil`, the default, sets no limit.
  public var maxPhotoCount: Int?

  /// How many bytes the photos have together at most; `nil`, the default, sets no limit.
  ///
  /// A photo that would be more than that isn't saved, and ends the series.
  public var maxByteCount: Int?

  /// For how long photos are due, counted from the first; `nil`, the default, sets no limit.
  ///
  /// A series of ten seconds with a photo each second has ten photos.
  public var maxDuration: Duration?

  /// How many bytes the disk must have free when a photo has been saved into a folder.
  ///
  /// The default is 64 MiB. A photo that would leave less isn't saved, and ends the series.
  public var minFreeDiskSpaceLimit = 64 << 20

  /// Whether the first missed photo ends the series.
  ///
  /// The default is `false`: it goes on.
  public var endsAtMissedPhoto = false

  /// Creates settings for a photo each second, until the series is stopped.
  public init() {}

  func validate() throws(CaptureError) {
    func demand(_ condition: Bool, _ reason: String) throws(CaptureError) {
      guard condition else { throw .invalidSettings(reason: reason) }
    }
    try demand(
      interval == .zero || interval >= .milliseconds(1),
      "The interval must be a millisecond at least, or zero.")
    try demand(
      maxPhotoCount ?? 1 > 0, "A series has one photo at least: set maxPhotoCount to that.")
    try demand(maxByteCount ?? 1 > 0, "maxByteCount must be positive; nil sets no limit.")
    try demand(
      maxDuration ?? .seconds(1) > .zero, "maxDuration must be positive; nil sets no limit.")
    try demand(minFreeDiskSpaceLimit >= 0, "minFreeDiskSpaceLimit must not be negative.")
  }
}
