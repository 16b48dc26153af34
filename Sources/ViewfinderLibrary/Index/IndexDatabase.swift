import Foundation
import GRDB
import Viewfinder

/// The library's index: an SQLite database that knows every file.
///
/// Readers see it as it was when they began, and never wait for a writer. All processes with the library open
/// share it. When it turns out to be damaged, the first to notice makes a new one, with all that can still be
/// read of the old one; the others open that.
final class IndexDatabase: Sendable {
  private let folder: FilePath
  private let limit: Duration
  private let state: Mutex<State>

  private struct State {
    var file: IndexFile
    var pool: DatabasePool
    /// How often another file took the place of the one that was open.
    var replacements = 0

    mutating func take(_ next: State) {
      (file, pool, replacements) = (next.file, next.pool, replacements + 1)
    }
  }

  /// Opens the index in a folder, which is made where it is missing.
  ///
  /// `limit` is how long to wait, now and later, while another process writes.
  init(folder: FilePath, waitingFor limit: Duration = .seconds(10)) throws(PhotoLibraryError) {
    (self.folder, self.limit) = (folder, limit)
    try folder.makeFolder(mode: 0o700)
    // Nobody opens, or replaces as damaged, what another process is just making.
    let lock = try LibraryLock(folder: folder)
    defer { lock.release() }
    state = Mutex(try Self.openNewest(in: folder, limit))
  }

  private static func openNewest(
    in folder: FilePath, _ limit: Duration
  ) throws(PhotoLibraryError) -> State {
    guard let file = IndexFile.newest(in: folder) else {
      return try make(in: folder, limit, from: IndexFile.predecessor(in: folder))
    }
    do {
      let pool = try open(file.path, limit)
      IndexFile.removeOld(in: folder)
      return State(file: file, pool: pool)
    } catch let error where IndexDamage.isLikely(error) {
      return try make(in: folder, limit, from: file.path)
    } catch {
      throw libraryError(error, file.path)
    }
  }

  /// Makes a new file with what can be read of an old one.
  private static func make(
    in folder: FilePath, _ limit: Duration, from old: FilePath?
  ) throws(PhotoLibraryError) -> State {
    let file = IndexFile.next(in: folder)
    do {
      let pool = try open(file.path, limit)
      if let old {
        try pool.writeWithoutTransaction { db in try IndexSalvage(old, into: db).run() }
      }
      IndexFile.removeOld(in: folder)
      return State(file: file, pool: pool)
    } catch {
      file.remove()
      throw libraryError(error, file.path)
    }
  }

