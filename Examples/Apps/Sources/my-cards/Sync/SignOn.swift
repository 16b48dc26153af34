import CardModel
import CardStore
import Foundation

/// Tries whether a backend honours conditions, before anything of the person's is written to it.
///
/// The writes are of a tombstone with an identifier that no card has, so that a backend which takes them all is none the
/// worse for it. It is the same for all wallets: a backend keeps one at most.
struct SignOn {
  /// "probe" in ASCII, as a UUID of version 8.
  static let probe = UUID(
    uuid: (0, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0x70, 0x72, 0x6f, 0x62, 0x65))

  let upload: any CardUpload

  /// The condition that the backend ignores; `nil` when it honours all.
  func ignoredCondition() async throws -> String? {
    if try await isWritten(replacing: wrongETag) { return "If-Match on a new record" }
    // The first may be new there; the second isn't.
    _ = try await isWritten(replacing: nil)
    if try await isWritten(replacing: nil) { return "If-None-Match: *" }
    return try await isWritten(replacing: wrongETag) ? "If-Match" : nil
  }

  /// An ETag that nothing has.
  private var wrongETag: String { "\"probe-\(UUID().uuidString.lowercased())\"" }

  private func isWritten(replacing etag: String?) async throws -> Bool {
    let tombstone = CardRecord(
      id: Self.probe, edit: UUID().uuidString.lowercased(), isDeleted: true)
    if case .stored = try await upload.put(tombstone, replacing: etag) { return true }
    return false
  }
}
