import Foundation

/// Tries whether a server honours conditions, before anything of the person's is written to it.
///
/// The writes are of a tombstone with an identifier that no record has, so that a server which takes them all is none the
/// worse for it. It is the same for all devices: a server keeps one at most.
struct SignOn {
  /// "probe" in ASCII, as a UUID of version 8.
  static let probe = UUID(
    uuid: (0, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0x70, 0x72, 0x6f, 0x62, 0x65))

  let target: any FeedTarget

  /// The condition that the server ignores; `nil` when it honours all.
  func ignoredCondition() async throws -> String? {
    if try await isWritten(replacing: wrongETag) { return "If-Match on a new record" }
    // The first may be new there; the second isn't.
    _ = try await isWritten(replacing: nil)
    if try await isWritten(replacing: nil) { return "If-None-Match: *" }
    return try await isWritten(replacing: wrongETag) ? "If-Match" : nil
  }

  /// An ETag that nothing has.
  private var wrongETag: String { "\"probe-\(UUID().key)\"" }

  private func isWritten(replacing etag: String?) async throws -> Bool {
    let (id, edit) = (Self.probe.key, UUID().key)
    let tombstone = #"{"deleted":true,"edit":"\#(edit)","id":"\#(id)"}"#
    let write = try await target.put(Data(tombstone.utf8), id: Self.probe, replacing: etag)
    if case .stored = write { return true }
    return false
  }
}
