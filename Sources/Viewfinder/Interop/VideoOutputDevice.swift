import CViewfinder
import Foundation

/// A video output node, such as one of v4l2loopback's: other programs see a camera whose frames are
/// those that you write.
///
/// ```swift
/// let format = session.activeVideoFormat!
/// let node = try VideoOutputDevice(path: "/dev/video10", format: format)
/// for await frame in videoOutput.frames { try node.write(frame) }
/// ```
@safe public final class VideoOutputDevice: @unchecked Sendable {
  /// The node, such as "/dev/video10".
  public let path: String
  /// What frames must be like, with the distance between rows that the driver granted.
  public let format: VideoFormat

  private let handle: OpaquePointer
  /// In C, calls on one output must not overlap.
  private let lock = Mutex(())

  /// Opens a node and sets its format.
  ///
  /// Programs that look for cameras find it from then on.
  ///
  /// - Parameters:
  ///   - path: The node.
  ///   - format: The layout, size and rate of the frames to come; ``VideoFormat/bytesPerRow``
  ///     doesn't count.
  /// - Throws: ``CaptureError/unusableOutput(path:reason:)`` when the node takes no frames, or not
  ///   in this format; ``CaptureError/deviceInUse(device:holders:)`` when another program writes to
  ///   it; ``CaptureError/permissionDenied(device:advice:)``.
  public init(path: String, format: VideoFormat) throws(CaptureError) {
    var failure = unsafe vf_failure()
    var granted = vf_format()
    granted.fourcc = format.pixelFormat.rawValue
    granted.width = UInt32(clamping: format.dimensions.width)
    granted.height = UInt32(clamping: format.dimensions.height)
    granted.interval = format.frameInterval.map { vf_interval($0) } ?? vf_interval()
    granted.limited_range = format.usesLimitedRange ? 1 : 0
    guard
      let handle = unsafe vf_output_open(vf_system_linux_table(), path, &granted, &failure)
    else { throw unsafe CaptureError(failure, opening: path, for: format) }
    unsafe self.handle = handle
    self.path = path
    self.format = VideoFormat(granted)
  }

  deinit { unsafe vf_output_close(handle) }

  /// Writes a frame.
  ///
  /// Whether anybody reads makes no difference: a loopback keeps the newest frames.
  ///
  /// - Parameters:
  ///   - frame: One that has the size of ``format`` and its layout. Where that is JPEG, it may have
  ///     any layout, and is encoded.
  ///   - quality: The JPEG quality, from 0 to 1, of frames that are encoded. The default is 0.8.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for a frame of another size or layout,
  ///   ``CaptureError/badImageData(what:reason:)`` for a damaged one,
  ///   ``CaptureError/cannotWrite(path:code:)``, ``CaptureError/disconnected(device:)``.
  public func write(_ frame: VideoFrame, quality: Double = 0.8) throws(CaptureError) {
    try check(frame.format.dimensions)
    if format.pixelFormat.isJPEG {
      try write(try frame.jpegData(quality: quality))
    } else {
      try write(try frame.picture())
    }
  }

  /// Writes a frame that is encoded.
  ///
  /// - Parameter frame: One that has the size of ``format``, whose layout is JPEG.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for a frame of another size, or a node that takes no JPEG;
  ///   ``CaptureError/cannotWrite(path:code:)``, ``CaptureError/disconnected(device:)``.
  public func write(_ frame: EncodedFrame) throws(CaptureError) {
    try check(frame.dimensions)
    guard format.pixelFormat.isJPEG else {
      throw .invalidSettings(reason: "\(path) takes \(format.pixelFormat) frames, not JPEG.")
    }
    try write(frame.data)
  }

  private func check(_ size: Dimensions) throws(CaptureError) {
    guard size != format.dimensions else { return }
    throw .invalidSettings(reason: "\(path) takes frames of \(format.dimensions), not \(size).")
  }

  private func write(_ data: Data) throws(CaptureError) {
    try unsafe call { failure in
      unsafe data.withUnsafeBytes { bytes in
        unsafe vf_output_write(
          handle, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count, failure)
      }
    }
  }

  private func write(_ picture: Picture) throws(CaptureError) {
    guard picture.pixelFormat == format.pixelFormat else {
      throw .invalidSettings(
        reason: "\(path) takes \(format.pixelFormat) frames, not \(picture.pixelFormat).")
    }
    try unsafe call { failure in
      var image = unsafe picture.image
      return unsafe vf_output_write_image(handle, &image, failure)
    }
  }

  private func call(_ body: (UnsafeMutablePointer<vf_failure>) -> Int32) throws(CaptureError) {
    try lock.withLock { _ throws(CaptureError) in
      var failure = unsafe vf_failure()
      guard unsafe body(&failure) != 0 else { return }
      switch unsafe failure.code {
      case ENODEV, ENXIO: throw .disconnected(device: path)
      case let code: throw .cannotWrite(path: path, code: code)
      }
    }
  }
}

extension CaptureError {
  /// The error for an output node that couldn't be opened for a format.
  fileprivate init(_ failure: vf_failure, opening path: String, for format: VideoFormat) {
    let detail = unsafe failure.detailText
    let wanted = "\(format.pixelFormat) \(format.dimensions)"
    switch unsafe (failure.code, failure.stepText) {
    case (EACCES, "open"), (EPERM, "open"):
      self = .permissionDenied(device: path, advice: NodePermission(of: path).advice)
    case (EBUSY, _):
      self = .deviceInUse(device: path, holders: DeviceNode.holders(of: path))
    case (ENOENT, _), (ENXIO, _), (ENODEV, "open"):
      self = .unusableOutput(path: path, reason: "there is no such device.")
    case (ENOTTY, _):
      self = .unusableOutput(path: path, reason: "it is no video device.")
    case (ENODEV, _):
      self = .unusableOutput(path: path, reason: "\(detail).")
    case (ENOTSUP, _):
      let holders = DeviceNode.holders(of: path)
      let opened = holders.isEmpty ? "" : ": \(holders.list)"
      self = .unusableOutput(
        path: path,
        reason: "it takes \(detail), not \(wanted). "
          + "A loopback keeps its format while a program has it open\(opened).")
    default:
      self = unsafe .system(call: failure.stepText, code: failure.code, subject: path)
    }
  }
}
