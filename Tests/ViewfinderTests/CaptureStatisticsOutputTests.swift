import Foundation
import Testing

@testable import Viewfinder

@Suite struct FramePacingTests {
  /// A history of frames at these milliseconds, wanted every 100.
  static func history(_ milliseconds: [Int], wanted: Double? = 10) -> FrameHistory {
    var history = FrameHistory()
    for time in milliseconds {
      history.add(.milliseconds(time), wanted: wanted.flatMap { FrameInterval(frameRate: $0) })
    }
    return history
  }

  @Test(arguments: [[], [1000]])
  func withoutTwoFramesThereAreNoFigures(times: [Int]) {
    let pacing = FramePacing(Self.history(times), at: .milliseconds(1000))
    #expect(pacing == FramePacing())
    #expect(pacing.longest == nil && pacing.line.isEmpty)
  }

  @Test func lateIsMoreThanOneAndAHalfTimesTheWantedInterval() throws {
    let history = Self.history([0, 100, 250, 401, 501, 901])
    let pacing = FramePacing(history, at: .milliseconds(1401))
    #expect(pacing.intervalCount == 5)
    #expect(pacing.wantedInterval == 0.1)
    #expect(pacing.lateCount == 2)
    #expect(abs(try #require(pacing.medianInterval) - 0.15) < 1e-6)
    let longest = try #require(pacing.longest)
    #expect(abs(longest.age - 0.5) < 1e-9 && abs(longest.duration - 0.4) < 1e-9)
    // Of 100, 150 and 100 ms: those that weren't late.
    let mean = 350.0 / 3
    let squares: Double = 2 * (100 - mean) * (100 - mean) + (150 - mean) * (150 - mean)
    let variance: Double = squares / 3
    #expect(abs(try #require(pacing.jitter) * 1000 - variance.squareRoot()) < 1e-3)
  }

  @Test func aCameraThatTellsNoRateIsMeasuredByItsMedian() {
    let pacing = FramePacing(
      Self.history([0, 100, 200, 300, 500], wanted: nil), at: .milliseconds(500))
    #expect(abs((pacing.wantedInterval ?? 0) - 0.1) < 1e-6)
    #expect(pacing.lateCount == 1)
  }

  @Test func onlyTheLastMinuteCounts() {
    let history = Self.history(Array(stride(from: 0, through: 120_000, by: 100)))
    let pacing = FramePacing(history, at: .seconds(120))
    #expect(pacing.intervalCount == 600)
    #expect(pacing.line.joined().allSatisfy { (0..<60).contains($0.age) })
    #expect(FramePacing(history, at: .seconds(181)) == FramePacing())
  }

  @Test func theHistoryIsBoundedHoweverFastTheCameraIs() {
    let history = Self.history(Array(0..<40_000), wanted: 1000)
    let pacing = FramePacing(history, at: .milliseconds(39_999))
    #expect(pacing.intervalCount == FrameHistory.capacity)
    // Two ends of each half second, however many frames there are.
    #expect(pacing.line.joined().count <= 2 * 60)
    #expect(pacing.line.joined().map(\.age) == pacing.line.joined().map(\.age).sorted(by: >))
  }

  @Test func theLineShowsTheShortestAndTheLongestOfEachHalfSecond() {
    var times = Array(stride(from: 0, through: 10_000, by: 100))
    times[42] += 60
    let pacing = FramePacing(Self.history(times), at: .seconds(10))
    let durations = pacing.line.joined().map { ($0.duration * 1000).rounded() }
    #expect(durations.contains(160) && durations.contains(40))
    #expect(pacing.lateIntervals.count == 1)
  }

  @Test func anInterruptionIsNoLateFrame() {
    var history = Self.history([0, 100, 200])
    history.interrupt()
    for time in [5000, 5100, 5200] {
      history.add(.milliseconds(time), wanted: FrameInterval(frameRate: 10))
    }
    let pacing = FramePacing(history, at: .milliseconds(5200))
    #expect(pacing.intervalCount == 4 && pacing.lateCount == 0)
    #expect(pacing.line.count == 2)
  }

  @Test func timesThatCantBeTrueSayNothing() {
    var history = Self.history([0, 100, 100, 50, 200])
    for time in [Duration.seconds(Int64.min), .seconds(Int64.max), .seconds(Int64.max)] {
      history.add(time, wanted: nil)
    }
    let early = FramePacing(Self.history([0, 100, 100, 50, 200]), at: .milliseconds(200))
    #expect(early.intervalCount == 2)
    // Without a trap.
    _ = FramePacing(history, at: .seconds(Int64.max))
    _ = FramePacing(history, at: .seconds(Int64.min))
  }
}

