import GRDB
import Viewfinder

/// The one way in which a process changes the index: files, albums and the log of what became of them.
///
/// Everybody's work is done in short turns, in the order in which it comes, and listeners hear of each when it is
/// done. A scan takes a turn for some files at a time, so that saves and edits never wait for it.
final class LibraryWriter: Sendable {
  let index: IndexDatabase
  private let broadcast = Broadcast(.events, loss: LibraryChange.everything)
  /// What listeners know.
  private let told: Mutex<Told>

  private struct Told {
    /// The version of the log.
    var version: Int64
    /// Of the index, by another one that may differ in everything.
    var replacements: Int
  }

  init(_ index: IndexDatabase) throws(PhotoLibraryError) {
    self.index = index
    let version = try index.readNow { db in try ChangeLog.version(in: db) }
    told = Mutex(Told(version: version, replacements: index.replacements))
  }

  var changes: AsyncStream<LibraryChange> { broadcast.subscribe() }

  /// Says that something has changed, to those who look for themselves.
  var signals: AsyncStream<LibraryChange> { broadcast.subscribe(keeping: 1) }

  /// Changes the index, all or nothing, while the caller waits, and tells listeners.
  ///
  /// `body` runs once more where the index turns out to be damaged and is made anew.
  func write<R>(_ body: (Database) throws -> R) throws(PhotoLibraryError) -> R {
    let result = Result { () throws(PhotoLibraryError) in try index.writeNow(body) }
    tell()
    return try result.get()
  }

  /// Tells listeners what the log has that they don't know, whoever wrote it.
  func tell() {
    told.withLock { told in
      let from = told
      let found = try? index.readNow { db in
        (try ChangeLog.version(in: db), try ChangeLog.entries(after: from.version, in: db))
      }
      guard let (version, entries) = found else { return }
      told = Told(version: version, replacements: index.replacements)
      let isSame = told.replacements == from.replacements
      let change = isSame ? entries.map { LibraryChange($0) } ?? .everything : .everything
      if !change.isEmpty { broadcast.send(change) }
    }
  }
}
