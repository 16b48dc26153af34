public import Foundation

/// What happened to a library's assets and albums since the change before.
///
/// An asset that moved is in ``moved``, and in neither ``inserted`` nor ``removed``. If its file changed as well,
/// it is also in ``updated``.
public struct LibraryChange: Hashable, Sendable {
  /// Assets that are new, or came back.
  public var inserted: Set<UUID> = []
  /// Assets whose files changed, or that got another file.
  public var updated: Set<UUID> = []
  /// Assets whose files are all gone.
  public var removed: Set<UUID> = []
  /// Assets whose default file has another folder or name.
  public var moved: Set<UUID> = []
  /// Albums that people made.
  public var insertedAlbums: Set<UUID> = []
  /// Albums whose name or members have changed.
  public var updatedAlbums: Set<UUID> = []
  /// Albums that were deleted.
  public var removedAlbums: Set<UUID> = []
  /// Whether so much changed that this value doesn't list it, or the reader fell so far behind that it lost
  /// changes: fetch everything that you show again.
  public var isEverything = false

  /// Whether nothing has changed.
  public var isEmpty: Bool { self == LibraryChange() }

  init() {}

  /// The change of which only that is known.
  static var everything: LibraryChange {
    var change = LibraryChange()
    change.isEverything = true
    return change
  }

  /// What entries of the log come to together.
  init(_ entries: [LoggedChange]) {
    for entry in entries { add(entry.kind, entry.subject) }
    moved.subtract(inserted)
    updated.subtract(inserted)
  }

  private mutating func add(_ kind: LoggedChange.Kind, _ id: UUID) {
    switch kind {
    case .inserted:
      // It was away only between two scans.
      if removed.remove(id) != nil { moved.insert(id) } else { inserted.insert(id) }
    case .removed:
      updated.remove(id)
      moved.remove(id)
      if inserted.remove(id) == nil { removed.insert(id) }
    case .updated: updated.insert(id)
    case .moved: moved.insert(id)
    case .albumInserted:
      if removedAlbums.remove(id) != nil {
        updatedAlbums.insert(id)
      } else {
        insertedAlbums.insert(id)
      }
    case .albumUpdated: if !insertedAlbums.contains(id) { updatedAlbums.insert(id) }
    case .albumRemoved:
      updatedAlbums.remove(id)
      if insertedAlbums.remove(id) == nil { removedAlbums.insert(id) }
    }
  }
}
