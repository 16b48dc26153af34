/// How a list of assets became another one; `PHFetchResultChangeDetails` to Apple's apps.
///
/// A grid follows it by taking out what is at ``removals``, putting in what is at ``insertions``, and then moving.
public struct AssetListChange: Sendable {
  /// An asset's place in both lists.
  public struct Move: Hashable, Sendable {
    /// The place in ``AssetListChange/before``.
    public var from: Int
    /// The place in ``AssetListChange/after``.
    public var to: Int
  }

  /// The list as it was.
  public let before: AssetList
  /// The list as it is.
  public let after: AssetList
  /// Places in ``before`` of the assets that ``after`` doesn't have, in ascending order.
  public let removals: [Int]
  /// Places in ``after`` of the assets that ``before`` didn't have, in ascending order.
  public let insertions: [Int]
  /// Assets of both lists whose order changed: as few as possible, by ascending ``Move/to``.
  public let moves: [Move]
  /// Places in ``after`` of assets of both lists to show again, in ascending order: somebody wrote to,
  /// renamed or moved their files.
  public let updates: [Int]

  /// Whether both lists show the same.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Compares two lists by their assets, of which `isUpdated` tells which to show again.
  init(from before: AssetList, to after: AssetList, isUpdated: (Int64) -> Bool) {
    (self.before, self.after) = (before, after)
    let wasAt = Dictionary(zip(before.rows, before.rows.indices)) { first, _ in first }
    let isThere = Set(after.rows)
    removals = before.rows.indices.filter { !isThere.contains(before.rows[$0]) }
    insertions = after.rows.indices.filter { wasAt[after.rows[$0]] == nil }
    let common = after.rows.indices.compactMap { to in
      wasAt[after.rows[to]].map { Move(from: $0, to: to) }
    }
    let unmoved = Set(Self.longestIncreasing(common.map(\.from)))
    moves = common.indices.filter { !unmoved.contains($0) }.map { common[$0] }
    updates = common.map(\.to).filter { isUpdated(after.rows[$0]) }
  }

  /// Places of a longest increasing subsequence, by Fredman (1975).
  private static func longestIncreasing(_ values: [Int]) -> [Int] {
    /// For each length, the place of the smallest value with which a subsequence of that length ends.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (place, value) in values.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var result: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      result.append(place)
      place = previous[place]
    }
    return result.reversed()
  }
}

extension AssetList {
  /// How the list changes from now on.
  ///
  /// Each change's ``AssetListChange/before`` is the ``AssetListChange/after`` of the one before it; the first one's is
  /// this list. Each reader gets all of them: what happens while nobody reads makes one change. The sequence ends
  /// when its task is cancelled.
  public var changes: AssetListChanges { AssetListChanges(list: self) }
}

/// The changes of a list.
public struct AssetListChanges: AsyncSequence, Sendable {
  /// The type of an element.
  public typealias Element = AssetListChange
  /// The type of its errors.
  public typealias Failure = PhotoLibraryError

  let list: AssetList

  /// Begins with what has changed since the list was made.
  public func makeAsyncIterator() -> AsyncIterator {
    // Listens before it looks, so that nothing is missed in between.
    AsyncIterator(list: list, signals: list.core.writer.signals.makeAsyncIterator())
  }

  /// Waits for changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var list: AssetList
    fileprivate var signals: AsyncStream<LibraryChange>.AsyncIterator

    /// The next change, or `nil` when the task is cancelled.
    ///
    /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PhotoLibraryError) -> AssetListChange? {
      repeat {
        if Task.isCancelled { return nil }
        let change = try await list.changeUntilNow()
        list = change.after
        if !change.isEmpty { return change }
      } while await signals.next(isolation: actor) != nil
      return nil
    }
  }
}

extension AssetList {
  /// How the list differs from what the album has now.
  fileprivate func changeUntilNow() async throws(PhotoLibraryError) -> AssetListChange {
    try await core.index.read { [self] db in
      let now = try AssetList(core, query, db)
      // An asset that is now shown by another of its files has another row.
      let replaced = try AssetQueries.replacements(for: rows, db)
      let before = AssetList(
        core: core, query: query, rows: rows.map { replaced[$0] ?? $0 }, version: version)
      guard let entries = try ChangeLog.entries(after: version, in: db) else {
        return AssetListChange(from: before, to: now) { _ in true }
      }
      let updated = try AssetQueries.rows(ofAssets: Set(entries.map(\.subject)), db)
        .union(replaced.values)
      return AssetListChange(from: before, to: now) { updated.contains($0) }
    }
  }
}