  private static func open(_ path: FilePath, _ limit: Duration) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.label = "Viewfinder library"
    configuration.busyMode = .timeout(limit / .seconds(1))
    configuration.prepareDatabase { db in
      // What a power cut takes from a cache is found again; it is never damaged by one.
      try db.execute(sql: "PRAGMA cache_size = -4000; PRAGMA synchronous = NORMAL")
    }
    let pool = try DatabasePool(path: path.description, configuration: configuration)
    // Only reading, so that it is open at once while another process writes.
    let isReady = try pool.read { db in try IndexSchema.isReady(db) }
    if !isReady { try IndexSchema.migrate(pool) }
    return pool
  }

  /// Where it is.
  var path: FilePath { state.withLock { $0.file.path } }

  /// How often another file took the place of the one that was open, so that all may be different.
  var replacements: Int { state.withLock { $0.replacements } }

  /// Whether another process has made a new one, or somebody has deleted it.
  var isReplaced: Bool { IndexFile.newest(in: folder) != current.0 }

  /// Opens the one that counts now.
  func refresh() { if isReplaced { reopen(instead: current.0) } }

  // MARK: Reading and writing

  /// Reads in the index, in one view of it that stays as it is meanwhile.
  func read<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T)
    async throws(PhotoLibraryError) -> T
  {
    let (file, pool) = current
    do { return try await pool.read(body) } catch {
      guard await Blocking.run({ [self] in replace(file, after: error) }) else {
        throw Self.libraryError(error, file.path)
      }
    }
    let (next, nextPool) = current
    do { return try await nextPool.read(body) } catch { throw Self.libraryError(error, next.path) }
  }

  /// Reads in the index while the caller waits.
  func readNow<T>(_ body: (Database) throws -> T) throws(PhotoLibraryError) -> T {
    try retrying { pool in try pool.read(body) }
  }

  /// Writes to the index, all or nothing, while the caller waits.
  func writeNow<T>(_ body: (Database) throws -> T) throws(PhotoLibraryError) -> T {
    let (file, _) = current
    // Somebody may have deleted it, or made a new one: what is written to it then is lost.
    if FileStatus(of: file.path) == nil { reopen(instead: file) }
    return try retrying { pool in try pool.write(body) }
  }

  private var current: (IndexFile, DatabasePool) { state.withLock { ($0.file, $0.pool) } }

  /// Does it again, once, where another file has taken the place of a damaged one.
  private func retrying<T>(_ body: (DatabasePool) throws -> T) throws(PhotoLibraryError) -> T {
    let (file, pool) = current
    do { return try body(pool) } catch {
      guard replace(file, after: error) else { throw Self.libraryError(error, file.path) }
    }
    let (next, nextPool) = current
    do { return try body(nextPool) } catch { throw Self.libraryError(error, next.path) }
  }

  // MARK: Damage

  /// Opens the file that counts, after an error; a damaged one is replaced first.
  ///
  /// Returns whether it is another one now. One error of a disk is no damage: it is looked at again.
  private func replace(_ file: IndexFile, after error: any Error) -> Bool {
    let isLost = IndexDamage.isLost(error)
    guard isLost || IndexDamage.isLikely(error) else { return false }
    return state.withLock { state in
      // Another thread was faster.
      guard state.file == file else { return true }
      guard let lock = try? LibraryLock(folder: folder) else { return false }
      defer { lock.release() }
      let newest = IndexFile.newest(in: folder)
      let isDamaged =
        !isLost && newest == file && (IndexDamage.isCertain(error) || isDamaged(state.pool))
      guard newest != file || isDamaged,
        let next = newest == file
          ? try? Self.make(in: folder, limit, from: file.path)
          : try? Self.openNewest(in: folder, limit)
      else { return false }
      state.take(next)
      return true
    }
  }

  /// Opens the file that counts when somebody has deleted the one that was open.
  private func reopen(instead file: IndexFile) {
    state.withLock { state in
      guard state.file == file, (try? folder.makeFolder(mode: 0o700)) != nil,
        let lock = try? LibraryLock(folder: folder)
      else { return }
      defer { lock.release() }
      guard let next = try? Self.openNewest(in: folder, limit) else { return }
      state.take(next)
    }
  }

  private func isDamaged(_ pool: DatabasePool) -> Bool {
    do { return try pool.read { db in try IndexDamage.problem(db) } != nil } catch {
      return IndexDamage.isLikely(error)
    }
  }

  /// Makes a new file, with what can't be found again of the old one, or of a damaged one what can be read.
  func rebuild() throws(PhotoLibraryError) {
    let lock = try LibraryLock(folder: folder)
    defer { lock.release() }
    let next = try Self.make(in: folder, limit, from: current.0.path)
    state.withLock { $0.take(next) }
  }

  /// What is wrong with the index, in the library's words.
  private static func libraryError(_ error: any Error, _ path: FilePath) -> PhotoLibraryError {
    if let error = error as? PhotoLibraryError { return error }
    if error is CancellationError { return .cancelled }
    let path = path.description
    guard let error = error as? DatabaseError else {
      return .indexUnusable(path: path, reason: "\(error)")
    }
    switch error.resultCode {
    case .SQLITE_BUSY:
      return .indexUnusable(
        path: path, reason: "another program is writing to it and doesn't come to an end")
    case .SQLITE_FULL: return .cannotWrite(path: path, code: ENOSPC)
    case .SQLITE_READONLY: return .cannotWrite(path: path, code: EROFS)
    default: return .indexUnusable(path: path, reason: "\(error)")
    }
  }
}
