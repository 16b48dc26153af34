import Viewfinder

/// What a page draws of a camera's stream: the topic `statistics`.
struct StatisticsReport: Codable, Sendable {
  struct Format: Codable, Sendable {
    var layout: String
    var width: Int
    var height: Int
    /// Frames a second, where the driver tells.
    var rate: Double?
  }

  /// The time between frames; durations in milliseconds, ages in seconds.
  struct Pacing: Codable, Sendable {
    var wanted: Double?
    var median: Double?
    var jitter: Double?
    var lateCount: Int
    /// The one that took longest: its age and its duration.
    var latest: [Double]?
    /// Late ones for the plot: ages and durations.
    var late: [[Double]]
    /// The line, in parts: ages and durations.
    var line: [[[Double]]]
  }

  /// Shares of the picture from dark to bright, 64 steps.
  struct Histogram: Codable, Sendable {
    var luma: [Double]
    var red: [Double]
    var green: [Double]
    var blue: [Double]
    /// Shares of the luma that are clipped.
    var black: Double
    var white: Double
    var exposure: String
  }

  var format: Format?
  var framesPerSecond: Double
  var frames: LiveReport.Frames
  var pacing: Pacing
  var histogram: Histogram?
  var clients: Int

  init(_ figures: CaptureFigures, format: VideoFormat?, clients: Int) {
    self.format = format.map {
      Format(
        layout: "\($0.pixelFormat)", width: $0.dimensions.width, height: $0.dimensions.height,
        rate: ($0.frameInterval?.frameRate).map { rounded($0, to: 100) })
    }
    framesPerSecond = rounded(figures.frames.measuredFrameRate, to: 100)
    frames = LiveReport.Frames(figures.frames)
    pacing = Pacing(figures.pacing)
    histogram = figures.histogram.map(Histogram.init)
    self.clients = clients
  }
}

extension StatisticsReport.Pacing {
  fileprivate init(_ pacing: FramePacing) {
    func milliseconds(_ seconds: Double) -> Double { rounded(seconds * 1000, to: 100) }
    func point(_ interval: FramePacing.Interval) -> [Double] {
      [rounded(interval.age, to: 100), milliseconds(interval.duration)]
    }
    wanted = pacing.wantedInterval.map(milliseconds)
    median = pacing.medianInterval.map(milliseconds)
    jitter = pacing.jitter.map(milliseconds)
    lateCount = pacing.lateCount
    latest = pacing.longest.map(point)
    late = pacing.lateIntervals.map(point)
    line = pacing.line.map { $0.map(point) }
  }
}

extension StatisticsReport.Histogram {
  fileprivate init(_ histogram: PictureHistogram) {
    func shares(_ channel: PictureHistogram.Channel) -> [Double] {
      channel.shares(steps: 64).map { rounded($0, to: 10_000) }
    }
    luma = shares(histogram.luma)
    red = shares(histogram.red)
    green = shares(histogram.green)
    blue = shares(histogram.blue)
    black = rounded(histogram.luma.blackShare, to: 10_000)
    white = rounded(histogram.luma.whiteShare, to: 10_000)
    exposure = histogram.exposure.rawValue
  }
}

/// A number with a few decimals, so that what is sent stays short; what isn't finite is 0.
private func rounded(_ value: Double, to parts: Double) -> Double {
  value.isFinite ? (value * parts).rounded() / parts : 0
}
