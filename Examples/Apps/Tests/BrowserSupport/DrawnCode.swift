import Foundation
import Viewfinder

/// A picture with a bar code far from its middle, in blue, which nothing else on the picker's page is.
public enum DrawnCode {
  /// What the code says: an EAN-8 (ISO/IEC 15420).
  public static let text = "96385074"
  private static let size = Dimensions(width: 640, height: 360)
  /// Where the code lies in the picture, in pixels: three a module.
  private static let (left, width, rows) = (60, 67 * 3, 85..<155)

  /// The picture.
  ///
  /// - Returns: A PNG file.
  /// - Throws: Why it can't be made.
  public static func png() throws -> Data {
    let (modules, blue, white) = (modules, Data([0, 0, 150, 255]), Data([255, 255, 255, 255]))
    let empty = Data((0..<size.width).map { _ in white }.joined())
    let crossed = Data(
      (0..<size.width).map { x in
        (left..<left + width).contains(x) && modules[(x - left) / 3] ? blue : white
      }.joined())
    let data = Data((0..<size.height).map { rows.contains($0) ? crossed : empty }.joined())
    return try PixelBuffer(pixelFormat: .rgba32, dimensions: size, data: data).pngData()
  }

  /// A camera that shows the picture, which it writes into a PNG file.
  ///
  /// - Parameter file: The file.
  /// - Returns: The camera.
  /// - Throws: Why it can't be written.
  public static func camera(_ file: URL) throws -> SimulatedCamera {
    try png().write(to: file)
    return try SimulatedCamera(replaying: file.path)
  }

  /// Whether each module is dark: seven a digit, between guards.
  private static var modules: [Bool] {
    let left = [13, 25, 19, 61, 35, 49, 47, 59, 55, 11]
    let digits = text.compactMap(\.wholeNumberValue).enumerated().map { place, digit in
      (0..<7).map { bit in (left[digit] >> (6 - bit) & 1 == 1) == (place < 4) }
    }
    let (edge, middle) = ([true, false, true], [false, true, false, true, false])
    return edge + digits[..<4].joined() + middle + digits[4...].joined() + edge
  }

  /// The rectangle around what is blue in a screenshot, in its pixels; `nil` where nothing is.
  ///
  /// - Parameter screen: The screenshot.
  /// - Returns: The rectangle.
  /// - Throws: Why it can't be read.
  public static func place(in screen: PixelBuffer) throws -> CGRect? {
    let screen = try screen.converted(to: .rgb24)
    let stride = screen.bytesPerRow()
    let bytes = screen.bytes()
    var (least, most) = ((x: Int.max, y: Int.max), (x: -1, y: -1))
    for y in 0..<screen.dimensions.height {
      for x in 0..<screen.dimensions.width {
        let pixel = y * stride + 3 * x
        guard bytes[pixel] < 80, bytes[pixel + 1] < 80, bytes[pixel + 2] > 110 else { continue }
        least = (min(least.x, x), min(least.y, y))
        most = (max(most.x, x), max(most.y, y))
      }
    }
    guard most.x >= 0 else { return nil }
    return CGRect(
      x: least.x, y: least.y, width: most.x + 1 - least.x, height: most.y + 1 - least.y)
  }
}
