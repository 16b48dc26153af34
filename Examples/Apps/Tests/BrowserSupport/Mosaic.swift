public import Foundation
public import Viewfinder

/// A picture in a few tiles of mean colour, to compare what is seen with what was taken.
public struct Mosaic {
  private static let columns = 16
  private static let rows = 10
  /// Red, green and blue of each tile, row after row, from 0 to 255.
  private var tiles: [[Double]]

  /// Takes a part of a picture, in pixels.
  public init(_ picture: PixelBuffer, in frame: CGRect) throws {
    let picture = try picture.converted(to: .rgb24)
    let stride = picture.bytesPerRow()
    let bytes = picture.bytes()
    tiles = (0..<Self.rows * Self.columns).map { tile in
      let column = Double(tile % Self.columns)
      let row = Double(tile / Self.columns)
      let (width, height) = (frame.width / Double(Self.columns), frame.height / Double(Self.rows))
      let across = Int(frame.minX + column * width)..<Int(frame.minX + (column + 1) * width)
      let down = Int(frame.minY + row * height)..<Int(frame.minY + (row + 1) * height)
      var sum = [0.0, 0.0, 0.0]
      for y in down {
        for x in across {
          for color in 0..<3 {
            let offset = y * stride + x * 3 + color
            sum[color] += Double(bytes[offset])
          }
        }
      }
      return sum.map { $0 / Double(across.count * down.count) }
    }
  }

  /// The same from left to right.
  public var mirrored: Mosaic {
    var copy = self
    for tile in tiles.indices {
      let (row, column) = (tile / Self.columns, tile % Self.columns)
      copy.tiles[tile] = tiles[row * Self.columns + Self.columns - 1 - column]
    }
    return copy
  }

  /// The mean difference of the tiles' colours, from 0 to 255.
  public func difference(from other: Mosaic) -> Double {
    let all = zip(tiles, other.tiles).flatMap { zip($0, $1).map { abs($0 - $1) } }
    return all.reduce(0, +) / Double(all.count)
  }
}
