/// How evenly frames came over the last minute.
public struct FramePacing: Hashable, Sendable {
  /// The time from one frame to the next.
  public struct Interval: Hashable, Sendable {
    /// How long ago its second frame was captured, in seconds.
    public let age: Double
    /// How long it was, in seconds.
    public let duration: Double
  }

  /// How far back it looks, in seconds.
  public static let window = 60.0
  /// How many times the wanted interval a frame that came late took more than.
  public static let lateness = 1.5

  /// How many intervals there were.
  ///
  /// The time while frames were interrupted, or the session was stopped, is none. Of cameras with
  /// more than 240 frames a second there are the last 14,400.
  public private(set) var intervalCount = 0
  /// The interval that the driver granted, in seconds; the median where it doesn't tell.
  public private(set) var wantedInterval: Double?
  /// The median, in seconds.
  public private(set) var medianInterval: Double?
  /// How much the intervals of frames that weren't late differ: their standard deviation, in seconds.
  public private(set) var jitter: Double?
  /// How many frames came late: after more than ``lateness`` times the wanted interval.
  public private(set) var lateCount = 0
  /// Those among them that took longest, one at most of each half second, oldest first.
  public private(set) var lateIntervals: [Interval] = []
  /// The latest of all.
  public var longest: Interval? { lateIntervals.max { $0.duration < $1.duration } }
  /// A line for a plot: the shortest and the longest interval of each half second, oldest first.
  ///
  /// A new part begins where frames were interrupted.
  public private(set) var line: [[Interval]] = []

  /// Nothing came.
  public init() {}

  /// The figures of what a history holds, at a time on the clock of frames' time stamps.
  init(_ history: FrameHistory, at time: Duration) {
    let now = time.nanoseconds
    let recent = history.entries(since: now - Int64(Self.window * 1e9))
    let durations = recent.filter { !$0.isFirst }.map { Double($0.duration) / 1e9 }.sorted()
    intervalCount = durations.count
    guard !durations.isEmpty else { return }
    let median = durations[durations.count / 2]
    let wanted = history.wantedInterval ?? median
    (medianInterval, wantedInterval) = (median, wanted)
    let limit = Self.lateness * wanted
    let punctual = durations.prefix { $0 <= limit }
    lateCount = durations.count - punctual.count
    if !punctual.isEmpty {
      let mean = punctual.reduce(0, +) / Double(punctual.count)
      let squares = punctual.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      jitter = (squares / Double(punctual.count)).squareRoot()
    }
    draw(recent, until: now, limit: limit)
  }

  /// Steps of the line, in nanoseconds.
  ///
  /// Counted from the clock's zero, so that the line moves and doesn't change.
  private static let step: Int64 = 500_000_000

  private mutating func draw(_ entries: [FrameHistory.Entry], until now: Int64, limit: Double) {
    var (shortest, longest) = (FrameHistory.Entry?.none, FrameHistory.Entry?.none)
    func interval(_ entry: FrameHistory.Entry) -> Interval {
      Interval(age: Double(max(now - entry.time, 0)) / 1e9, duration: Double(entry.duration) / 1e9)
    }
    func endStep() {
      guard let low = shortest, let high = longest else { return }
      if line.isEmpty { line.append([]) }
      let ends = low.time == high.time ? [low] : [low, high].sorted { $0.time < $1.time }
      line[line.count - 1] += ends.map(interval)
      if Double(high.duration) / 1e9 > limit { lateIntervals.append(interval(high)) }
      (shortest, longest) = (nil, nil)
    }
    for entry in entries {
      if let last = longest, entry.isFirst || entry.time / Self.step != last.time / Self.step {
        endStep()
      }
      guard !entry.isFirst else {
        if line.last?.isEmpty == false { line.append([]) }
        continue
      }
      if entry.duration < shortest?.duration ?? .max { shortest = entry }
      if entry.duration > longest?.duration ?? -1 { longest = entry }
    }
    endStep()
    if line.last?.isEmpty == true { line.removeLast() }
  }
}

/// When a stream's last frames came.
///
/// It keeps as many as a minute has at 240 a second, whatever the camera's rate.
struct FrameHistory: Sendable {
  /// A frame.
  struct Entry: Hashable, Sendable {
    /// When it was captured, in nanoseconds on the clock of time stamps.
    var time: Int64
    /// The time since the frame before; -1 for the first after an interruption.
    var duration: Int64

    var isFirst: Bool { duration < 0 }
  }

  static let capacity = 240 * 60

  private var ring: [Entry] = []
  /// Where the next entry goes, once the ring is full.
  private var next = 0
  private var last: Int64?
  /// What the driver granted, in seconds.
  private(set) var wantedInterval: Double?

  /// Notes a frame.
  ///
  /// One that isn't newer than the one before, such as a repeated one, says nothing.
  mutating func add(_ timestamp: Duration, wanted: FrameInterval?) {
    let time = timestamp.nanoseconds
    if let last, time <= last { return }
    wantedInterval = wanted?.seconds
    append(Entry(time: time, duration: last.map { time - $0 } ?? -1))
    last = time
  }

  /// The next frame is the first of a stream.
  mutating func interrupt() { last = nil }

  private mutating func append(_ entry: Entry) {
    if ring.count < Self.capacity {
      ring.append(entry)
    } else {
      ring[next] = entry
      next = (next + 1) % Self.capacity
    }
  }

  /// The frames since a time, oldest first.
  func entries(since time: Int64) -> [Entry] {
    let ordered = ring[next...] + ring[..<next]
    return ordered.filter { $0.time > time }
  }
}

extension Duration {
  /// In whole nanoseconds, clamped to what 64 bits hold.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflows, !carries else { return seconds < 0 ? .min / 2 : .max / 2 }
    return sum
  }
}
