/// A card's colour: red, green and blue from 0 to 255.
public struct CardColor: Hashable, Sendable, CustomStringConvertible {
  /// The colour as 0xrrggbb.
  public let rgb: UInt32

  /// Creates a colour from 0xrrggbb; what is above those 24 bits is dropped.
  public init(rgb: UInt32) { self.rgb = rgb & 0xff_ffff }

  /// Reads "#rrggbb"; `nil` for other text.
  public init?(_ text: String) {
    guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
      let rgb = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(rgb: rgb)
  }

  /// The colour as "#rrggbb".
  public var description: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
