import CViewfinder

/// Scales a picture down while it is read row by row, so that only the result is ever in memory.
@safe package struct PictureShrinker: ~Copyable {
  private let handle: OpaquePointer
  private let rowSize: Int

  /// Prepares for a picture's rows.
  ///
  /// - Parameters:
  ///   - format: The layout of the rows and of the result: ``PixelFormat/grey``,
  ///     ``PixelFormat/rgb24`` or ``PixelFormat/rgba32``.
  ///   - source: The size of what is read, in pixels.
  ///   - size: The size of the result, at most as much each way.
  /// - Throws: ``CaptureError`` when memory is short, or when the result would be larger.
  package init(_ format: PixelFormat, from source: Dimensions, to size: Dimensions)
    throws(CaptureError)
  {
    var failure = unsafe vf_failure()
    guard
      let handle = unsafe vf_shrinker_create(
        format.rawValue, UInt32(clamping: source.width), UInt32(clamping: source.height),
        UInt32(clamping: size.width), UInt32(clamping: size.height), &failure)
    else { throw unsafe failure.imageError("the picture") }
    unsafe self.handle = handle
    rowSize = source.width * (format == .grey ? 1 : format == .rgb24 ? 3 : 4)
  }

  deinit { unsafe vf_shrinker_destroy(handle) }

  /// Takes the next row of the source, from the top; one that is too short counts as missing.
  package func add(_ row: UnsafeRawBufferPointer) {
    guard let base = row.baseAddress, row.count >= rowSize else { return }
    unsafe vf_shrinker_add(handle, base.assumingMemoryBound(to: UInt8.self))
  }

  /// Takes the next row of the source.
  package func add(_ row: borrowing [UInt8]) {
    unsafe row.withUnsafeBytes { row in unsafe add(row) }
  }

  /// Takes the picture out, which works once.
  ///
  /// It is black where rows are missing.
  package func picture() throws(CaptureError) -> PixelBuffer {
    PixelBuffer(
      picture: try unsafe Picture.make("the picture") { result, _ in
        unsafe result.pointee = unsafe vf_shrinker_take(handle)
        return 0
      })
  }
}
