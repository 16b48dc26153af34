import Foundation
import Viewfinder

/// A picture with quadrilaterals drawn into it: the first green, others orange.
struct OutlineDrawing {
  private let size: Dimensions
  private var pixels: Data
  /// Half of a line's width, in pixels.
  private let reach: Double

  init(of picture: PixelBuffer, _ shapes: [Quadrilateral]) throws(CaptureError) {
    size = picture.dimensions
    let colored = try picture.converted(to: .rgb24)
    pixels = Data(capacity: size.area * 3)
    let bytes = colored.bytes()
    for y in 0..<size.height {
      let row = y * colored.bytesPerRow()
      for x in row..<row + size.width * 3 { pixels.append(bytes[x]) }
    }
    reach = max(Double(max(size.width, size.height)) / 500, 1)
    for (index, shape) in shapes.enumerated().reversed() {
      draw(shape, index == 0 ? [40, 220, 80] : [255, 150, 0])
    }
  }

  func pngData() throws(CaptureError) -> Data {
    try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: pixels).pngData()
  }

  private mutating func draw(_ shape: Quadrilateral, _ color: [UInt8]) {
    let corners = shape.corners.map {
      CGPoint(x: $0.x * Double(size.width), y: $0.y * Double(size.height))
    }
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      let (across, down) = (end.x - start.x, end.y - start.y)
      let steps = max(Int(max(abs(across), abs(down)).rounded(.up)), 1)
      for step in 0...steps {
        let share = Double(step) / Double(steps)
        dot(start.x + across * share, start.y + down * share, color)
      }
    }
  }

  private mutating func dot(_ x: Double, _ y: Double, _ color: [UInt8]) {
    func span(_ center: Double, _ limit: Int) -> ClosedRange<Int>? {
      let (lower, upper) = (max(center - reach, 0), min(center + reach, Double(limit - 1)))
      return lower <= upper ? Int(lower)...Int(upper) : nil
    }
    guard let columns = span(x, size.width), let rows = span(y, size.height) else { return }
    for row in rows {
      for column in columns {
        let place = (row * size.width + column) * 3
        for i in 0..<3 { pixels[place + i] = color[i] }
      }
    }
  }
}
