import Foundation

// How a series takes its photos: one after the other, by one task.
extension IntervalCapture {
  /// When the series started.
  private struct Start {
    /// On the monotonic clock, as frames' time stamps.
    let time = monotonicTime()
    let date = Date()

    /// When a photo is due.
    func due(_ number: Int, _ interval: Duration) -> Duration { time + interval * (number - 1) }
  }

  /// Takes photos until something ends that.
  func takePhotos() async -> Ending {
    var photoSettings = freshPhotoSettings()
    if let timer = settings.start {
      await untilEnded { [output, photoSettings] in
        await output.countDown(timer, to: photoSettings.uniqueID)
      }
    }
    let start = Start()
    var number = 1
    while true {
      let due = start.due(number, settings.interval)
      if let limit = settings.maxDuration, max(due, monotonicTime()) - start.time >= limit {
        return .duration
      }
      await untilEnded {
        let rest = due - monotonicTime()
        if rest > .zero { try? await Task.sleep(for: rest, tolerance: .zero) }
      }
      if let ending = await takePhoto(number, photoSettings, start) ?? wantedEnding {
        return ending
      }
      let next = nextNumber(after: number, start)
      for missed in number + 1..<next {
        if let ending = await miss(missed, .shutterNotReady(.notReadyWaitingForProcessing)) {
          return ending
        }
      }
      number = next
      photoSettings = freshPhotoSettings()
    }
  }

  private func freshPhotoSettings() -> CapturePhotoSettings {
    var photoSettings = CapturePhotoSettings(from: settings.photoSettings)
    photoSettings.selfTimer = nil
    return photoSettings
  }

  /// The photo that is due next: those that were due meanwhile are missed, and not taken in a bunch.
  private func nextNumber(after number: Int, _ start: Start) -> Int {
    guard settings.interval > .zero else { return number + 1 }
    let now = monotonicTime()
    let elapsed = settings.maxDuration.map { min(now - start.time, $0) } ?? (now - start.time)
    // All up to this number have been due.
    let passed = Int((elapsed / settings.interval).rounded(.up))
    return max(number, passed) + 1
  }

  /// Takes and saves a photo; returns how the series ends, if it does.
  private func takePhoto(_ number: Int, _ photoSettings: CapturePhotoSettings, _ start: Start)
    async -> Ending?
  {
    let result = await untilEnded { [output] in
      await Result { () async throws(CaptureError) in
        try await output.capturePhoto(with: photoSettings)
      }
    }
    switch result {
    case nil: return wantedEnding
    case .success(let photo): return await save(photo, number, start)
    case .failure(let error):
      if let ending = wantedEnding { return ending }
      return error.isPermanent ? .failed(error) : await miss(number, error)
    }
  }

  private func save(_ photo: CapturePhoto, _ number: Int, _ start: Start) async -> Ending? {
    let byteCount = photo.byteCount
    if let limit = settings.maxByteCount, summary.byteCount + byteCount > limit {
      return .byteCount
    }
    if let free = destination.freeDiskSpace, free - byteCount < settings.minFreeDiskSpaceLimit {
      return .diskSpace
    }
    do {
      let url = try await destination.save(photo, number: number, start: start.date)
      await tell(
        .didSave(
          IntervalPhoto(
            number: number, date: photo.date,
            delay: photo.timestamp - start.due(number, settings.interval),
            dimensions: photo.dimensions, byteCount: byteCount, url: url)))
    } catch {
      return .failed(error)
    }
    return summary.photoCount == settings.maxPhotoCount ? .photoCount : nil
  }

  /// Tells of a photo that wasn't taken; returns how the series ends, if it does.
  private func miss(_ number: Int, _ error: CaptureError) async -> Ending? {
    await tell(.didMiss(number: number, error))
    return settings.endsAtMissedPhoto ? .failed(error) : wantedEnding
  }
}

extension CaptureError {
  /// Whether the same happens to the next photo as well.
  fileprivate var isPermanent: Bool {
    switch self {
    case .invalidSettings, .unsupportedFormat, .sessionNotRunning: true
    default: false
    }
  }
}

extension Result where Failure == CaptureError {
  /// The outcome of an asynchronous body.
  fileprivate init(_ body: () async throws(CaptureError) -> Success) async {
    do throws(CaptureError) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
