import Foundation
import Testing

@testable import Viewfinder

@Suite struct LuminanceTests {
  static let layouts: [PixelFormat] = [
    .yuyv, .uyvy, .rgb24, .bgr24, .rgba32, .bgra32, .grey, .nv12, .nv21, .i420,
  ]

  /// Slopes and a bright bar, in colour.
  static func scene(_ size: Dimensions) throws -> PixelBuffer {
    let bytes = (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x -> [UInt8] in
        let bar = (x * 8 / size.width) == 3 ? 90 : 0
        let (u, v) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
        return [UInt8(40 + 120 * u) + UInt8(bar), UInt8(30 + 130 * v), UInt8(200 - 150 * u)]
      }
    }
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: Data(bytes))
  }

  /// Area averages of the whole picture in grey.
  static func averages(_ buffer: PixelBuffer, _ size: Dimensions) throws -> [Double] {
    let grey = try buffer.converted(to: .grey)
    let (bytes, stride) = (grey.bytes(), grey.bytesPerRow())
    let whole = grey.dimensions
    return (0..<size.height).flatMap { row in
      (0..<size.width).map { column in
        let ys = row * whole.height / size.height..<(row + 1) * whole.height / size.height
        let xs = column * whole.width / size.width..<(column + 1) * whole.width / size.width
        var sum = 0
        for y in ys { for x in xs { sum += Int(bytes[y * stride + x]) } }
        return Double(sum) / Double(ys.count * xs.count)
      }
    }
  }

  @Test(
    arguments: layouts, [Dimensions(width: 64, height: 48), Dimensions(width: 320, height: 240)])
  func everyLayoutLooksAsTheWholeConvertedPicture(layout: PixelFormat, whole: Dimensions) throws {
    let buffer = try Self.scene(whole).converted(to: layout)
    let size = Dimensions(width: 32, height: 24)
    let small = try buffer.luminance(fitting: size)
    #expect(small.dimensions == size)
    let expected = try Self.averages(buffer, size)
    let distances = (0..<expected.count).map {
      abs(expected[$0] - Double(small[$0 % size.width, $0 / size.width]))
    }
    // With two pixels across and down all of them are read.
    #expect(distances.max()! <= (whole.width == 64 ? 1.5 : 4))
    let mean = expected.reduce(0, +) / Double(expected.count)
    #expect(abs(small.mean - mean) < 1)
  }

  @Test func boxesThatAreLargerOrOfOtherProportionsArentFilled() throws {
    let buffer = try Self.scene(Dimensions(width: 30, height: 20))
    for (box, size) in [
      (Dimensions(width: 300, height: 300), Dimensions(width: 30, height: 20)),
      (Dimensions(width: 15, height: 300), Dimensions(width: 15, height: 10)),
      (Dimensions(width: 300, height: 1), Dimensions(width: 2, height: 1)),
      (Dimensions(width: 1, height: 1), Dimensions(width: 1, height: 1)),
    ] {
      let small = try buffer.luminance(fitting: box)
      #expect(small.dimensions == size)
      let count = small.pixels.count
      #expect(count == size.width * size.height)
    }
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv, .nv12, .grey])
  func aFramesPictureIsThatOfItsPixels(format: PixelFormat) async throws {
    let rig = try Rig()
    try rig.choose(format, .vga)
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var frames = output.frames.makeAsyncIterator()
    let frame = try #require(await frames.next())
    await rig.session.stopRunning()
    for width in [40, 80, 160, 640] {
      let small = try frame.luminance(fitting: Dimensions(width: width, height: 480))
      #expect(small.dimensions == Dimensions(width: width, height: width * 3 / 4))
      let expected = try Self.averages(frame.pixelBuffer(), small.dimensions)
      let distances = (0..<expected.count).map {
        abs(expected[$0] - Double(small[$0 % width, $0 / width]))
      }
      // Samples of a rough table stand for more than they are; the picture as a whole doesn't change.
      let mean = distances.reduce(0, +) / Double(distances.count)
      #expect(mean < 4, "\(format) at \(width)")
    }
  }

  @Test func meanAndSharpnessTellDarkFromBrightAndPlainFromFine() throws {
    func picture(_ value: (Int, Int) -> Int) throws -> Luminance {
      let bytes = (0..<48).flatMap { y in (0..<64).map { x in UInt8(value(x, y)) } }
      let size = Dimensions(width: 64, height: 48)
      return try PixelBuffer(pixelFormat: .grey, dimensions: size, data: Data(bytes))
        .luminance(fitting: size)
    }
    let plain = try picture { _, _ in 77 }
    #expect(plain.mean == 77 && plain.sharpness == 0)
    let slope = try picture { x, _ in 3 * x }
    #expect(slope.sharpness == 0)
    // A chessboard: each Laplacian is 8 × 255 / 2 one way or the other.
    let finest = try picture { x, y in (x + y) % 2 * 255 }
    #expect(finest.mean == 127.5)
    #expect(finest.sharpness == 1_040_400)
    let coarse = try picture { x, y in (x / 8 + y / 8) % 2 * 255 }
    #expect(coarse.sharpness > 0 && coarse.sharpness < finest.sharpness / 4)
    let thin = try plain.dimensions.height > 2 ? picture { _, _ in 1 } : plain
    #expect(thin != plain)
  }
}
