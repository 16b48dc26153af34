import Checksums
import ErrorWords
import FeedClient
import Foundation

extension FeedSync {
  /// How many records in a row may fail before the others aren't tried any more.
  private static var patience: Int { 8 }

  /// Sends what waits, all records before the blobs; returns whether anything was.
  ///
  /// What the server has no room for, or takes too long with, keeps nothing else from it.
  func send(
    _ link: FeedLink<Store>, _ target: any FeedTarget, _ report: inout SyncReport
  ) async throws -> Bool {
    let waiting = try link.waiting()
    guard try !waiting.isEmpty || !link.waitingBlobs().isEmpty else { return false }
    try await signOn(link, target)
    var (failure, failures) = (FeedError?.none, 0)
    for (index, id) in waiting.enumerated() where failures < Self.patience {
      try Task.checkCancellation()
      board.change { $0.phase = .syncing(done: index, of: waiting.count) }
      do {
        try await send(id, link, target, &report)
        failures = 0
      } catch let error as FeedError where error.mayConcernOne {
        failure = failure ?? error
        failures += 1
      }
    }
    try await sendBlobs(link, target, &report)
    if let failure { throw failure }
    return true
  }

  private func signOn(_ link: FeedLink<Store>, _ target: any FeedTarget) async throws {
    var honours = try link.honoursConditions
    var ignored = "as was found before"
    if honours == nil {
      let condition = try await SignOn(target: target).ignoredCondition()
      honours = condition == nil
      ignored = condition ?? ignored
      try link.setHonoursConditions(honours)
    }
    guard honours == true else {
      throw FeedError.ignoresConditions(address: source.address, condition: ignored)
    }
  }

  /// Sends a record.
  ///
  /// Where the server has another version, that is merged and the result sent.
  private func send(
    _ id: UUID, _ link: FeedLink<Store>, _ target: any FeedTarget, _ report: inout SyncReport
  ) async throws {
    // Others may be quicker for a while.
    for _ in 0..<8 {
      guard let (record, etag) = try link.next(id) else { return }
      do {
        // From here on the server may have it.
        guard try link.offer(record) else { continue }
        switch try await target.put(record.data, id: id, replacing: etag) {
        case .stored(let etag, let missing):
          try link.didSend(FeedVersion(record: record, etag: etag), missing: missing)
          report.uploaded += 1
          return
        case .conflict(let entry):
          let version = try? entry.map { try FeedVersion<Store.Record>($0, from: source.address) }
          if let version, version.record.id == id {
            note(try link.receive(version), &report)
          } else {
            try await receive(link, &report)
          }
        }
      } catch FeedError.rejected(let address, let message) {
        let error = FeedError.rejected(address: address, message: message)
        return try link.didRefuse(record, reason: ErrorWords(error))
      }
    }
  }

  /// Sends blobs that the server lacks, four at a time.
  private func sendBlobs(
    _ link: FeedLink<Store>, _ target: any FeedTarget, _ report: inout SyncReport
  ) async throws {
    var (failure, failures) = (FeedError?.none, 0)
    try await fourAtATime(try link.waitingBlobs()) { [store] name in
      await Result { try await target.send(name, from: store) }
    } take: { name, outcome in
      do {
        guard let wasLacking = try outcome.get() else { return true }
        try link.note(.sent, name)
        if wasLacking { report.blobsUploaded += 1 }
        failures = 0
      } catch FeedError.rejected(let address, let message) {
        let error = FeedError.rejected(address: address, message: message)
        try link.note(.refused, name, reason: ErrorWords(error))
      } catch let error as FeedError where error.mayConcernOne {
        failure = failure ?? error
        failures += 1
      }
      return failures < Self.patience
    }
    if let failure { throw failure }
  }
}

extension FeedTarget {
  /// Sends a blob unless it is there; tells whether it wasn't, `nil` where it isn't here any more, or isn't whole.
  fileprivate func send(_ name: BlobName, from store: some FeedStore) async throws -> Bool? {
    if try await hasBlob(name) { return false }
    guard let data = try store.blob(name) else { return nil }
    try await putBlob(data, as: name, type: store.blobType)
    return true
  }
}
