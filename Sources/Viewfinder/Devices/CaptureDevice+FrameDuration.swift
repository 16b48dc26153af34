/// A session that streams, or is to stream, from a camera.
protocol CaptureDeviceUser: AnyObject, Sendable {
  /// What decides while the camera has no active format.
  var preset: CaptureSession.Preset { get }
  /// Another format or rate was set.
  func deviceDidChange()
}

/// A session that may be gone.
struct WeakUser: Sendable {
  weak let user: (any CaptureDeviceUser)?
}

/// How long a frame may take, as far as the program says.
struct FrameDurations: Hashable, Sendable {
  var shortest: FrameInterval?
  var longest: FrameInterval?

  /// What comes nearest to a time per frame; `nil` stands for the fastest.
  func nearest(to interval: FrameInterval?) -> FrameInterval? {
    guard let interval else { return shortest }
    if let shortest, interval.seconds < shortest.seconds { return shortest }
    if let longest, interval.seconds > longest.seconds { return longest }
    return interval
  }
}

// Frame rates.
extension CaptureDevice {
  /// The shortest time that a frame takes: the highest rate; `nil` for the session's choice.
  public var activeVideoMinFrameDuration: FrameInterval? { frameDurations.shortest }

  /// The longest time that a frame takes: the lowest rate; `nil` for the session's choice.
  public var activeVideoMaxFrameDuration: FrameInterval? { frameDurations.longest }

  /// Sets the shortest time that a frame takes, and so the highest rate; `nil` restores the
  /// default.
  ///
  /// The default is at most 30 frames a second while a preset decides, otherwise the active
  /// format's fastest rate.
  ///
  /// A running session takes it up at once. A longest duration that is shorter rises to it.
  ///
  /// - Throws: ``CaptureError/valueOutOfRange(name:value:accepted:)`` when the active format, or
  ///   the size that the session's preset chooses, doesn't have the rate.
  public func setActiveVideoMinFrameDuration(_ duration: FrameInterval?) throws(CaptureError) {
    try setFrameDurations(duration) { durations in
      durations.shortest = duration
      guard let duration, let longest = durations.longest else { return }
      if longest.seconds < duration.seconds { durations.longest = duration }
    }
  }

  /// Sets the longest time that a frame takes, and so the lowest rate; `nil` restores the default,
  /// which is no limit.
  ///
  /// A running session takes it up at once. A shortest duration that is longer falls to it.
  ///
  /// - Throws: ``CaptureError/valueOutOfRange(name:value:accepted:)`` as
  ///   ``setActiveVideoMinFrameDuration(_:)`` does.
  public func setActiveVideoMaxFrameDuration(_ duration: FrameInterval?) throws(CaptureError) {
    try setFrameDurations(duration) { durations in
      durations.longest = duration
      guard let duration, let shortest = durations.shortest else { return }
      if shortest.seconds > duration.seconds { durations.shortest = duration }
    }
  }

  /// Sets the shortest and the longest time that a frame takes at once: a fixed rate.
  ///
  /// `nil` restores both defaults.
  ///
  /// - Throws: ``CaptureError/valueOutOfRange(name:value:accepted:)`` as
  ///   ``setActiveVideoMinFrameDuration(_:)`` does.
  public func setActiveVideoFrameDuration(_ duration: FrameInterval?) throws(CaptureError) {
    try setFrameDurations(duration) { $0 = FrameDurations(shortest: duration, longest: duration) }
  }

  private func setFrameDurations(
    _ duration: FrameInterval?, _ change: (inout FrameDurations) -> Void
  ) throws(CaptureError) {
    try requireLock()
    if let duration { try check(duration) }
    var durations = frameDurations
    change(&durations)
    frameDurations = durations
    tellUsers()
  }

  private func check(_ duration: FrameInterval) throws(CaptureError) {
    let ranges = try ratesInUse()
    let rate = duration.frameRate
    let isThere = ranges.contains {
      $0.minFrameRate - 0.01 <= rate && rate <= $0.maxFrameRate + 0.01
    }
    guard !isThere, !ranges.isEmpty else { return }
    let rates = ranges.map { range in
      let fastest = formattedRate(range.maxFrameRate)
      return range.minFrameRate == range.maxFrameRate
        ? fastest : "\(formattedRate(range.minFrameRate)) to \(fastest)"
    }
    throw .valueOutOfRange(
      name: "frame rate", value: formattedRate(rate),
      accepted: rates.joined(separator: ", ") + " frames/s")
  }

  /// The rates of the active format, or of the size that a session's preset chooses; slowest first,
  /// empty when the driver doesn't tell.
  private func ratesInUse() throws(CaptureError) -> [FrameRateRange] {
    if let activeFormat { return activeFormat.videoSupportedFrameRateRanges }
    let modes = try modes()
    var formats = modes.formats
    if let preset = users.first?.preset {
      let size = modes.format(of: try choose(wantedFormat(for: preset).wanted))?.dimensions
      formats = formats.filter { $0.dimensions == size }
      // A size that the driver leaves open may have any rate.
      guard !formats.contains(where: { $0.videoSupportedFrameRateRanges.isEmpty }) else {
        return []
      }
    }
    return Set(formats.flatMap(\.videoSupportedFrameRateRanges)).sorted {
      ($0.maxFrameRate, $0.minFrameRate) < ($1.maxFrameRate, $1.minFrameRate)
    }
  }
}
