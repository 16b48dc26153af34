/// What a series of photos should be like, one photo after each interval.
public struct IntervalCaptureSettings: Sendable {
  /// The time from one photo to the next, a millisecond at least, or zero: one after the other, as
  /// fast as the output takes and saves them.
  ///
  /// The default is a second.
  ///
  /// Photos are due at the start, plus one interval, plus two, and so on, however long the earlier
  /// ones took.
  public var interval = Duration.seconds(1)

  /// When the first photo is due; `nil`, the default, means at once.
  ///
  /// ``CapturePhotoOutput/selfTimerTicks`` count down.
  public var start: SelfTimer?

  /// What each photo should be like.
  ///
  /// Each gets a copy of its own, with another ``CapturePhotoSettings/uniqueID`` and without a
  /// self-timer.
  public var photoSettings = CapturePhotoSettings()

  /// The number of saved photos that ends the series; `nil`, the default, sets no limit.
  public var maxPhotoCount: Int?

  /// The most bytes that the photos may have together; `nil`, the default, sets no limit.
  ///
  /// The series ends before a photo that would exceed it.
  public var maxByteCount: Int?

  /// For how long photos are due, counted from the first; `nil`, the default, sets no limit.
  ///
  /// A series of ten seconds with a photo each second has ten photos.
  public var maxDuration: Duration?

  /// How many bytes must stay free on the disk when the series saves into a folder.
  ///
  /// The default is 64 MiB. The series ends before a photo that would leave less.
  public var minFreeDiskSpaceLimit = 64 << 20

  /// Whether the first missed photo ends the series.
  ///
  /// The default is `false`: it goes on.
  public var endsAtMissedPhoto = false

  /// Creates settings for a photo each second, until somebody stops the series.
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
