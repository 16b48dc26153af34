/// A colour, such as the one around an outline: sRGB, with 8 bits per component.
public struct PhotoColor: Hashable, Sendable {
  /// Red, from 0 to 255.
  public var red: UInt8
  /// Green, from 0 to 255.
  public var green: UInt8
  /// Blue, from 0 to 255.
  public var blue: UInt8

  /// Creates a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White.
  public static let white = PhotoColor(red: 255, green: 255, blue: 255)
  /// Black.
  public static let black = PhotoColor(red: 0, green: 0, blue: 0)
}
