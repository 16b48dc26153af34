import Checksums
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
      news.yield()
    }
    if !page.hasMore, !unlisted.isEmpty {
      // A server took over that had not heard of it, or one was restored from a backup.
      if try await ledger.lose(unlisted) { kick.yield() }
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
    var coming = newsStream.makeAsyncIterator()
    guard await coming.next() != nil else { throw CancellationError() }
    do {
      try await fetchWanted(ledger)
    } catch {
      // What couldn't be had now is had after the pause.
      news.yield()
      throw error
    }
  }

  private func fetchWanted(_ ledger: StreamLedger) async throws {
    // The newest first: that is what a person looks for.
    let there = try await ledger.photos(.wanted).reversed()
    try await fetchPreviews(of: there.map(\.photo))
    let wanted = there.filter { settings.fetchesAll || $0.isAsked }.map(\.photo)
    guard !wanted.isEmpty else { return }
    let begin = Date.now
    let known = try await assetsInLibrary(of: wanted)
    var isMissing = false
    for photo in wanted {
      try Task.checkCancellation()
      if let asset = known[photo.name] {
        try await ledger.set(.here, photo.name, asset: asset)
      } else {
        switch try await fetch(photo, ledger, since: begin) {
        case .there(let asset): try await ledger.set(.here, photo.name, asset: asset)
        case .saved(let asset):
          try await ledger.set(.here, photo.name, asset: asset)
          board.change { $0.received += 1 }
        case .missing: isMissing = true
        case .unusable(let reason):
          // It isn't asked for again.
          try await ledger.set(.gone, photo.name, reason: reason)
        }
      }
      board.change { $0.fetching = nil }
      forgetPreview(of: photo)
      try await tell(ledger)
    }
    if isMissing {
      throw FeedError.notUnderstood(
        address: client.address, reason: "it lacks photos that another device is still to send")
    }
  }

  /// Finds those photos that the library has already, such as one that was saved just before the program ended.
  private func assetsInLibrary(of photos: [StreamPhoto]) async throws -> [BlobName: UUID] {
    let sizes = Set(photos.map(\.size))
    var found: [BlobName: UUID] = [:]
    let all = try await library.album(.all).assets()
    var number = 0
    while case let page = try await all.page(number, size: 500), !page.isEmpty {
      for asset in page {
        let file = asset.defaultRepresentation
        guard sizes.contains(file.size), let name = try? await file.blobName() else { continue }
        found[name] = asset.id
      }
      number += 1
    }
    return found
  }

  /// Finds a photo that came into the library by itself since a moment.
  private func assetSince(
    _ begin: Date, of photo: StreamPhoto, _ ledger: StreamLedger
  ) async throws -> UUID? {
    if let offer = try await ledger.photo(photo.name) { return offer.asset }
    let recents = try await library.album(.recents).assets()
    var number = 0
    while case let page = try await recents.page(number), !page.isEmpty {
      for asset in page where asset.additionDate >= begin - 1 {
        let file = asset.defaultRepresentation
        guard file.size == photo.size, let name = try? await file.blobName() else { continue }
        if name == photo.name { return asset.id }
      }
      if page.last.map({ $0.additionDate < begin - 1 }) != false { return nil }
      number += 1
    }
    return nil
  }

  private enum Fetched {
    case saved(UUID)
    /// The library got it meanwhile.
    case there(UUID)
    /// The server lacks it.
    case missing
    /// No library can have it.
    case unusable(String)
  }

  /// Gets a photo into the library.
  private func fetch(
    _ photo: StreamPhoto, _ ledger: StreamLedger, since begin: Date
  ) async throws -> Fetched {
    let file = folder.appending(path: "incoming/\(photo.name)")
    let isWhole = try await client.download(photo.name, size: photo.size, to: file) {
      [board] done in
      board.change { status in
        status.phase = .working
        status.fetching = .init(name: photo.fileName, done: done, size: photo.size)
      }
    }
    guard isWhole else { return .missing }
    let album = try await album(ledger)
    if let asset = try await assetSince(begin, of: photo, ledger) {
      try? FileManager.default.removeItem(at: file)
      return .there(asset)
    }
    do {
      return .saved(try await library.save([PhotoResource(.move(file))], to: album).id)
    } catch PhotoLibraryError.notAdded(let saved, _, _) {
      return .saved(saved.id)
    } catch PhotoLibraryError.unsupported(let what, let reason) {
      try? FileManager.default.removeItem(at: file)
      return .unusable("\(PhotoLibraryError.unsupported(what: what, reason: reason))")
    }
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
