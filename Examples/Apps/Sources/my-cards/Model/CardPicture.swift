import Checksums

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

/// The name of a picture.
public typealias PictureHash = BlobName
