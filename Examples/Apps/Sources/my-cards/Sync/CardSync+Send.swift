import CardModel
import CardStore
import FeedClient
import Foundation

extension CardSync {
  /// How many records in a row may fail before the others aren't tried any more.
  private static let patience = 8

  /// Sends what waits, all cards before the pictures; returns whether anything was.
  ///
  /// What the backend has no room for, or takes too long with, keeps nothing else from it.
  func send(
    _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws -> Bool {
    let waiting = try link.waiting()
    guard try !waiting.isEmpty || !link.waitingPictures().isEmpty else { return false }
    try await signOn(link, upload)
    var (failure, failures) = (FeedError?.none, 0)
    for (index, id) in waiting.enumerated() where failures < Self.patience {
      try Task.checkCancellation()
      board.change { $0.phase = .syncing(done: index, of: waiting.count) }
      do {
        try await send(id, link, upload, &report)
        failures = 0
      } catch let error as FeedError where error.mayConcernOne {
        failure = failure ?? error
        failures += 1
      }
    }
    try await sendPictures(link, upload, &report)
    if let failure { throw failure }
    return true
  }

  private func signOn(_ link: SyncLink, _ upload: any CardUpload) async throws {
    var honours = try link.honoursConditions
    var ignored = "as was found before"
    if honours == nil {
      let condition = try await SignOn(upload: upload).ignoredCondition()
      honours = condition == nil
      ignored = condition ?? ignored
      try link.setHonoursConditions(honours)
    }
    guard honours == true else {
      throw FeedError.ignoresConditions(address: download.address, condition: ignored)
    }
  }

  /// Sends a record.
  ///
  /// Where the backend has another version, that is merged and the result sent.
  private func send(
    _ id: UUID, _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws {
    // Others may be quicker for a while.
    for _ in 0..<8 {
      guard let (record, etag) = try link.next(id) else { return }
      do {
        // From here on the backend may have it.
        guard try link.offer(record) else { continue }
        switch try await upload.put(record, replacing: etag) {
        case .stored(let etag, let missing):
          try link.didSend(CardVersion(record: record, etag: etag), missing: missing)
          report.uploaded += 1
          return
        case .conflict(let version?) where version.record.id == id:
          note(try link.receive(version), &report)
        case .conflict:
          try await receive(link, &report)
        }
      } catch FeedError.rejected(let address, let message) {
        let error = FeedError.rejected(address: address, message: message)
        return try link.didRefuse(record, reason: "\(error)")
      }
    }
  }

  /// Sends pictures that the backend lacks, four at a time.
  private func sendPictures(
    _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws {
    var (failure, failures) = (FeedError?.none, 0)
    try await fourAtATime(try link.waitingPictures()) { [store] hash in
      await Result { try await upload.send(hash, from: store) }
    } take: { hash, outcome in
      do {
        guard let wasLacking = try outcome.get() else { return true }
        try link.didSend(hash)
        if wasLacking { report.picturesUploaded += 1 }
        failures = 0
      } catch FeedError.rejected(let address, let message) {
        let error = FeedError.rejected(address: address, message: message)
        try link.didRefuse(hash, reason: "\(error)")
      } catch let error as FeedError where error.mayConcernOne {
        failure = failure ?? error
        failures += 1
      }
      return failures < Self.patience
    }
    if let failure { throw failure }
  }
}

extension CardUpload {
  /// Sends a picture unless it is there; tells whether it wasn't, `nil` where it isn't here any more, or isn't whole.
  fileprivate func send(_ hash: PictureHash, from store: CardStore) async throws -> Bool? {
    if try await hasPicture(hash) { return false }
    guard let data = try store.picture(hash) else { return nil }
    try await putPicture(data, as: hash)
    return true
  }
}
