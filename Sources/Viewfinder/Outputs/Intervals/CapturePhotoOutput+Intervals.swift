public import Foundation

// Photos at regular intervals.
extension CapturePhotoOutput {
  /// The series that runs, or `nil`.
  public var intervalCapture: IntervalCapture? { update { $0.intervalCapture } }

  /// Starts a series of photos that go to a folder, as files with the time of the series' start and
  /// their number: `IMG_20260412_153012_250_00001.jpg`.
  ///
  /// Each file is there whole or not at all (see ``PhotoFile``). An existing file is never replaced.
  /// Other photos may be taken meanwhile.
  ///
  /// - Parameters:
  ///   - settings: When photos are taken, of what kind, and when that ends.
  ///   - folder: Where the files go; it must exist.
  ///   - delegate: Held until its last call.
  /// - Returns: The series, which runs.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for settings that can't be, and while a series
  ///   runs; ``CaptureError/sessionNotRunning``; ``CaptureError/cannotWrite(path:code:)``.
  @discardableResult
  public func startIntervalCapture(
    _ settings: IntervalCaptureSettings = IntervalCaptureSettings(), to folder: URL,
    delegate: (any IntervalCaptureDelegate)? = nil
  ) throws(CaptureError) -> IntervalCapture {
    try start(
      IntervalCapture(settings, of: self, to: .folder(folder), delegate: delegate))
  }

  /// Starts a series of photos that the caller saves, such as into a photo library.
  ///
  /// - Parameters:
  ///   - settings: When photos are taken, of what kind, and when that ends.
  ///   - delegate: Held until its last call.
  ///   - save: Saves a photo with its number, and returns the file, if it is one. The next photo is taken
  ///     after it has returned. What it throws ends the series.
  /// - Returns: The series, which runs.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for settings that can't be, and while a series
  ///   runs; ``CaptureError/sessionNotRunning``.
  @discardableResult
  public func startIntervalCapture(
    _ settings: IntervalCaptureSettings = IntervalCaptureSettings(),
    delegate: (any IntervalCaptureDelegate)? = nil,
    saving save: @escaping @Sendable (CapturePhoto, Int) async throws -> URL?
  ) throws(CaptureError) -> IntervalCapture {
    try start(
      IntervalCapture(settings, of: self, to: .custom(save), delegate: delegate))
  }

  private func start(_ capture: IntervalCapture) throws(CaptureError) -> IntervalCapture {
    try capture.settings.validate()
    try capture.destination.validate()
    try update { state throws(CaptureError) in
      guard state.readiness != .sessionNotRunning else { throw .sessionNotRunning }
      guard state.intervalCapture == nil else {
        throw .invalidSettings(
          reason: "The output takes a series of photos already. Stop that one first "
            + "(intervalCapture?.stop()) and wait for its end.")
      }
      state.intervalCapture = capture
    }
    capture.start()
    return capture
  }

  /// Makes room for the next series.
  func forget(_ capture: IntervalCapture) {
    update { state in
      if state.intervalCapture === capture { state.intervalCapture = nil }
    }
  }
}
