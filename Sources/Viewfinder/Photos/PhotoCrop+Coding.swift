import Foundation

/// A crop as JSON; all members may be missing.
///
/// | member | meaning |
/// | --- | --- |
/// | `outline` | the outline (see ``Outline``): its `kind` and its numbers in units of the upright picture |
/// | `rectifiedSize` | `{"width": …, "height": …}`, in pixels |
/// | `cornerRadius` | of a picture pulled straight, in units of its width |
/// | `background` | the colour around the outline: `#RRGGBB` |
extension PhotoCrop: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outline, rectifiedSize, cornerRadius, background
  }

  /// The members that a crop has in JSON.
  package static var memberNames: [String] { CodingKeys.allCases.map(\.rawValue) }

  private struct Size: Codable {
    var width: Int
    var height: Int
  }

  /// Reads a crop, and ignores unknown members.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
    }
    self.init(outline: try values.decodeIfPresent(Outline.self, forKey: .outline))
    if let size = try values.decodeIfPresent(Size.self, forKey: .rectifiedSize) {
      guard let size = Dimensions("\(size.width)x\(size.height)") else {
        throw damaged(.rectifiedSize, "a picture has 1 to 65500 pixels a side")
      }
      rectifiedSize = size
    }
    if let radius = try values.decodeIfPresent(Double.self, forKey: .cornerRadius) {
      guard radius >= 0 else { throw damaged(.cornerRadius, "a radius isn't negative") }
      cornerRadius = radius
    }
    if let text = try values.decodeIfPresent(String.self, forKey: .background) {
      guard let color = PhotoColor(hexadecimal: text) else {
        throw damaged(.background, "a colour is #RRGGBB")
      }
      backgroundColor = color
    }
  }

  /// Writes the crop.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(outline, forKey: .outline)
    try values.encodeIfPresent(
      rectifiedSize.map { Size(width: $0.width, height: $0.height) }, forKey: .rectifiedSize)
    try values.encodeIfPresent(cornerRadius, forKey: .cornerRadius)
    try values.encodeIfPresent(backgroundColor?.hexadecimal, forKey: .background)
  }
}

extension PhotoColor {
  /// Reads "#RRGGBB".
  fileprivate init?(hexadecimal text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.count == 7, text.hasPrefix("#"), digits.first != UInt8(ascii: "+"),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
  }

  fileprivate var hexadecimal: String {
    String(format: "#%02X%02X%02X", Int(red), Int(green), Int(blue))
  }
}
