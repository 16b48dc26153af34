import CardModel
import CardStore
import FeedClient
import Foundation

extension CardSync {
  /// Gets what came since the last time, page by page; pictures come after all cards.
  func receive(_ link: SyncLink, _ report: inout SyncReport) async throws {
    var wasForgotten = false
    // A server's pages may have no end.
    for _ in 0..<1000 {
      let cursor = try link.cursor
      let changes: CardChanges
      do {
        changes = try await download.changes(since: cursor)
      } catch FeedError.cursorUnknown where cursor != nil && !wasForgotten {
        wasForgotten = true
        try link.forget()
        continue
      }
      if changes.versions.isEmpty, changes.cursor == cursor { return }
      let versions = changes.versions.filter { $0.record.id != SignOn.probe }
      do {
        note(try link.receive(versions, after: cursor, next: changes.cursor), &report)
        for version in changes.versions { unreadable[version.record.id] = nil }
        for record in changes.unreadable { unreadable[record.id] = record.reason }
      } catch is SyncLink.OutOfTurn {
        continue
      }
      if !changes.hasMore { return }
    }
    throw FeedError.notUnderstood(
      address: download.address, reason: "its list of records has no end")
  }

  /// Counts what receiving did, also for who watches.
  func note(_ received: SyncLink.Received, _ report: inout SyncReport) {
    report.downloaded += received.changed
    report.merged += received.merged
    report.kept += received.kept
    let done = report.downloaded + report.uploaded
    board.change { $0.phase = .syncing(done: done, of: done) }
  }

  /// Gets pictures that cards here name, four at a time.
  ///
  /// One that can't be had is tried again later.
  func fetchWanted(_ link: SyncLink, _ report: inout SyncReport) async throws {
    let due = try link.wantedPictures().filter { missing[$0]?.next ?? .now <= .now }
    try await fourAtATime(due) { [download] hash in
      await Result { try await download.picture(hash) }
    } take: { hash, outcome in
      do {
        if let data = try outcome.get(), PictureHash(of: data) == hash {
          _ = try store.addPicture(data)
          try link.didSend(hash)
          missing[hash] = nil
          report.picturesDownloaded += 1
          return true
        }
      } catch CardStoreError.notAPicture {
        // As good as none.
      } catch FeedError.rejected, FeedError.tooLarge, FeedError.redirected {
        // As good as none.
      } catch is FeedError {
        // Neither will the next be had now.
        return false
      }
      var pause =
        missing[hash]?.pause ?? Pause(first: options.picturePause, longest: .seconds(3600))
      missing[hash] = (.now + pause.next(), pause)
      return true
    }
  }
}

extension Result where Failure == any Error {
  /// What became of something.
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
