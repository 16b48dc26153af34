import ArgumentParser
import Foundation
import TerminationSignals
import Viewfinder

/// Writes frames for other programs: to stdout, or to a node that they read as a camera.
struct StreamCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Write the camera's frames to standard output, or to a v4l2loopback node.",
    discussion: """
      For example:

        viewfinder stream --type mjpeg | ffplay -f mjpeg -
        viewfinder stream --type y4m --count 300 | ffmpeg -i - clip.mp4
        viewfinder stream --output /dev/video10   # other programs see a camera there
        viewfinder stream --statistics plot.svg > clip.mjpeg   # how evenly frames came

      It drops frames that come while the reader is busy; standard error says how many at the end.
      """)

  /// How frames are written.
  enum Container: String, ExpressibleByArgument, CaseIterable {
    /// JPEG pictures, one after the other; a camera's own are passed through.
    case mjpeg
    /// YUV4MPEG2 with 4:2:0 frames.
    case y4m
    /// Frames alone, in the camera's own layout where it doesn't compress; for nodes.
    case raw
  }

  @OptionGroup(title: "Camera options") var camera: DeviceOptions
  @OptionGroup(title: "Stream options") var stream: StreamOptions

  @Option(
    help: ArgumentHelp(
      "mjpeg: JPEG pictures one after the other; y4m: uncompressed 4:2:0; raw: uncompressed, for "
        + "--output.",
      discussion: "Raw frames have the camera's layout, or YUYV where it compresses."))
  var type = Container.mjpeg

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write to a video output node, such as v4l2loopback's /dev/video10 (or 10), instead of "
        + "standard output.", valueName: "node"),
    transform: Value.node)
  var node: String?

  @Option(
    help: ArgumentHelp("How many frames to write. (default: no end)", valueName: "n"),
    transform: Value.count)
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "The JPEG quality, from 1 to 100, of frames that the camera doesn't compress itself. "
        + "(default: 80)", valueName: "n"),
    transform: Value.quality)
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "How many seconds to wait for a camera that stalled or was unplugged. (default: 10)",
      valueName: "s"),
    transform: Value.seconds)
  var wait: Double?

  @Option(
    help: ArgumentHelp(
      "Draw the time between frames, lost frames and the brightness into an SVG file at the end.",
      discussion: "The time is that of the last minute. An existing file is replaced.",
      valueName: "file"))
  var statistics: Path?

  @Flag(help: "Write to a terminal, too.")
  var force = false

  func validate() throws {
    if type == .y4m, node != nil {
      throw ValidationError("A node takes no Y4M. Use --type mjpeg or --type raw.")
    }
    if type == .raw, node == nil {
      throw ValidationError(
        "Raw frames don't tell their size. Use --type y4m, or name a node with --output.")
    }
    if statistics == .standardStream, node == nil {
      throw ValidationError("Standard output has the frames. Name a file for --statistics.")
    }
    if node == nil, StandardOutput.isTerminal, !force {
      throw ValidationError(
        "Frames aren't for the screen. Send them to a program or a file, such as "
          + "“viewfinder stream | ffplay -f mjpeg -”, or say --force.")
    }
  }

  func run() async throws {
    Interruption.endEvenIfStuck()
    if let statistics { try Destination.check(statistics) }
    let opened = try camera.open(rate: stream.rate)
    let session = CaptureSession()
    let output = CaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = false
    if type == .y4m { output.pixelFormat = .i420 }
    let meter = statistics.map { _ in CaptureStatisticsOutput() }
    meter?.histogramInterval = .milliseconds(500)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: opened.device))
      try session.addOutput(output)
      if let meter { try session.addOutput(meter) }
    }
    try stream.configure(session, opened, preset: .high)
    if let orientation = stream.orientation, let connection = output.connection(with: .video) {
      connection.videoRotationAngle = Double(orientation.clockwiseRotation)
      connection.isVideoMirrored = orientation.isMirrored
    }
    let events = session.events
    let (results, continuation) = AsyncStream.makeStream(of: Result<Void, CaptureError>.self)
    let writer = FrameWriter(
      type, node: node, quality: quality ?? 0.8, limit: count, finished: { continuation.yield($0) })
    try await session.startRunning()
    stream.warnIfRateDiffers(session.activeVideoFormat)
    let isCompressed = session.activeVideoFormat?.pixelFormat.isJPEG == true
    if type == .raw, isCompressed || stream.orientation != nil { output.pixelFormat = .yuyv }
    writer.begin(session.activeVideoFormat?.frameInterval)
    let before = session.statistics
    output.setSampleBufferDelegate(writer, queue: nil)
    let patience = watch(events, finished: { continuation.yield($0) })
    defer { patience.cancel() }
    // A cancelled task's sequence ends: that is how a signal gets here.
    let result = await results.first { _ in true } ?? .success(())
    tellLosses(
      before, session.statistics, dropped: output.droppedFrameCount, written: writer.frameCount)
    output.setSampleBufferDelegate(nil, queue: nil)
    let plot = meter.map { meter in
      var figures = meter.figures
      figures.frames.leaveOut(output.droppedFrameCount)
      return StatisticsPlot(figures, camera: opened.device.localizedName)
    }
    await session.stopRunning()
    let isDrawn = plot.map(write) ?? true
    if case .failure(let error) = result {
      if case .cannotWrite(_, EPIPE) = error {} else { throw error }
    }
    if !isDrawn { throw ReportedFailure(exitStatus: EX_IOERR) }
  }

  /// Writes the plot; `false` when that failed, which is told also after a signal.
  private func write(_ plot: StatisticsPlot) -> Bool {
    do throws(CaptureError) {
      let path = statistics == .standardStream ? nil : statistics
      try Destination.write(Data(plot.svg.utf8), to: path, replacesExisting: true)
      return true
    } catch {
      Terminal.warn(error)
      return false
    }
  }

  /// Waits for a camera that stalls or goes away, and gives up on it after ``wait``.
  private func watch(
    _ events: AsyncStream<CaptureSession.Event>,
    finished: @escaping @Sendable (Result<Void, CaptureError>) -> Void
  ) -> Task<Void, Never> {
    let wait = wait ?? 10
    return Task {
      var limit: Task<Void, any Error>?
      for await event in events {
        switch event {
        case .wasInterrupted(let error):
          Terminal.warn(error)
          limit = Task {
            try await Task.sleep(for: .seconds(wait))
            finished(.failure(error))
          }
        case .interruptionEnded:
          Terminal.warn("The camera delivers again.")
          limit?.cancel()
        case .runtimeError(let error):
          finished(.failure(error))
        default:
          break
        }
      }
      limit?.cancel()
    }
  }

  private func tellLosses(
    _ before: CaptureStatistics, _ after: CaptureStatistics, dropped: Int, written: Int
  ) {
    let late =
      after.starvedFrames + after.lateFrames - before.starvedFrames - before.lateFrames + dropped
    let losses = [
      (after.lostFrames - before.lostFrames, "never arrived"),
      (after.corruptFrames - before.corruptFrames, "damaged"),
      (late, "too late for the reader"),
    ].filter { $0.0 > 0 }
    guard !losses.isEmpty else { return }
    let list = losses.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    Terminal.warn("\(written) frames written; left out: \(list).")
  }
}

extension CaptureStatistics {
  /// Counts frames that the reader was too slow for as skipped.
  fileprivate mutating func leaveOut(_ dropped: Int) {
    deliveredFrames = max(deliveredFrames - dropped, 0)
    lateFrames += dropped
  }
}
