/// A version as a backend has it.
public struct CardVersion: Hashable, Sendable {
  /// What it says.
  public var record: CardRecord
  /// The backend's name for it, to be given back with the next write; empty where there are no writes.
  public var etag: String

  /// Creates a version.
  public init(record: CardRecord, etag: String) {
    self.record = record
    self.etag = etag
  }
}
