import Checksums
import ErrorWords
import FeedClient
import Foundation
import ViewfinderLibrary

extension PhotoStream {
  /// Waits until the library may have new photos, and sends what waits.
  func send(_ ledger: StreamLedger) async throws {
    try await kick.answer {
      try await scan(ledger)
      try await sendWaiting(ledger)
    }
  }

  // MARK: Looking for photos

  /// How much earlier than the last look a photo may be dated that it missed, in seconds.
  private static let overlap = 3600.0

  /// Finds what has come into the library since the stream was joined.
  private func scan(_ ledger: StreamLedger) async throws {
    let begin = Date.now
    let last = try await ledger.scanned().map { $0 - Self.overlap }
    let since = max(settings.since, last ?? .distantPast)
    let recents = try await library.album(.recents).assets()
    var number = 0
    while case let page = try await recents.page(number), !page.isEmpty {
      for asset in page
      where asset.additionDate >= since && asset.isWholePhoto && isChosen(asset) {
        try Task.checkCancellation()
        guard try await !ledger.knows(asset.id) else { continue }
        if let offer = try await offer(asset) { try await ledger.offer(offer) }
      }
      if page.last.map({ $0.additionDate < since }) != false { break }
      number += 1
    }
    try await ledger.setScanned(begin)
    try await tell(ledger)
  }

  /// Whether an asset is of the camera whose photos are sent.
  private func isChosen(_ asset: Asset) -> Bool {
    settings.camera.map { $0 == asset.camera } ?? true
  }

  /// Hashes what is shown of an asset; `nil` where that isn't there any more.
  func offer(_ asset: Asset) async throws -> StreamLedger.Offer? {
    let file = asset.defaultRepresentation
    guard let name = try? await file.blobName() else { return nil }
    let photo = StreamPhoto(
      name: name, device: settings.device, fileName: file.fileName,
      type: file.contentType?.mimeType ?? "application/octet-stream", size: file.size,
      taken: asset.captureDate?.instant)
    return StreamLedger.Offer(photo: photo, asset: asset.id)
  }

  // MARK: Sending

  private func sendWaiting(_ ledger: StreamLedger) async throws {
    var failure: FeedError?
    let waiting = try await ledger.photos(.waiting)
    try forgetCopies(but: waiting)
    for offer in waiting {
      try Task.checkCancellation()
      do {
        if let (offer, asset) = try await chosen(offer, ledger) {
          try await send(offer, of: asset, ledger)
        }
      } catch let error as FeedError {
        guard error.mayConcernOne else { throw error }
        failure = failure ?? error
      }
      board.change { $0.sending = nil }
      try await tell(ledger)
    }
    if let failure { throw failure }
  }

  /// What is to be sent of what waits: a photo of the chosen camera, or a copy of it; `nil` for nothing any more.
  private func chosen(
    _ offer: StreamLedger.Offer, _ ledger: StreamLedger
  ) async throws -> (StreamLedger.Offer, Asset)? {
    let name = offer.photo.name
    guard let asset = try await library.asset(id: offer.asset), offer.isAsked || isChosen(asset)
    else {
      try await ledger.forget(name)
      return nil
    }
    do {
      guard let copy = try await copy(of: asset, for: offer), copy.photo.name != name else {
        return (offer, asset)
      }
      return try await ledger.replace(name, by: copy) ? (copy, asset) : nil
    } catch let error as PlaceStays {
      try await ledger.set(.refused, name, reason: ErrorWords(error))
    } catch is PhotoLibraryError {
      try await ledger.forget(name)
    }
    return nil
  }

  /// Sends a photo, and notes why where the server doesn't take it.
  private func send(
    _ offer: StreamLedger.Offer, of asset: Asset, _ ledger: StreamLedger
  ) async throws {
    do {
      try await exchange(offer, of: asset, ledger)
    } catch FeedError.rejected(let address, let message) {
      let error = FeedError.rejected(address: address, message: message)
      try await ledger.set(.refused, offer.photo.name, reason: ErrorWords(error))
    }
    forgetCopy(offer.photo.name)
  }

  /// Sends a photo: its preview and its file, then its record, so that who hears of it can have them.
  private func exchange(
    _ offer: StreamLedger.Offer, of asset: Asset, _ ledger: StreamLedger
  ) async throws {
    var photo = offer.photo
    photo.preview = try await sendPreview(of: asset, for: offer)
    guard try await upload(offer, of: asset) else { return try await ledger.forget(photo.name) }
    switch try await client.put(StreamRecord(photo).json, id: photo.id, replacing: nil) {
    case .stored(let etag, _):
      try await ledger.didSend(photo.name, etag: etag)
      board.change { $0.sent += 1 }
    case .conflict(let entry?):
      // Another device has sent it, or somebody took it out of the stream, which is for good.
      let isThere = StreamRecord(entry.json)?.photo != nil
      try await ledger.set(isThere ? .here : .gone, photo.name, etag: isThere ? entry.etag : nil)
    case .conflict(nil): break
    }
  }

  /// Sends a photo's file, or its copy; `false` where it isn't what it was.
  private func upload(_ offer: StreamLedger.Offer, of asset: Asset) async throws -> Bool {
    let (photo, copy) = (offer.photo, keptCopy(offer.photo.name))
    let file = asset.defaultRepresentation
    guard copy?.count ?? file.size == photo.size else { return false }
    do {
      board.sends(photo, done: 0)
      try await client.upload(size: photo.size, as: photo.name) { [board] done in
        board.sends(photo, done: done)
      } read: { range in
        if range.isEmpty { return Data() }
        return if let copy { copy.subdata(in: range) } else { try await file.data(in: range) }
      }
      return true
    } catch is PhotoLibraryError {
      return false
    }
  }

  // MARK: Now and then

  /// Waits until the stream is to be looked through, and does that.
  func tidy(_ ledger: StreamLedger) async throws {
    try await tidying.answer { try await lookThrough(ledger) }
  }

  /// Takes out what the stream has for too long, sends again what others lack, and tries again what was refused.
  private func lookThrough(_ ledger: StreamLedger) async throws {
    try await ledger.forgetRefusals()
    for name in try await client.missing() {
      guard let offer = try await ledger.photo(name),
        let asset = try await library.asset(id: offer.asset)
      else { continue }
      // A copy without the place can be made once more, the same.
      let copy = settings.leavesPlaceOut ? try? await copy(of: asset, for: offer) : nil
      _ = try await upload(offer, of: asset)
      if let copy { forgetCopy(copy.photo.name) }
      board.change { $0.sending = nil }
      try await tell(ledger)
    }
    let time = try await client.changes(since: try await ledger.cursor(), limit: 1).time
    let retention = try await settings.retention()
    let oldest = retention.days.flatMap { days in time.map { $0 - TimeInterval(days) * 86_400 } }
    while case let surplus = try await ledger.surplus(beyond: retention.photos, before: oldest),
      !surplus.isEmpty
    {
      for (name, etag) in surplus {
        let json = try StreamRecord(deleted: name).json
        // Where another device was quicker, there is nothing to do.
        _ = try await client.put(json, id: StreamPhoto.id(of: name), replacing: etag)
        try await ledger.didRemove(name)
      }
    }
  }
}
