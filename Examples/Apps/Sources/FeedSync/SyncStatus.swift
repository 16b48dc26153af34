import ErrorWords
import Foundation

/// How far the exchange of records is.
public struct SyncStatus: Hashable, Sendable {
  /// What is going on.
  public enum Phase: Hashable, Sendable {
    /// All is exchanged, as far as is known.
    case idle
    /// It is being exchanged: so many records of so many that are known of.
    case syncing(done: Int, of: Int)
    /// It didn't work, and is tried again at a moment.
    case waiting(until: Date, reason: ErrorWords)
    /// It doesn't work before a person does something.
    case refused(reason: ErrorWords)
  }

  /// A record that the server doesn't take as it is.
  public struct Problem: Hashable, Sendable {
    /// The record.
    public var record: UUID
    /// Why.
    public var reason: ErrorWords
  }

  /// What is going on.
  public var phase = Phase.idle
  /// Whether records only come from the server.
  public var isReadOnly: Bool
  /// When all was exchanged last; `nil` if that was never the case since the program began.
  public var lastSuccess: Date?
  /// Records that the server doesn't take.
  public var problems: [Problem] = []
  /// Records of the server that can't be read, since the program began: they stay here as they were.
  public var unreadable: [Problem] = []
  /// How many blobs the server doesn't have, or can't give.
  public var missingBlobs = 0
}

/// What one exchange did.
public struct SyncReport: Hashable, Sendable {
  /// Records that came, or changed here.
  public var downloaded = 0
  /// Records that were sent.
  public var uploaded = 0
  /// Records that both sides had changed.
  public var merged = 0
  /// Values that lost a merge and were kept.
  public var kept = 0
  /// Blobs that came.
  public var blobsDownloaded = 0
  /// Blobs that were sent.
  public var blobsUploaded = 0

  /// Creates an empty report.
  public init() {}
}
