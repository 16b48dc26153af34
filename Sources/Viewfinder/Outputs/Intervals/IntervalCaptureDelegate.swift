/// Follows a series of photos.
///
/// The calls come on a queue of the delegate's own, in the order of the photos' numbers. The series
/// holds the delegate until the last.
public protocol IntervalCaptureDelegate: AnyObject, Sendable {
  /// A photo was saved.
  func intervalCapture(_ capture: IntervalCapture, didSave photo: IntervalPhoto)

  /// A photo that was due wasn't taken, and `error` says why; the series goes on, unless it ends at
  /// missed photos.
  func intervalCapture(
    _ capture: IntervalCapture, didMissPhoto number: Int, error: CaptureError)

  /// The series is over: the last call, which comes once.
  func intervalCapture(
    _ capture: IntervalCapture, didFinish summary: IntervalCapture.Summary)
}

extension IntervalCaptureDelegate {
  /// Does nothing.
  public func intervalCapture(_ capture: IntervalCapture, didSave photo: IntervalPhoto) {}

  /// Does nothing.
  public func intervalCapture(
    _ capture: IntervalCapture, didMissPhoto number: Int, error: CaptureError
  ) {}

  /// Does nothing.
  public func intervalCapture(
    _ capture: IntervalCapture, didFinish summary: IntervalCapture.Summary
  ) {}
}
