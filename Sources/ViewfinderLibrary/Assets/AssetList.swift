import Foundation
import GRDB

/// The assets of an album at one moment, in order; `PHFetchResult` to Apple's apps.
///
/// The list stays as it is while the library changes: the same assets at the same places. It reads
/// assets in pages, when you ask for them, so that a list of 100,000 takes less than a megabyte.
public struct AssetList: Sendable {
  /// What it shows.
  struct Query: Sendable {
    var album: AlbumKey
    var filter: AssetFilter
    var order: AssetOrder
  }

  let core: LibraryCore
  let query: Query
  /// The rows of the assets' default files.
  let rows: [Int64]
  /// The version of the change log of which it is.
  let version: Int64

  /// How many assets there are.
  public var count: Int { rows.count }

  /// Whether there are none.
  public var isEmpty: Bool { rows.isEmpty }

  /// The assets at some places.
  ///
  /// - Parameter range: Places from 0; the call ignores those outside the list.
  /// - Returns: The assets as they are now, in the list's order.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func assets(in range: Range<Int>) async throws(PhotoLibraryError) -> [Asset] {
    let slice = rows[range.clamped(to: 0..<rows.count)]
    guard !slice.isEmpty else { return [] }
    let found = try await core.index.read { db in try AssetQueries.assets(rows: slice, db) }
    return found.map { Asset($0, core) }
  }

  /// A page of the list.
  ///
  /// - Parameters:
  ///   - number: From 0.
  ///   - size: How many assets a page has. The default is 100.
  /// - Returns: The assets as they are now; none after the last page.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func page(_ number: Int, size: Int = 100) async throws(PhotoLibraryError) -> [Asset] {
    guard number >= 0, size > 0, number <= count / size else { return [] }
    return try await assets(in: number * size..<Swift.min((number + 1) * size, count))
  }

  /// The asset at a place, or `nil` outside the list.
  public func asset(at place: Int) async throws(PhotoLibraryError) -> Asset? {
    guard rows.indices.contains(place) else { return nil }
    return try await assets(in: place..<place + 1).first
  }

  /// Where an asset is in the list.
  public func place(of asset: Asset) -> Int? {
    asset.file.row.flatMap { rows.firstIndex(of: $0) }
  }

  /// Calls a block for each asset, as `ALAssetsGroup.enumerateAssets` does.
  ///
  /// - Parameters:
  ///   - range: Which places; `nil`, the default, for all.
  ///   - reversed: Whether to begin at the end. The default is `false`.
  ///   - block: Gets the asset, its place, and a flag that ends the enumeration when set. After the last
  ///     asset comes one more call, without an asset.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func enumerate(
    in range: Range<Int>? = nil, reversed: Bool = false,
    using block: (_ asset: Asset?, _ place: Int?, _ stop: inout Bool) -> Void
  ) async throws(PhotoLibraryError) {
    let places = (range ?? 0..<count).clamped(to: 0..<count)
    let pageSize = 100
    var stop = false
    for start in stride(from: 0, to: places.count, by: pageSize) {
      let end = Swift.min(start + pageSize, places.count)
      let page =
        reversed
        ? places.upperBound - end..<places.upperBound - start
        : places.lowerBound + start..<places.lowerBound + end
      let numbered = Array(zip(page, try await assets(in: page)))
      for (place, asset) in reversed ? numbered.reversed() : numbered {
        block(asset, place, &stop)
        if stop { return }
      }
    }
    block(nil, nil, &stop)
  }
}

extension AssetList: AsyncSequence {
  /// Reads assets page by page.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let list: AssetList
    fileprivate var next = 0
    fileprivate var page: [Asset] = []

    /// The next asset, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PhotoLibraryError) -> Asset? {
      if page.isEmpty {
        guard next < list.count else { return nil }
        page = try await list.assets(in: next..<Swift.min(next + 100, list.count)).reversed()
        next += 100
      }
      return page.popLast()
    }
  }

  /// The type of an element.
  public typealias Element = Asset
  /// The type of its errors.
  public typealias Failure = PhotoLibraryError

  /// Begins at the first asset.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }
}

extension AssetList {
  /// What the index has now.
  init(_ core: LibraryCore, _ query: Query, limit: Int = -1, _ db: Database) throws {
    self.init(
      core: core, query: query, rows: try AssetQueries.rows(query, limit: limit, db),
      version: try ChangeLog.version(in: db))
  }
}

extension Asset {
  init(_ found: AssetQueries.Located, _ core: LibraryCore) {
    self.init(
      file: found.file, folder: found.folder, library: core, facts: found.facts,
      isAbsent: found.isAbsent, id: found.file.asset, isFavorite: found.isFavorite)
  }
}
