import CLibTIFF
import Viewfinder

/// Undoes the multiplication of colours by their coverage.
func divideByAlpha(_ row: inout [UInt8], at offset: Int) {
  let alpha = Int(row[offset + 3])
  guard alpha > 0, alpha < 255 else { return }
  for channel in offset..<offset + 3 {
    row[channel] = UInt8(min((Int(row[channel]) * 255 + alpha / 2) / alpha, 255))
  }
}

/// Has libtiff turn any kind of pixels that it knows to RGBA.
@safe final class TIFFBandReader {
  private let file: TIFFFile
  private let image: UnsafeMutablePointer<TIFFRGBAImage>

  init(_ file: TIFFFile) throws(CaptureError) {
    let image = UnsafeMutablePointer<TIFFRGBAImage>.allocate(capacity: 1)
    unsafe image.initialize(to: TIFFRGBAImage())
    var text = [CChar](repeating: 0, count: 1024)
    guard unsafe TIFFRGBAImageOK(file.handle, &text) != 0,
      unsafe TIFFRGBAImageBegin(image, file.handle, 1, &text) != 0
    else {
      unsafe image.deallocate()
      let reason = String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw .unsupportedImage(what: "the picture", reason: "libtiff says: \(reason)")
    }
    // Only now: `deinit` would run after an error, too, and libtiff has released what it has by itself.
    self.file = file
    unsafe self.image = unsafe image
    // The rows as they are stored; the orientation is the caller's.
    unsafe image.pointee.orientation = UInt16(ORIENTATION_TOPLEFT)
    unsafe image.pointee.req_orientation = UInt16(ORIENTATION_TOPLEFT)
  }

  deinit {
    unsafe TIFFRGBAImageEnd(image)
    unsafe image.deallocate()
  }

  var hasAlpha: Bool { unsafe image.pointee.alpha != 0 }

  /// Reads the rows from `top` on; they begin where libtiff's strip or tile does.
  func read(_ band: inout [UInt32], top: Int, size: Dimensions) throws(CaptureError) {
    unsafe image.pointee.row_offset = Int32(top)
    let code = unsafe band.withUnsafeMutableBufferPointer { band in
      unsafe TIFFRGBAImageGet(image, band.baseAddress, UInt32(size.width), UInt32(size.height))
    }
    guard code != 0 else { throw file.damage("its pixels can't be read") }
  }

  /// Takes a row's pixels from `start` on apart.
  func convert(_ band: [UInt32], from start: Int, to row: inout [UInt8]) {
    let channels = hasAlpha ? 4 : 3
    for x in 0..<row.count / channels {
      let pixel = band[start + x]
      for channel in 0..<channels {
        row[x * channels + channel] = UInt8(truncatingIfNeeded: pixel >> (8 * UInt32(channel)))
      }
      if hasAlpha { divideByAlpha(&row, at: x * channels) }
    }
  }
}
