public import Foundation

// Photos at regular intervals.
extension CapturePhotoOutput {
  /// The series that runs, or `nil`.
  public var intervalCapture: IntervalCapture? { update { $0.intervalCapture } }

  /// Starts a series of photos that go to a folder, as files with the time of the series' start and
  /// their number: `IMG_20260412_153012_250_00001.jpg`.
  ///
  /// Each file is there whole or not at all (see ``PhotoFile``). A series never replaces an
  /// existing file. You can take other photos meanwhile.
  ///
  /// - Parameters:
  ///   - settings: When to take photos, of what kind, and when to end.
  ///   - folder: Where the files go; it must exist.
  ///   - delegate: Held until its last call.
  /// - Returns: The series, which runs.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for impossible settings, and while another
  ///   series runs; ``CaptureError/sessionNotRunning``; ``CaptureError/cannotWrite(path:code:)``.
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
  ///   - settings: When to take photos, of what kind, and when to end.
  ///   - delegate: Held until its last call.
  ///   - save: Gets a photo and its number, saves it, and returns the file, if it made one. The
  ///     series takes the next photo after it has returned. What it throws ends the series.
  /// - Returns: The series, which runs.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for impossible settings, and while another
  ///   series runs; ``CaptureError/sessionNotRunning``.
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