@Suite struct PictureHistogramTests {
  /// A quarter black, a quarter white, the rest of one colour.
  static func picture(_ layout: PixelFormat) throws -> PixelBuffer {
    let size = Dimensions(width: 64, height: 48)
    let bytes = (0..<size.height).flatMap { _ in
      (0..<size.width).flatMap { x -> [UInt8] in
        x < 16 ? [0, 0, 0] : x < 32 ? [255, 255, 255] : [200, 100, 50]
      }
    }
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: Data(bytes))
      .converted(to: layout)
  }

  @Test(arguments: LuminanceTests.layouts)
  func everyLayoutHasTheSameHistogram(layout: PixelFormat) throws {
    let histogram = try Self.picture(layout).histogram()
    #expect(histogram.luma.counts.count == 256)
    #expect(histogram.luma.counts.reduce(0, +) == 64 * 48)
    #expect(abs(histogram.luma.blackShare - 0.25) < 0.02)
    #expect(abs(histogram.luma.whiteShare - 0.25) < 0.02)
    #expect(histogram.exposure == .clipsBoth)
    let middles = [histogram.luma, histogram.red, histogram.green, histogram.blue].map { channel in
      channel.counts.enumerated().dropFirst(8).dropLast(8).max { $0.element < $1.element }!.offset
    }
    let expected = layout == .grey ? [124, 124, 124, 124] : [124, 200, 100, 50]
    for (middle, value) in zip(middles, expected) { #expect(abs(middle - value) <= 2) }
  }

  @Test func sharesAddUpAndClippingIsTold() throws {
    func grey(_ value: (Int) -> UInt8) throws -> PictureHistogram {
      let bytes = (0..<1000 * 10).map { value($0 % 1000) }
      return try PixelBuffer(
        pixelFormat: .grey, dimensions: Dimensions(width: 1000, height: 10), data: Data(bytes)
      ).histogram()
    }
    #expect(try grey { _ in 0 }.exposure == .clipsDark)
    #expect(try grey { _ in 255 }.exposure == .clipsBright)
    let slope = try grey { UInt8($0 * 256 / 1000) }
    #expect(slope.exposure == .balanced)
    for steps in [-1, 1, 7, 64, 256, 1000] {
      let shares = slope.luma.shares(steps: steps)
      #expect(shares.count == min(max(steps, 1), 256))
      #expect(abs(shares.reduce(0, +) - 1) < 1e-9)
    }
    let even = slope.luma.shares(steps: 8)
    #expect(even.allSatisfy { abs($0 - 0.125) < 0.01 })
  }
}

@Suite struct CaptureStatisticsOutputTests {
  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func aStreamHasFigures(format: PixelFormat) async throws {
    let rig = try Rig()
    try rig.choose(format, .vga)
    let output = CaptureStatisticsOutput()
    output.histogramInterval = .zero
    #expect(output.figures == CaptureFigures())
    try await rig.start(output)
    #expect(await eventually { output.figures.pacing.intervalCount >= 5 })
    #expect(await eventually { output.figures.histogram != nil })
    let figures = output.figures
    #expect(figures.frames.deliveredFrames >= 5)
    #expect(figures.pacing.wantedInterval == rig.session.activeVideoFormat?.frameInterval?.seconds)
    let histogram = try #require(figures.histogram)
    #expect(histogram.exposure == .balanced)
    output.histogramInterval = nil
    #expect(output.figures.histogram == nil)
  }

  @Test func aStopIsNoInterval() async throws {
    let rig = try Rig()
    let output = CaptureStatisticsOutput()
    try await rig.start(output)
    #expect(await eventually { output.figures.pacing.intervalCount >= 3 })
    await rig.session.stopRunning()
    let before = output.figures.pacing.intervalCount
    try await rig.session.startRunning()
    #expect(await eventually { output.figures.pacing.intervalCount >= before + 3 })
    #expect(output.figures.pacing.line.count == 2)
  }

  @Test func withoutAnIntervalNoHistogramIsMade() async throws {
    let rig = try Rig()
    let output = CaptureStatisticsOutput()
    try await rig.start(output)
    #expect(await eventually { output.figures.pacing.intervalCount >= 3 })
    #expect(output.figures.histogram == nil)
  }
}
