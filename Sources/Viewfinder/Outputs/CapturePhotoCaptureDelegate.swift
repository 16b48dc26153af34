/// Follows the taking of a photo; Apple's `AVCapturePhotoCaptureDelegate`.
///
/// For each request the calls come in this order: the self-timer's ticks, will begin, will capture, did
/// capture, did finish processing, did finish capture. The last always comes, whatever happened before;
/// did finish processing comes if the picture was captured. The output holds the delegate until then.
///
/// The calls come on a queue of the delegate's own, never two at a time. One that takes its time delays
/// the delegate's own photos, and nobody else's.
public protocol CapturePhotoCaptureDelegate: AnyObject, Sendable {
  /// The self-timer runs: called at its start, and at each whole second that remains.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - uniqueID: The request's ``CapturePhotoSettings/uniqueID``.
  ///   - remaining: The time until the photo is taken: 3 s, 2 s, 1 s for a timer of three seconds.
  func photoOutput(
    _ output: CapturePhotoOutput, selfTimerOf uniqueID: Int64, didTick remaining: Duration)

  /// The settings are resolved and the photo will be taken.
  ///
  /// They are resolved for the format that the camera streams in, before the frame is chosen. Should a
  /// frame of another size become the photo, because the camera's source changed meanwhile, then
  /// ``CapturePhoto/resolvedSettings`` and the last call tell what it became.
  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The picture is taken now: the moment for a shutter sound.
  ///
  /// The photo is the first frame that the camera captures after this call has returned.
  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  )

  /// The picture was taken: the person may move.
  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The photo is ready, or `error` says why there is none.
  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?)

  /// The request is over, and `error` says what went wrong, if anything.
  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?)
}

extension CapturePhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, selfTimerOf uniqueID: Int64, didTick remaining: Duration
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {}
}
