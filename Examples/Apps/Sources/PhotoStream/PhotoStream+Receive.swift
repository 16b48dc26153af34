import Checksums
import ErrorWords
import FeedClient
import Foundation
import ViewfinderLibrary

extension PhotoStream {
  /// How long the server may wait for news.
  private static let wait = Duration.seconds(50)

  /// How soon an answer without news shows that the server doesn't wait, and how long not to ask it then.
  private static let restless = Duration.seconds(1), rest = Duration.seconds(5)

  /// Notes what has changed in the stream; waits for it where nothing has.
  func receive(_ ledger: StreamLedger) async throws {
    let begin = ContinuousClock.now
    let cursor = try await ledger.cursor()
    let unlisted = try await ledger.unlisted()
    // All at once at first, so that the status is right soon; and what was sent is there already.
    let wait = cursor == nil || !unlisted.isEmpty ? .zero : Self.wait
    let page: FeedClient.Page
    do {
      page = try await client.changes(since: cursor, wait: wait)
    } catch FeedError.cursorUnknown where cursor != nil {
      return try await ledger.restart()
    }
    if page.cursor != cursor {
      try await ledger.receive(page)
      news.ring()
    }
    if !page.hasMore, !unlisted.isEmpty {
      // A server took over that had not heard of it, or one was restored from a backup.
      if try await ledger.lose(unlisted) { kick.ring() }
    }
    if page.cursor != cursor || !unlisted.isEmpty {
      try await tell(ledger)
    } else if wait != .zero, ContinuousClock.now - begin < Self.restless {
      // A server that doesn't wait isn't asked all the time.
      try await Task.sleep(for: Self.rest)
    }
  }

  /// Waits until photos are wanted, and gets them.
  func fetch(_ ledger: StreamLedger) async throws {
    // What was saved just before the program ended isn't fetched again.
    try await library.waitForFirstScan()
    try await news.answer { try await fetchWanted(ledger) }
  }

  private func fetchWanted(_ ledger: StreamLedger) async throws {
    // The newest first: that is what a person looks for.
    let there = try await ledger.photos(.wanted).reversed()
    try await fetchPreviews(of: there.map(\.photo))
    let wanted = there.filter { settings.fetchesAll || $0.isAsked }.map(\.photo)
    guard !wanted.isEmpty else { return }
    // Such as one that was saved just before the program ended.
    var search = LibrarySearch(library, for: wanted)
    try await search.look()
    var isMissing = false
    var saved: [BlobName: UUID] = [:]
    for photo in wanted {
      try Task.checkCancellation()
      if let asset = search.found[photo.name]?.first {
        try await ledger.set(.here, photo.name, asset: asset)
      } else if let file = try await download(photo) {
        // It may have come by itself meanwhile.
        try await search.look()
        let own = try await ledger.photo(photo.name)
        if let asset = own?.asset ?? search.found[photo.name]?.first {
          try? FileManager.default.removeItem(at: file)
          try await ledger.set(.here, photo.name, asset: asset)
        } else {
          saved[photo.name] = try await save(file, as: photo, ledger)
        }
      } else {
        isMissing = true
      }
      board.change { $0.fetching = nil }
      forgetPreview(of: photo)
      try await tell(ledger)
    }
    try await dropDoubles(of: saved, &search, ledger)
    if isMissing {
      throw FeedError.notUnderstood(
        address: client.address, reason: "it lacks photos that another device is still to send")
    }
  }

  /// Deletes what was saved, where another program saved the same at that moment: nobody wants a photo twice.
  private func dropDoubles(
    of saved: [BlobName: UUID], _ search: inout LibrarySearch, _ ledger: StreamLedger
  ) async throws {
    guard !saved.isEmpty else { return }
    try await library.update()
    try await search.look()
    for (name, id) in saved {
      guard let other = search.found[name]?.first(where: { $0 != id }) else { continue }
      try await ledger.set(.here, name, asset: other)
      if let double = try await library.asset(id: id) {
        try await library.deletePermanently([double])
      }
    }
  }

  /// Gets a photo; `nil` where the server lacks it.
  private func download(_ photo: StreamPhoto) async throws -> URL? {
    let file = folder.appending(path: "incoming/\(photo.name)")
    board.fetches(photo, done: 0)
    let isWhole = try await client.download(photo.name, size: photo.size, to: file) {
      [board] done in board.fetches(photo, done: done)
    }
    return isWhole ? file : nil
  }

  /// Moves a photo into the library; notes why where no library can have it, so that it isn't asked for again.
  private func save(_ file: URL, as photo: StreamPhoto, _ ledger: StreamLedger) async throws
    -> UUID?
  {
    let album = try await album(ledger)
    let asset: UUID
    do {
      asset = try await library.save([PhotoResource(.move(file))], to: album).id
    } catch PhotoLibraryError.notAdded(let saved, _, _) {
      asset = saved.id
    } catch PhotoLibraryError.unsupported(let what, let reason) {
      try? FileManager.default.removeItem(at: file)
      let reason = ErrorWords(PhotoLibraryError.unsupported(what: what, reason: reason))
      try await ledger.set(.gone, photo.name, reason: reason)
      return nil
    }
    try await ledger.set(.here, photo.name, asset: asset)
    board.change { $0.received += 1 }
    return asset
  }

  /// The album into which photos come, which a person may have renamed, or deleted.
  private func album(_ ledger: StreamLedger) async throws -> Album {
    if let id = try await ledger.album(), let album = try await library.album(id: id) {
      return album
    }
    let made = try await library.albums().first { $0.kind == .made && $0.name == Self.albumName }
    let album: Album
    if let made { album = made } else { album = try await library.makeAlbum(named: Self.albumName) }
    try await ledger.setAlbum(album.id)
    return album
  }
}
