import Foundation
import Testing
import Viewfinder

/// The machine has two of v4l2loopback's nodes, which are cameras while somebody writes to them.
@Suite("v4l2loopback", .serialized, .enabled(if: Driver.v4l2loopback.isHere, Driver.comment))
enum LoopbackTests {
  static let node = "/dev/video10", secondNode = "/dev/video11"
  /// Of the JPEG files that are written.
  static let size = CameraPictures.sizes[0]

  /// The camera that a node is once somebody writes to it.
  ///
  /// Until then the node isn't opened: v4l2loopback 0.12 frees a node's buffers when its last user
  /// closes it, even if a writer that opened it at that moment has just got them.
  static func camera(_ path: String = node) async throws -> CaptureDevice {
    let format = "/sys/class/video4linux/\((path as NSString).lastPathComponent)/format"
    let isWritten = { (try? Data(contentsOf: URL(fileURLWithPath: format)))?.isEmpty == false }
    try #require(await eventually(seconds: 60, isWritten), "nobody writes to \(path)")
    let find = { Driver.v4l2loopback.devices.first { $0.path == path } }
    _ = await eventually(seconds: 60) { find() != nil }
    return try #require(find(), "\(path) is written to, and no camera")
  }

  /// Starts to stream a recording to a node.
  static func stream(_ recording: Recording, to path: String = node) throws -> Tool {
    try Tool(
      "stream", "--replay", recording.path, "--rate", "10", "--type",
      recording.layout == .mjpeg ? "mjpeg" : "raw", "--format", "\(recording.layout)", "--output",
      path)
  }

  /// Starts another program that writes JPEG files, with time stamps that lie.
  static func oddWriter(_ lie: String = "none", every milliseconds: Int = 100) throws -> Program {
    let folder = try CameraPictures.shared.get().folder(of: size).path
    return try Program(
      "sh", "-c",
      "exec oddwriter \(node) \(size.width) \(size.height) \(milliseconds) \(lie) \(folder)/*")
  }
}

/// Frames that are all different, in a file or folder that a simulated camera replays.
struct Recording {
  let layout: PixelFormat
  let path: String
  /// The frames as the simulated camera delivers them, in order.
  let frames: [Data]

  /// Makes a recording that can be replayed in a layout.
  init(_ layout: PixelFormat) async throws {
    self.layout = layout
    if layout == .mjpeg {
      let pictures = try CameraPictures.shared.get()
      path = pictures.folder(of: LoopbackTests.size).path
      frames = pictures.files[LoopbackTests.size] ?? []
    } else {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).y4m")
      try Self.drawing().write(to: file)
      path = file.path
      var configuration = SimulatedCamera.Configuration()
      configuration.source = .replay(path: path)
      let run = try await CameraRun(SimulatedCamera(configuration).device, layout)
      var frames: [Int: Data] = [:]
      // A slow machine may miss some in the first round.
      for _ in 0..<20 where frames.count < Self.count {
        try await run.waitForFrames(Self.count)
        for frame in run.frames.all { frames[frame.sequence % Self.count] = frame.data }
      }
      _ = await run.stop()
      self.frames = (0..<Self.count).compactMap { frames[$0] }
    }
    try #require(frames.count >= Self.count && Set(frames).count == frames.count)
  }

  private static let count = 8

  /// A Y4M file of ramps that move, in changing colours.
  private static func drawing() -> Data {
    let ramp = Data((0..<1024).map { UInt8(truncatingIfNeeded: $0) })
    var file = Data("YUV4MPEG2 W320 H240 F10:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\n".utf8)
    for number in 0..<count {
      file += Data("FRAME\n".utf8)
      for row in 0..<240 { file += ramp[(row + 16 * number)...].prefix(320) }
      for plane in 1...2 {
        for row in 0..<120 { file += ramp[(plane * row + 40 * number)...].prefix(160) }
      }
    }
    return file
  }

  /// The numbers of the pictures that frames show; `nil` for those that are none of them.
  func numbers(_ frames: [FrameLog.Frame]) -> [Int?] {
    frames.map { self.frames.firstIndex(of: $0.data) }
  }

  /// Expects whole frames of one stream, which advance as the sequence numbers say where the writer left none out.
  func expectOrder(_ frames: [FrameLog.Frame], writerKeptAll: Bool) {
    let numbers = numbers(frames)
    #expect(!numbers.contains(nil))
    for (a, b) in zip(frames, frames.dropFirst()) { #expect(b.timestamp > a.timestamp) }
    guard writerKeptAll else { return }
    for number in frames.order(of: numbers, count: self.frames.count) {
      #expect(number.shown == number.expected)
    }
  }
}
