import Foundation
import Viewfinder

/// GIF pictures (GIF89a); of an animation, the first picture.
enum GIFDecoder {
  /// What may be held of the first picture, at a byte a pixel.
  private static let pixelLimit = 100_000_000

  static func decode(_ file: FileReader, fitting box: Dimensions?) throws(CaptureError)
    -> PixelBuffer
  {
    var stream = FileStream(file, at: 6)
    var canvas = Dimensions(width: try stream.nextNumber(), height: try stream.nextNumber())
    let flags = try stream.next()
    try stream.skip(2)
    let colors = try palette(flags, &stream)
    var transparent: UInt8?
    while true {
      switch try stream.next() {
      case 0x21:
        if try stream.next() == 0xf9 { transparent = try transparentIndex(&stream) }
        try skipBlocks(&stream)
      case 0x2c:
        var frame = try GIFFrame(&stream)
        if frame.usesOwnColors { frame.colors = try palette(frame.flags, &stream) }
        if frame.colors.isEmpty { frame.colors = colors }
        frame.transparent = transparent
        if canvas.area == 0 { canvas = frame.size }
        return try picture(frame, on: canvas, &stream, fitting: box)
      case 0x3b: throw .badImageData(what: "the picture", reason: "it has no picture")
      default: throw .badImageData(what: "the picture", reason: "it has an unknown block")
      }
    }
  }

  /// The colours that follow a byte of flags, three bytes each.
  private static func palette(_ flags: UInt8, _ stream: inout FileStream) throws(CaptureError)
    -> [UInt8]
  {
    flags & 0x80 == 0 ? [] : try stream.next(3 << (Int(flags & 7) + 1))
  }

  /// Reads the first block of a graphic control extension.
  private static func transparentIndex(_ stream: inout FileStream) throws(CaptureError) -> UInt8? {
    let control = try stream.next(Int(try stream.next()))
    return control.count >= 4 && control[0] & 1 == 1 ? control[3] : nil
  }

  private static func skipBlocks(_ stream: inout FileStream) throws(CaptureError) {
    while case let count = Int(try stream.next()), count > 0 { try stream.skip(count) }
  }

  private static func picture(
    _ frame: GIFFrame, on canvas: Dimensions, _ stream: inout FileStream, fitting box: Dimensions?
  ) throws(CaptureError) -> PixelBuffer {
    guard frame.size.area > 0 else {
      throw .badImageData(what: "the picture", reason: "it has no pixels")
    }
    guard frame.size.area <= pixelLimit, canvas.area <= pixelLimit else {
      throw .unsupportedImage(
        what: "the picture", reason: "\(canvas.width) x \(canvas.height) pixels of GIF are too many"
      )
    }
    let indices = try frame.indices(&stream)
    let hasAlpha = frame.transparent != nil || !frame.covers(canvas)
    let shrinker = try PictureShrinker(
      hasAlpha ? .rgba32 : .rgb24, from: canvas, to: box.map(canvas.fitted) ?? canvas)
    var row = [UInt8](repeating: 0, count: canvas.width * (hasAlpha ? 4 : 3))
    for y in 0..<canvas.height {
      frame.paint(&row, y, indices, hasAlpha: hasAlpha)
      shrinker.add(row)
    }
    return try shrinker.picture()
  }
}

/// One picture of a GIF file.
struct GIFFrame {
  let left: Int
  let top: Int
  let size: Dimensions
  let flags: UInt8
  var colors: [UInt8] = []
  var transparent: UInt8?

  init(_ stream: inout FileStream) throws(CaptureError) {
    left = try stream.nextNumber()
    top = try stream.nextNumber()
    size = Dimensions(width: try stream.nextNumber(), height: try stream.nextNumber())
    flags = try stream.next()
  }

  var usesOwnColors: Bool { flags & 0x80 != 0 }

  private var isInterlaced: Bool { flags & 0x40 != 0 }

  func covers(_ canvas: Dimensions) -> Bool {
    left == 0 && top == 0 && size.width >= canvas.width && size.height >= canvas.height
  }

  /// Which row of the picture a row of its data is.
  private func row(_ index: Int) -> Int {
    guard isInterlaced else { return index }
    var index = index
    for (start, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
      let count = (size.height - start + step - 1) / step
      if index < count { return start + index * step }
      index -= max(count, 0)
    }
    return 0
  }

  /// The colour of each pixel, row after row.
  func indices(_ stream: inout FileStream) throws(CaptureError) -> [UInt8] {
    var codes = try GIFCodes(&stream)
    var indices = [UInt8](repeating: 0, count: size.area)
    var (x, line, start) = (0, 0, row(0) * size.width)
    while line < size.height {
      let run = try codes.next(&stream)
      for value in run {
        indices[start + x] = value
        x += 1
        guard x == size.width else { continue }
        (x, line) = (0, line + 1)
        if line == size.height { break }
        start = row(line) * size.width
      }
    }
    return indices
  }

  /// Fills a row of the canvas.
  func paint(_ row: inout [UInt8], _ y: Int, _ indices: [UInt8], hasAlpha: Bool) {
    let channels = hasAlpha ? 4 : 3
    for x in 0..<row.count / channels {
      let place = x * channels
      let isInside = y >= top && y - top < size.height && x >= left && x - left < size.width
      let index = isInside ? indices[(y - top) * size.width + x - left] : 0
      let isOpaque = isInside && index != transparent
      for channel in 0..<3 {
        let color = 3 * Int(index) + channel
        row[place + channel] = isOpaque && color < colors.count ? colors[color] : 0
      }
      if hasAlpha { row[place + 3] = isOpaque ? 255 : 0 }
    }
  }
}
