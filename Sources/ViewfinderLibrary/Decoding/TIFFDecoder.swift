import CLibTIFF
import Foundation
import Viewfinder

/// TIFF pictures, by libtiff: the first page in full size, row by row or a strip or row of tiles at a time.
enum TIFFDecoder {
  /// The most that libtiff may allocate at once, in bytes, and that a strip or row of tiles may take with its pixels.
  private static let allocationLimit = 96 << 20
  private static let bandLimit = 160 << 20

  /// What scanners, cameras and programs write.
  ///
  /// libtiff has more, whose decoders few files need and few people look at.
  private static let compressions = [
    COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
    COMPRESSION_LZW, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
    COMPRESSION_PACKBITS,
  ]

  /// Decodes a file, turned by its orientation.
  static func decode(
    _ file: FileReader, orientation: ImageOrientation, fitting box: Dimensions?
  ) throws(CaptureError) -> PixelBuffer {
    let tiff = try TIFFFile(file, allocationLimit: allocationLimit)
    tiff.selectFirstPage()
    let size = tiff.dimensions
    guard size.width > 0, size.height > 0 else { throw tiff.damage("it has no size") }
    guard compressions.contains(Int32(tiff.shortNumber(TIFFTAG_COMPRESSION, missing: 1))) else {
      throw .unsupportedImage(what: "the picture", reason: "TIFF of this compression isn't decoded")
    }
    if let reason = PictureDecoder.tiff.reasonAgainst(size, fitting: box) {
      throw .unsupportedImage(what: "the picture", reason: reason)
    }
    let target =
      (box.map { orientation.swapsDimensions ? $0.swapped : $0 }).map(size.fitted) ?? size
    let stored =
      if let layout = tiff.rowLayout {
        try rows(of: tiff, layout, to: target)
      } else {
        try bands(of: tiff, to: target)
      }
    return try stored.oriented(orientation)
  }

  /// What libtiff gives row after row.
  private static func rows(
    of tiff: TIFFFile, _ layout: TIFFFile.RowLayout, to target: Dimensions
  ) throws(CaptureError) -> PixelBuffer {
    let size = tiff.dimensions
    let shrinker = try PictureShrinker(layout.format, from: size, to: target)
    var line = [UInt8](repeating: 0, count: tiff.rowSize)
    guard line.count >= size.width * layout.samples * layout.bytesPerSample else {
      throw tiff.damage("its rows are too short")
    }
    var row = [UInt8](repeating: 0, count: size.width * layout.channels)
    for y in 0..<size.height {
      try tiff.read(&line, row: y)
      layout.convert(line, to: &row)
      shrinker.add(row)
    }
    return try shrinker.picture()
  }

  /// What libtiff turns to RGBA, as much at a time as it decodes at once.
  private static func bands(of tiff: TIFFFile, to target: Dimensions) throws(CaptureError)
    -> PixelBuffer
  {
    let size = tiff.dimensions
    let height = min(tiff.bandHeight, size.height)
    let (pixels, overflows) = (4 * size.width).multipliedReportingOverflow(by: height)
    guard !overflows, pixels <= bandLimit, tiff.bandSize <= bandLimit - pixels else {
      throw .unsupportedImage(
        what: "the picture", reason: "its strips or tiles take too much memory")
    }
    let image = try TIFFBandReader(tiff)
    let format: PixelFormat = image.hasAlpha ? .rgba32 : .rgb24
    let shrinker = try PictureShrinker(format, from: size, to: target)
    var band = [UInt32](repeating: 0, count: size.width * height)
    var row = [UInt8](repeating: 0, count: size.width * (image.hasAlpha ? 4 : 3))
    for top in stride(from: 0, to: size.height, by: height) {
      let count = min(height, size.height - top)
      try image.read(&band, top: top, size: Dimensions(width: size.width, height: count))
      for y in 0..<count {
        image.convert(band, from: y * size.width, to: &row)
        shrinker.add(row)
      }
    }
    return try shrinker.picture()
  }
}
