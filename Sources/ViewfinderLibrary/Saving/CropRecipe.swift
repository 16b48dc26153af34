import Foundation
public import Viewfinder

/// How a photo is cropped, kept beside the untouched original so that the crop can be changed or undone.
///
/// Its JSON has these members; unknown ones stay when a program writes it again.
///
/// | member | meaning |
/// | --- | --- |
/// | `version` | 1; recipes of later versions aren't carried out |
/// | `outline` | the outline (see `Outline`): its `kind` and its numbers in units of the upright picture |
/// | `rectifiedSize` | `{"width": …, "height": …}`, in pixels |
/// | `background` | the colour around the outline: `#RRGGBB` |
/// | `orientation` | how the stored picture is turned: 1 to 8 as in Exif; without it, as its Exif data say |
/// | `originalSize` | the original's size in bytes, to tell when it was replaced by another picture |
/// | `originalContent` | the original's content id, to find the recipe of a photo that was renamed |
public struct CropRecipe: Hashable, Sendable {
  /// The outline, or `nil` for the whole picture.
  public var outline: Outline?
  /// The size to which the outline's corners are pulled straight; `nil` leaves the perspective.
  public var rectifiedSize: Dimensions?
  /// The colour around the outline; `nil` means transparent in a PNG and white in a JPEG.
  public var backgroundColor: PhotoColor?
  /// How the stored picture is turned upright; `nil` follows its Exif data.
  public var orientation: ImageOrientation?

  /// The size of the original that it was made for, in bytes.
  var originalSize: Int?
  /// What the original holds.
  var originalContent: ContentID?
  /// Members that other versions and programs wrote.
  var others: [String: JSONValue] = [:]

  /// Creates a recipe.
  public init(
    outline: Outline? = nil, rectifiedSize: Dimensions? = nil, backgroundColor: PhotoColor? = nil,
    orientation: ImageOrientation? = nil
  ) {
    self.outline = outline
    self.rectifiedSize = rectifiedSize
    self.backgroundColor = backgroundColor
    self.orientation = orientation
  }

  /// The crop to apply to the original's bytes, together with ``orientation``.
  public var crop: PhotoCrop {
    var crop = PhotoCrop(outline: outline, rectifiedSize: rectifiedSize)
    crop.backgroundColor = backgroundColor
    return crop
  }
}

extension CropRecipe: Codable {
  private static let version = 1

  private enum Member: String, CaseIterable {
    case version, outline, rectifiedSize, background, orientation, originalSize, originalContent

    var key: AnyKey { AnyKey(rawValue) }
  }

  private struct Size: Codable {
    var width: Int
    var height: Int
  }

  /// Reads a recipe.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: AnyKey.self)
    func damaged(_ member: Member, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: member.key, in: values, debugDescription: reason)
    }
    let version = try values.decode(Int.self, forKey: Member.version.key)
    guard version == Self.version else {
      throw damaged(.version, "version \(version) isn't known to this program")
    }
    outline = try values.decodeIfPresent(OutlineCoding.self, forKey: Member.outline.key)?.outline
    if let size = try values.decodeIfPresent(Size.self, forKey: Member.rectifiedSize.key) {
      guard let size = Dimensions("\(size.width)x\(size.height)") else {
        throw damaged(.rectifiedSize, "a picture has 1 to 65500 pixels a side")
      }
      rectifiedSize = size
    }
    if let text = try values.decodeIfPresent(String.self, forKey: Member.background.key) {
      guard let color = PhotoColor(hexadecimal: text) else {
        throw damaged(.background, "a colour is #RRGGBB")
      }
      backgroundColor = color
    }
    if let value = try values.decodeIfPresent(Int.self, forKey: Member.orientation.key) {
      guard let value = ImageOrientation(rawValue: value) else {
        throw damaged(.orientation, "an orientation is 1 to 8")
      }
      orientation = value
    }
    originalSize = try values.decodeIfPresent(Int.self, forKey: Member.originalSize.key)
    originalContent = try values.decodeIfPresent(UUID.self, forKey: Member.originalContent.key)
    for key in values.allKeys where Member(rawValue: key.stringValue) == nil {
      others[key.stringValue] = try values.decode(JSONValue.self, forKey: key)
    }
  }

  /// Writes the recipe, with the members that were read and aren't known.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in others { try values.encode(value, forKey: AnyKey(name)) }
    try values.encode(Self.version, forKey: Member.version.key)
    try values.encodeIfPresent(outline.map(OutlineCoding.init), forKey: Member.outline.key)
    try values.encodeIfPresent(
      rectifiedSize.map { Size(width: $0.width, height: $0.height) },
      forKey: Member.rectifiedSize.key)
    try values.encodeIfPresent(backgroundColor?.hexadecimal, forKey: Member.background.key)
    try values.encodeIfPresent(orientation?.rawValue, forKey: Member.orientation.key)
    try values.encodeIfPresent(originalSize, forKey: Member.originalSize.key)
    try values.encodeIfPresent(originalContent, forKey: Member.originalContent.key)
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
