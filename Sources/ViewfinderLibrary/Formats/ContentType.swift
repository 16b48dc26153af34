/// What a file holds, told by its content and never by its name.
public struct ContentType: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A picture.
    case image
    /// A camera's raw picture.
    case rawImage
    /// A video.
    case video
  }

  /// The media type, such as "image/jpeg".
  public let mimeType: String
  /// The kind of thing.
  public let kind: Kind
  /// The usual ending of file names, in lower case and without a dot, such as "jpg".
  public let pathExtension: String
}
