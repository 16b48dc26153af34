import Checksums

/// A file that the server has.
struct Blob: Hashable, Sendable {
  /// In bytes.
  var size: Int
  /// Its media type.
  var type: String
  /// Where the store has it.
  var place: String
}

/// Whose file it is, and which: the same file of two people is two.
struct BlobKey: Hashable, Sendable {
  /// The person's number.
  var person: Int64
  /// The SHA-256.
  var name: BlobName
}
