import CLibJPEGBenchmark
import CViewfinder
import Foundation

/// libjpeg-turbo by libjpeg's own API, with a buffer that stays.
final class LibJPEG {
  private var buffer: UnsafeMutablePointer<UInt8>?
  private var capacity: UInt

  init(capacity: Int) {
    buffer = malloc(capacity)?.assumingMemoryBound(to: UInt8.self)
    self.capacity = UInt(capacity)
  }

  deinit { free(buffer) }

  /// Encodes YUYV line by line, as uStreamer does; returns the JPEG's size, in bytes.
  func encodeLines(_ image: vf_image, quality: Int) throws -> Int {
    try checked(
      libjpeg_encode_lines(
        image.planes.0.data!, image.width, image.height, image.planes.0.stride, Int32(quality),
        &buffer, &capacity))
  }

  /// Crops by partial decoding; returns the JPEG's size, in bytes.
  func crop(_ jpeg: Data, to part: vf_rectangle, quality: Int) throws -> Int {
    let part = libjpeg_part(x: part.x, y: part.y, width: part.width, height: part.height)
    return try jpeg.withUnsafeBytes { bytes in
      try checked(
        libjpeg_crop(
          bytes.bindMemory(to: UInt8.self).baseAddress!, bytes.count, part, Int32(quality),
          &buffer, &capacity))
    }
  }

  private func checked(_ count: Int) throws -> Int {
    guard count > 0 else { throw TurboJPEG.Failure(description: "libjpeg failed.") }
    return count
  }
}
