import CViewfinder

extension JPEGCodec {
  /// Decodes a picture with restart markers in bands, which as many cores work on; `nil` where it is one
  /// band, or damaged.
  static func decodeInBands(
    _ bytes: UnsafeBufferPointer<UInt8>, _ what: String, _ options: vf_decode_options, cores: Int
  ) throws(CaptureError) -> Picture? {
    var (options, bands) = (options, UInt32(0))
    let picture = try unsafe Picture.make(what) { result, failure in
      unsafe vf_jpeg_decode_bands(
        result, bytes.baseAddress!, bytes.count, &options, UInt32(clamping: cores), &bands, failure)
    }
    guard bands > 1 else { return nil }
    let work = unsafe BandWork(picture, bytes, options, bands)
    Blocking.spread(Int(bands)) { work.decode($0) }
    return work.isDamaged ? nil : picture
  }
}

/// The bands of a picture while they are decoded.
///
/// Nobody uses its pointers once the last band is decoded.
@safe private final class BandWork: @unchecked Sendable {
  private let picture: Picture
  private let bytes: UnsafeBufferPointer<UInt8>
  private let options: vf_decode_options
  private let bands: UInt32
  private let damaged = Mutex(false)

  init(
    _ picture: Picture, _ bytes: UnsafeBufferPointer<UInt8>, _ options: vf_decode_options,
    _ bands: UInt32
  ) {
    self.picture = picture
    unsafe self.bytes = unsafe bytes
    self.options = options
    self.bands = bands
  }

  var isDamaged: Bool { damaged.withLock { $0 } }

  func decode(_ band: Int) {
    var (image, options, failure) = unsafe (picture.image, options, vf_failure())
    let code = unsafe vf_jpeg_decode_band(
      &image, bytes.baseAddress!, bytes.count, &options, UInt32(band), bands, &failure)
    if code != 0 { damaged.withLock { $0 = true } }
  }
}
