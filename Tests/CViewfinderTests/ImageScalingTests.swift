import CViewfinder
import Testing

@Suite("Images of another size") struct ImageScalingTests {
  /// Sizes around whole strips and runs of the loops, of 8 and 16.
  private static let lengths = [1, 2, 7, 8, 9, 15, 16, 17, 31, 33]

  private func grey(_ width: Int, _ height: Int, _ seed: Int) throws -> Picture {
    try Picture(VF_GREY, width, height) { _, x, y in
      (x * 7919 + y * 104_729 + seed * 31) * 2_654_435 >> 7 & 255
    }
  }

  private func scaled(_ picture: Picture, _ width: Int, _ height: Int) throws -> Picture {
    try Picture { vf_image_scale($0, &picture.image, UInt32(width), UInt32(height), $1) }
  }

  private func value(_ picture: Picture, _ x: Int, _ y: Int) -> Int {
    let plane = picture.plane(0)
    return Int(plane.data![y * plane.stride + x])
  }

  /// How much of each source sample lies in a result's sample.
  private func shares(_ index: Int, _ ratio: Double) -> [(Int, Double)] {
    let begin = Double(index) * ratio, end = begin + ratio
    return (Int(begin)...Int(end)).map { ($0, min(end, Double($0) + 1) - max(begin, Double($0))) }
      .filter { $0.1 > 1e-9 }
  }

  @Test("Made smaller, each sample is the mean of its area", arguments: lengths, lengths)
  func areas(width: Int, height: Int) throws {
    let source = try grey(width * 2 + 1, height * 3 + 2, width)
    let result = try scaled(source, width, height)
    let across = Double(source.width) / Double(width), down = Double(source.height) / Double(height)
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for (row, share) in shares(y, down) {
          for (column, part) in shares(x, across) {
            sum += share * part * Double(value(source, min(column, source.width - 1), row))
          }
        }
        let mean = sum / (across * down)
        #expect(abs(Double(value(result, x, y)) - mean) <= 0.6, "\(x), \(y)")
      }
    }
  }

  @Test("Made larger, an even picture stays even, to its edges", arguments: lengths)
  func evenness(length: Int) throws {
    for level in [0, 1, 128, 255] {
      let source = try Picture(VF_I420, length, length + 3) { _, _, _ in level }
      let result = try scaled(source, 2 * length + 1, 3 * length + 10)
      for plane in 0..<3 {
        let size = result.size(ofPlane: plane), samples = result.plane(plane)
        let isEven = (0..<size.1).allSatisfy { y in
          (0..<size.0).allSatisfy { samples.data![y * samples.stride + $0] == level }
        }
        #expect(isEven, "plane \(plane), level \(level)")
      }
    }
  }
}
