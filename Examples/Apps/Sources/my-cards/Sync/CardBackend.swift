import CardModel
import CardStore
import FeedClient
import Foundation

/// Where cards come from.
public protocol CardDownload: Sendable {
  /// Where that is, for the person and to remember what was had from there; without secrets.
  var address: String { get }

  /// Whose cards they are; `nil` where the place doesn't tell, which is the default.
  func account() async throws -> FeedClient.Account?

  /// The versions that came after a cursor, one of each record and the newest; all with `nil`.
  ///
  /// - Parameter cursor: What an earlier page ended with.
  /// - Returns: A page of versions.
  /// - Throws: ``FeedError``; `cursorUnknown` where the cursor is of another time or place.
  func changes(since cursor: String?) async throws -> CardChanges

  /// A picture's bytes, which the caller checks; `nil` when it isn't there.
  func picture(_ hash: PictureHash) async throws -> Data?
}

extension CardDownload {
  /// Doesn't tell.
  public func account() async throws -> FeedClient.Account? { nil }
}

/// A page of versions.
public struct CardChanges: Hashable, Sendable {
  /// The versions.
  public var versions: [CardVersion]
  /// Records that can't be read, whose cards stay here as they are.
  public var unreadable: [UnreadableRecord] = []
  /// Where the next page begins.
  public var cursor: String
  /// Whether more have come already.
  public var hasMore: Bool

  /// Creates a page.
  public init(versions: [CardVersion], cursor: String, hasMore: Bool = false) {
    self.versions = versions
    self.cursor = cursor
    self.hasMore = hasMore
  }
}

/// A version of a record that breaks the protocol's rule for JSON.
public struct UnreadableRecord: Error, Hashable, Sendable {
  /// Which record it is.
  public var id: UUID
  /// Why it can't be read, without anything of its content.
  public var reason: String
}

/// Where cards go.
public protocol CardUpload: Sendable {
  /// Writes a record if what is there is what the writer knows.
  ///
  /// - Parameters:
  ///   - record: The version to write.
  ///   - etag: The version that it replaces; `nil` where nothing may be there.
  /// - Returns: Whether it was written.
  /// - Throws: ``FeedError``.
  func put(_ record: CardRecord, replacing etag: String?) async throws -> CardWrite

  /// Whether a picture is there.
  func hasPicture(_ hash: PictureHash) async throws -> Bool

  /// Writes a picture; once more is the same.
  func putPicture(_ jpeg: Data, as hash: PictureHash) async throws
}

/// What became of a write.
public enum CardWrite: Hashable, Sendable {
  /// It was written, and has this ETag; the backend lacks these of its pictures, `nil` where it doesn't tell.
  case stored(etag: String, missing: [PictureHash]?)
  /// Something else is there, which comes along where the backend tells.
  case conflict(CardVersion?)
}
