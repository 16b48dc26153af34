public import Foundation
import GRDB

extension PhotoLibrary {
  // MARK: Albums

  /// The album with an identifier, or `nil` when none has it now.
  public func album(id: UUID) async throws(PhotoLibraryError) -> Album? {
    if let kind = SmartAlbum.allCases.first(where: { AlbumKey.smart($0).id == id }) {
      return album(kind)
    }
    if let made = try await madeAlbum(id) { return made }
    let folders = try await core.index.read { db in try AssetQueries.folders(db) }
    return folders.first { AlbumKey.folder($0).id == id }.map { Album(folder: $0, core) }
  }

  /// The album that a URL names.
  ///
  /// - Throws: ``PhotoLibraryError/notFound(what:)``, or ``PhotoLibraryError/invalidRequest(reason:)`` for what is
  ///   no album's URL.
  public func album(at url: URL) async throws(PhotoLibraryError) -> Album {
    guard case .album(let key) = try LibraryURL(url) else {
      throw .invalidRequest(reason: "\(url.absoluteString) names an asset, not an album.")
    }
    switch key {
    case .smart(let kind): return album(kind)
    case .folder(let path):
      let isKnown = try await core.index.read { db in
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM folder WHERE path = ?)",
          arguments: [Data(path.bytes)])!
      }
      guard isKnown else { throw .notFound(what: "folder \(path) in the library") }
      return Album(folder: path, core)
    case .made(let id):
      guard let album = try await madeAlbum(id) else {
        throw .notFound(what: "album at \(url.absoluteString)")
      }
      return album
    }
  }

  /// The albums that people made and put an asset into, by name.
  public func albums(with asset: Asset) async throws(PhotoLibraryError) -> [Album] {
    let rows = try await core.index.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT DISTINCT id, name FROM member JOIN album ON album.id = member.album
          WHERE member.asset = ? AND id <> ?
          """, arguments: [asset.id, AlbumKey.favorites]
      ).map {
        (
          id: try $0.decode(UUID.self, forColumn: "id"),
          name: try $0.decode(String.self, forColumn: "name")
        )
      }
    }
    return rows.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
      .map { Album(key: .made($0.id), core: core, name: $0.name) }
  }

  private func madeAlbum(_ id: UUID) async throws(PhotoLibraryError) -> Album? {
    let name = try await core.index.read { db in
      try String.fetchOne(db, sql: "SELECT name FROM album WHERE id = ?", arguments: [id])
    }
    return name.map { Album(key: .made(id), core: core, name: $0) }
  }

  // MARK: Assets

  /// The asset with an identifier, or `nil` when none has it now.
  public func asset(id: UUID) async throws(PhotoLibraryError) -> Asset? {
    try await core.index.read { db in try AssetQueries.asset(id, db) }.map { Asset($0, core) }
  }

  /// The assets with identifiers, in that order, without those that don't exist now.
  public func assets(ids: [UUID]) async throws(PhotoLibraryError) -> [Asset] {
    try await core.index.read { db in try AssetQueries.assets(ids, db) }.map { Asset($0, core) }
  }

  /// The asset that a URL names: an ``Asset/url``, or the URL of one of its files.
  ///
  /// - Throws: ``PhotoLibraryError/notFound(what:)``, or ``PhotoLibraryError/invalidRequest(reason:)`` for what is
  ///   no asset's URL.
  public func asset(at url: URL) async throws(PhotoLibraryError) -> Asset {
    let found: Asset?
    if url.isFileURL {
      let path = FilePath(url)
      found = try await core.index.read { db in try AssetQueries.asset(at: path, db) }
        .map { Asset($0, core) }
    } else {
      guard case .asset(let id) = try LibraryURL(url) else {
        throw .invalidRequest(reason: "\(url.absoluteString) names an album, not an asset.")
      }
      found = try await asset(id: id)
    }
    guard let found else { throw .notFound(what: "asset at \(url.absoluteString)") }
    return found
  }
}
