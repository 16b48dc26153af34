import Foundation
public import Viewfinder

/// How a photo is cropped, kept beside the untouched original so that the crop can be changed or undone.
///
/// Its JSON has these members; unknown ones stay when a program writes it again.
///
/// | member | meaning |
/// | --- | --- |
/// | `version` | 1; this version doesn't follow recipes of later ones |
/// | `outline` | the outline (see `Outline`): its `kind` and its numbers in units of the upright picture |
/// | `rectifiedSize` | `{"width": …, "height": …}`, in pixels |
/// | `cornerRadius` | of the round corners of a picture pulled straight, in units of its width |
/// | `background` | the colour around the outline: `#RRGGBB` |
/// | `orientation` | how the stored picture is turned: 1 to 8 as in Exif; without it, as its Exif data say |
/// | `originalSize` | the original's size in bytes, to tell when it was replaced by another picture |
/// | `originalContent` | the original's content id, to find the recipe of a photo that was renamed |
public struct CropRecipe: Hashable, Sendable {
  /// What the original is cropped to.
  public var crop: PhotoCrop
  /// How to turn the stored picture upright; `nil` follows its Exif data.
  public var orientation: ImageOrientation?

  /// The size of the original that it was made for, in bytes.
  var originalSize: Int?
  /// What the original holds.
  var originalContent: ContentID?
  /// Members that other versions and programs wrote.
  var others: [String: JSONValue] = [:]

  /// Creates a recipe.
  public init(_ crop: PhotoCrop = PhotoCrop(), orientation: ImageOrientation? = nil) {
    self.crop = crop
    self.orientation = orientation
  }
}

extension CropRecipe: Codable {
  private static let version = 1

  private enum Member: String, CaseIterable {
    case version, orientation, originalSize, originalContent

    var key: AnyKey { AnyKey(rawValue) }
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
    crop = try PhotoCrop(from: decoder)
    if let value = try values.decodeIfPresent(Int.self, forKey: Member.orientation.key) {
      guard let value = ImageOrientation(rawValue: value) else {
        throw damaged(.orientation, "an orientation is 1 to 8")
      }
      orientation = value
    }
    originalSize = try values.decodeIfPresent(Int.self, forKey: Member.originalSize.key)
    originalContent = try values.decodeIfPresent(UUID.self, forKey: Member.originalContent.key)
    let known = Member.allCases.map(\.rawValue) + PhotoCrop.memberNames
    for key in values.allKeys where !known.contains(key.stringValue) {
      others[key.stringValue] = try values.decode(JSONValue.self, forKey: key)
    }
  }

  /// Writes the recipe, with the unknown members that it read.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in others { try values.encode(value, forKey: AnyKey(name)) }
    try values.encode(Self.version, forKey: Member.version.key)
    try crop.encode(to: encoder)
    try values.encodeIfPresent(orientation?.rawValue, forKey: Member.orientation.key)
    try values.encodeIfPresent(originalSize, forKey: Member.originalSize.key)
    try values.encodeIfPresent(originalContent, forKey: Member.originalContent.key)
  }
}
