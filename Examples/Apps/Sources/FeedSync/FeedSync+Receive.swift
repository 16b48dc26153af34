import Checksums
import FeedClient
import Foundation

extension FeedSync {
  /// Gets what came since the last time, page by page; blobs come after all records.
  func receive(_ link: FeedLink<Store>, _ report: inout SyncReport) async throws {
    var wasForgotten = false
    let unlisted = try link.unlisted()
    // A server's pages may have no end.
    for _ in 0..<1000 {
      let cursor = try link.cursor
      let page: FeedClient.Page
      do {
        page = try await source.changes(since: cursor)
      } catch FeedError.cursorUnknown where cursor != nil && !wasForgotten {
        wasForgotten = true
        try link.forget()
        continue
      }
      if page.entries.isEmpty, page.cursor == cursor { return try link.forgetLost(unlisted) }
      do {
        let versions = try page.entries.compactMap(version).filter { $0.record.id != SignOn.probe }
        note(try link.receive(versions, after: cursor, next: page.cursor), &report)
      } catch is FeedLink<Store>.OutOfTurn {
        continue
      }
      if !page.hasMore { return try link.forgetLost(unlisted) }
    }
    throw FeedError.notUnderstood(
      address: source.address, reason: "its list of records has no end")
  }

  /// Reads an entry; `nil` for one that can't be read, whose record stays here as it is.
  private func version(_ entry: FeedClient.Entry) throws -> FeedVersion<Store.Record>? {
    do {
      let version = try FeedVersion<Store.Record>(entry, from: source.address)
      unreadable[version.record.id] = nil
      return version
    } catch let error as UnreadableRecord {
      unreadable[error.id] = error.reason
      return nil
    }
  }

  /// Counts what receiving did, also for who watches.
  func note(_ received: FeedLink<Store>.Received, _ report: inout SyncReport) {
    report.downloaded += received.changed
    report.merged += received.merged
    report.kept += received.kept
    let done = report.downloaded + report.uploaded
    board.change { $0.phase = .syncing(done: done, of: done) }
  }

  /// Gets blobs that records here name, four at a time.
  ///
  /// One that can't be had is tried again later.
  func fetchWanted(_ link: FeedLink<Store>, _ report: inout SyncReport) async throws {
    let due = try link.wantedBlobs().filter { missing[$0]?.next ?? .now <= .now }
    try await fourAtATime(due) { [source] name in
      await Result { try await source.blob(name) }
    } take: { name, outcome in
      do {
        if let data = try outcome.get(), BlobName(of: data) == name, try store.addBlob(data) {
          try link.note(.sent, name)
          missing[name] = nil
          report.blobsDownloaded += 1
          return true
        }
      } catch FeedError.rejected, FeedError.tooLarge, FeedError.redirected {
        // As good as none.
      } catch is FeedError {
        // Neither will the next be had now.
        return false
      }
      var pause =
        missing[name]?.pause ?? Pause(first: options.blobPause, longest: .seconds(3600))
      missing[name] = (.now + pause.next(), pause)
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
