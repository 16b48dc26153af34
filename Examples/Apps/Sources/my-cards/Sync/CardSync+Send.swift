import CardModel
import CardStore
import FeedClient
import Foundation

extension CardSync {
  /// How many records in a row may fail before the others aren't tried any more.
  private static let patience = 8

  /// Sends what waits; returns whether anything was.
  ///
  /// What the backend has no room for, or takes too long with, keeps no other record from it.
  func send(
    _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws -> Bool {
    let waiting = try link.waiting()
    guard !waiting.isEmpty else { return false }
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

  /// Sends a record, its pictures first.
  ///
  /// Where the backend has another version, that is merged and the result sent.
  private func send(
    _ id: UUID, _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws {
    // Others may be quicker for a while.
    for _ in 0..<8 {
      guard let (record, etag) = try link.next(id) else { return }
      do {
        try await sendPictures(of: record, link, upload, &report)
        // From here on the backend may have it.
        guard try link.offer(record) else { continue }
        switch try await upload.put(record, replacing: etag) {
        case .stored(let etag):
          try link.didSend(CardVersion(record: record, etag: etag))
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
      } catch let error as CardStoreError where error.isAboutPicture {
        return try link.didRefuse(record, reason: "\(error)")
      }
    }
  }

  private func sendPictures(
    of record: CardRecord, _ link: SyncLink, _ upload: any CardUpload, _ report: inout SyncReport
  ) async throws {
    for hash in record.pictures.sorted(by: { $0.text < $1.text }) where try !link.hasSent(hash) {
      guard let data = try store.picture(hash) else {
        // It was missing already when the record came.
        if try link.wantedPictures().contains(hash) { continue }
        throw CardStoreError.missingPicture(hash)
      }
      if try await !upload.hasPicture(hash) {
        try await upload.putPicture(data, as: hash)
        report.picturesUploaded += 1
      }
      try link.didSend(hash)
    }
  }
}

extension CardStoreError {
  fileprivate var isAboutPicture: Bool { if case .missingPicture = self { true } else { false } }
}
