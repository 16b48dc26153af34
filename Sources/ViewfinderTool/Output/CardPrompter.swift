import Viewfinder

/// Tells a person what to do until a card can be taken.
final class CardPrompter {
  private let task: Task<Void, any Error>

  /// Looks at a session's frames, through an output of its own.
  init(_ session: CaptureSession) throws {
    let metadata = CaptureMetadataOutput()
    try session.addOutput(metadata)
    let objects = metadata.metadataObjects
    let searching = "Point the camera at the card."
    Terminal.progress(searching)
    task = Task {
      var last = searching
      for await found in objects {
        let card = found.lazy.compactMap { $0 as? MetadataOutlineObject }.first?.card
        let words =
          card.map { "\($0.conditions.advice.first?.words ?? "Hold still")." } ?? searching
        if words != last { Terminal.progress(words) }
        last = words
        // As long as it takes to read.
        try await Task.sleep(for: .milliseconds(1200))
      }
    }
  }

  func stop() { task.cancel() }
}

extension CapturePhotoOutput {
  /// Takes a photo, or takes the request back when it hasn't its picture by then.
  ///
  /// - Returns: The photo, or `nil` when the time was up.
  func capturePhoto(
    with settings: CapturePhotoSettings, until end: ContinuousClock.Instant?
  ) async throws(CaptureError) -> CapturePhoto? {
    guard let end else { return try await capturePhoto(with: settings) }
    let timeout = Task { [id = settings.uniqueID] in
      try await Task.sleep(until: end)
      cancelCapture(id)
    }
    defer { timeout.cancel() }
    do throws(CaptureError) {
      return try await capturePhoto(with: settings)
    } catch {
      if case .cancelled = error, ContinuousClock.now >= end { return nil }
      throw error
    }
  }
}
