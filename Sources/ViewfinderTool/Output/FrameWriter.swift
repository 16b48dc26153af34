import Foundation
import Synchronization
import Viewfinder

/// Writes frames to stdout or a video output node as they come.
final class FrameWriter: CaptureVideoDataOutputSampleBufferDelegate {
  private struct State {
    var interval: FrameInterval?
    /// What the Y4M header says.
    var size: Dimensions?
    var node: VideoOutputDevice?
    var frameCount = 0
    var isFinished = false
  }

  private let type: StreamCommand.Container
  /// The path of the node, or `nil` for stdout.
  private let node: String?
  private let encoder: FrameEncoder
  private let limit: Int?
  private let finished: @Sendable (Result<Void, CaptureError>) -> Void
  /// Frames come one at a time, so nobody waits for this lock.
  private let state = Mutex(State())

  /// Creates a writer that calls `finished` when `limit` frames were written or something failed.
  init(
    _ type: StreamCommand.Container, node: String?, quality: Double, limit: Int?,
    finished: @escaping @Sendable (Result<Void, CaptureError>) -> Void
  ) {
    self.type = type
    self.node = node
    encoder = FrameEncoder(quality: quality)
    self.limit = limit
    self.finished = finished
  }

  /// How many frames were written.
  var frameCount: Int { state.withLock { $0.frameCount } }

  /// Notes the rate that a header needs.
  func begin(_ interval: FrameInterval?) { state.withLock { $0.interval = interval } }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    guard type == .mjpeg else {
      return write { (state) throws(CaptureError) in try write(frame, &state) }
    }
    let interval = frame.format.frameInterval
    encoder.encode(frame) { [self] result in
      write { (state) throws(CaptureError) in
        let jpeg = try result.get()
        guard node != nil else { return try StandardOutput.write(jpeg.data) }
        let format = VideoFormat(
          pixelFormat: .mjpeg, dimensions: jpeg.dimensions, bytesPerRow: 0, frameInterval: interval)
        try open(format, &state).write(jpeg)
      }
    }
  }

  /// Writes a frame by `body`, and tells when it was the last, or nothing more can be written.
  private func write(_ body: (inout State) throws(CaptureError) -> Void) {
    let end = state.withLock { state -> Result<Void, CaptureError>? in
      guard !state.isFinished else { return nil }
      do throws(CaptureError) {
        try body(&state)
        state.frameCount += 1
        if let limit, state.frameCount >= limit { state.isFinished = true }
        return state.isFinished ? .success(()) : nil
      } catch {
        // A frame that can't be read is left out; the next may be whole.
        if case .badImageData = error { return nil }
        state.isFinished = true
        return .failure(error)
      }
    }
    if let end { finished(end) }
  }

  private func write(_ frame: VideoFrame, _ state: inout State) throws(CaptureError) {
    guard type == .y4m, node == nil else {
      let format = VideoFormat(
        pixelFormat: frame.format.pixelFormat, dimensions: frame.format.dimensions, bytesPerRow: 0,
        frameInterval: frame.format.frameInterval, usesLimitedRange: frame.format.usesLimitedRange)
      return try open(format, &state).write(frame)
    }
    let picture = try frame.pixelBuffer()
    if state.size == nil {
      try StandardOutput.write(Self.header(picture.dimensions, state.interval))
      state.size = picture.dimensions
    }
    guard state.size == picture.dimensions else {
      throw .unusableOutput(
        path: "standard output",
        reason: "the camera went from \(state.size!) to \(picture.dimensions) pixels, and a Y4M "
          + "stream has one size. Start it again, or use --type mjpeg.")
    }
    try StandardOutput.write(Self.frame(picture))
  }

  /// The node, which is opened for the first frame and whenever the format changes.
  private func open(
    _ format: VideoFormat, _ state: inout State
  ) throws(CaptureError) -> VideoOutputDevice {
    if let open = state.node, open.format.pixelFormat == format.pixelFormat,
      open.format.dimensions == format.dimensions
    {
      return open
    }
    // Closed first, so that a loopback may take another format.
    state.node = nil
    let opened = try VideoOutputDevice(path: node ?? "", format: format)
    state.node = opened
    return opened
  }

  /// The start of a Y4M file; the rate is 30 where the driver tells none.
  private static func header(_ size: Dimensions, _ interval: FrameInterval?) -> Data {
    let interval = interval ?? FrameInterval(numerator: 1, denominator: 30)
    let rate = "F\(interval.denominator):\(interval.numerator)"
    return Data(
      "YUV4MPEG2 W\(size.width) H\(size.height) \(rate) Ip A1:1 C420jpeg XCOLORRANGE=FULL\n".utf8)
  }

  /// A Y4M frame: the planes without the padding of their rows.
  private static func frame(_ picture: PixelBuffer) -> Data {
    var data = Data("FRAME\n".utf8)
    for plane in 0..<picture.planeCount {
      let isChroma = plane > 0
      let width = isChroma ? (picture.dimensions.width + 1) / 2 : picture.dimensions.width
      let stride = picture.bytesPerRow(ofPlane: plane)
      let rows = picture.rowCount(ofPlane: plane)
      unsafe picture.bytes(ofPlane: plane).withUnsafeBytes { bytes in
        for row in 0..<rows {
          let start = row * stride
          unsafe data.append(
            contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + width]))
        }
      }
    }
    return data
  }
}
