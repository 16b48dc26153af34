public import Foundation

/// One picture from a camera.
///
/// Copies of a frame share the camera's own buffer and give it back when the last copy goes away. A
/// camera has few buffers: while a program keeps them all, it loses frames (``CaptureStatistics``
/// counts them). Copy ``data``, or use ``pixelBuffer()`` of a JPEG frame, to keep a picture.
public struct VideoFrame: Sendable {
  enum Storage: Sendable {
    case lease(FrameLease)
    case picture(Picture)
  }

  /// The layout of ``bytes``.
  ///
  /// For a JPEG frame this has the picture's own size, even where the camera sends another than the
  /// driver agreed on.
  public let format: VideoFormat

  /// When the camera captured the picture, on the system's monotonic clock (`CLOCK_MONOTONIC`).
  public let timestamp: Duration

  /// The same moment by the calendar.
  public let date: Date

  /// The number of frames that the driver began before this one, lost ones included, since the
  /// session started or an interruption of it ended.
  public let sequenceNumber: Int

  let storage: Storage

  /// Whether the program holds so many frames that this one is for photos alone.
  var isReserved: Bool { if case .lease(let lease) = storage { lease.isReserved } else { false } }

  init(lease: FrameLease, format: VideoFormat) {
    self.format = format.with(lease.dimensions ?? format.dimensions)
    timestamp = .nanoseconds(lease.timestamp)
    date = Date(timeIntervalSince1970: Double(lease.wallTime) / 1e9)
    sequenceNumber = lease.sequence
    storage = .lease(lease)
  }

  /// The frame with other pixels.
  init(_ frame: VideoFrame, picture: Picture) {
    format = VideoFormat(
      pixelFormat: picture.pixelFormat, dimensions: picture.dimensions,
      bytesPerRow: picture.bytesPerRow(ofPlane: 0), frameInterval: frame.format.frameInterval)
    timestamp = frame.timestamp
    date = frame.date
    sequenceNumber = frame.sequenceNumber
    storage = .picture(picture)
  }

  /// The picture's bytes: a whole JPEG, or rows of pixels laid out as ``format`` says.
  ///
  /// For a frame that an output turned or converted to a planar format, these are the first
  /// plane's; use ``pixelBuffer()``.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // Read the pointer into a constant first: spans made straight from a class's field crash
      // 6.3.1's optimiser.
      let memory = unsafe memory
      let bytes = unsafe Span<UInt8>(_unsafeBytes: memory)
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }

  /// A copy of the picture's bytes.
  public var data: Data { unsafe Data(memory) }

  /// The picture as pixels.
  ///
  /// Shares the memory of a frame that has pixels, and decodes a JPEG frame.
  public func pixelBuffer() throws(CaptureError) -> PixelBuffer {
    PixelBuffer(picture: try picture())
  }

  /// The picture as a JPEG file without metadata.
  ///
  /// Returns a JPEG frame as the camera made it, with the Huffman tables that it may lack;
  /// `quality` then has no effect.
  ///
  /// - Parameter quality: From 0 (smallest) to 1 (best). The default is 0.8.
  /// - Returns: The file's bytes.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func jpegData(quality: Double = 0.8) throws(CaptureError) -> Data {
    if case .lease(let lease) = storage, format.pixelFormat.isJPEG {
      return try unsafe JPEGCodec.rewrite(lease.bytes, info: lease.info, "the frame")
    }
    return try JPEGEncoder().encode(
      try picture(), JPEGEncoder.Options(quality: ijgQuality(quality)))
  }

  /// Checks that a JPEG frame's scan is whole: reads all its codes, which must make as many blocks
  /// as its size has.
  ///
  /// That takes two thirds of the time of decoding it, so sessions don't do it for each frame.
  /// Bytes that happen to be other possible codes of the same length go unnoticed. Frames of
  /// pixels, which have nothing to check, and progressive JPEGs pass.
  ///
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func verify() throws(CaptureError) {
    guard case .lease(let lease) = storage, format.pixelFormat.isJPEG else { return }
    try unsafe JPEGCodec.verify(lease.bytes, "the frame")
  }

  /// Exports the camera's buffer as a DMABUF descriptor (VIDIOC_EXPBUF), for other devices.
  ///
  /// The caller closes it.
  ///
  /// The driver may overwrite the buffer once the frame's last copy is gone.
  public func exportDMABuffer() throws(CaptureError) -> Int32 {
    guard case .lease(let lease) = storage else {
      throw .invalidSettings(reason: "A converted frame has no camera buffer to export.")
    }
    return try lease.export()
  }

  var memory: UnsafeRawBufferPointer {
    switch storage {
    case .lease(let lease): unsafe lease.bytes
    case .picture(let picture): unsafe picture.memory(ofPlane: 0)
    }
  }

  /// The pixels, shared or decoded.
  func picture() throws(CaptureError) -> Picture {
    switch storage {
    case .picture(let picture): return picture
    case .lease(let lease):
      if format.pixelFormat.isJPEG {
        return try unsafe JPEGCodec.decode(lease.bytes, "the frame").picture
      }
      return try Picture.view(lease, format: format)
    }
  }
}

/// IJG's 1 to 100 for a quality from 0 to 1; values outside are clamped.
func ijgQuality(_ quality: Double) -> Int {
  guard quality.isFinite else { return 90 }
  return min(max(Int((quality * 100).rounded()), 1), 100)
}
