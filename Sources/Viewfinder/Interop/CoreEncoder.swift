import CViewfinder

/// A `vf_encoder`, used by one thread at a time.
@safe final class CoreEncoder: @unchecked Sendable {
  private let handle: OpaquePointer

  init() throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let handle = unsafe vf_encoder_create(&failure) else {
      throw unsafe failure.imageError("the JPEG encoder")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe vf_encoder_destroy(handle) }

  /// Encodes a picture; the result holds until the next call.
  func encode(
    _ image: vf_image, _ options: vf_encode_options, _ what: String
  ) throws(CaptureError) -> UnsafeRawBufferPointer {
    var (image, options) = unsafe (image, options)
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    var failure = unsafe vf_failure()
    guard
      unsafe vf_encoder_encode(handle, &image, &options, &bytes, &count, &failure) == 0
    else { throw unsafe failure.imageError(what) }
    return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// The last result, which the encoder keeps no more and the caller releases.
  func take() -> vf_buffer { unsafe vf_encoder_take(handle) }
}
