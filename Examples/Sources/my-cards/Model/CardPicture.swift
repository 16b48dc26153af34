/// The photo of a card's side.
public struct CardPicture: Hashable, Sendable {
  /// What is shown: a JPEG cropped to the card.
  public var picture: PictureHash
  /// The photo that it was cropped out of, if there was more of it.
  public var original: PictureHash?

  /// Creates a side's photo.
  public init(picture: PictureHash, original: PictureHash? = nil) {
    self.picture = picture
    self.original = original
  }

  /// The photo as a JSON object.
  public var json: JSONValue {
    var object = ["picture": JSONValue.string(picture.text)]
    if let original { object["original"] = .string(original.text) }
    return .object(object)
  }

  /// Takes a photo from its JSON object; `nil` where that is none.
  public init?(_ json: JSONValue) {
    guard let picture = json.object?["picture"]?.text.flatMap(PictureHash.init) else { return nil }
    self.init(
      picture: picture, original: json.object?["original"]?.text.flatMap(PictureHash.init))
  }
}

/// The name of a picture: the SHA-256 of its bytes, as 64 small hexadecimal digits.
public struct PictureHash: Hashable, Sendable, CustomStringConvertible {
  /// The digits.
  public let text: String

  /// The digits.
  public var description: String { text }

  /// Takes a hash from its digits; `nil` for any other text, such as a path.
  public init?(_ text: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard text.utf8.count == 64, text.utf8.allSatisfy(digits.contains) else { return nil }
    self.text = text
  }
}
