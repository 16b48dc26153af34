import Checksums
import FeedClient
import Foundation
import ViewfinderLibrary

/// How far an export is.
public struct ExportStatus: Codable, Hashable, Sendable {
  /// How many photos were to be looked at.
  public var total = 0
  /// How many of them were.
  public var done = 0
  /// How many were sent.
  public var sent = 0
  /// How many the service had already.
  public var known = 0
  /// The photo that is being sent.
  public var sending: StreamStatus.Transfer?
  /// Why it doesn't go on for the moment.
  public var reason: String?
  /// Photos that the service doesn't take, or that can't be read, with the reasons.
  public var problems: [String] = []

  /// Nothing is known yet.
  public init() {}
}

/// Sends the photos of a library to a service, each once, whatever ends it in between: the next run goes on.
public struct PhotoExport: Sendable {
  private let library: PhotoLibrary
  private let service: any ExportService
  private let folder: URL
  private let board = StatusBoard(ExportStatus())
  /// The first pause after a failure; each further one is twice as long.
  var firstPause = Duration.seconds(1)
  /// How often a photo is tried before the export ends.
  static let tries = 6

  /// Creates an export that does nothing yet.
  ///
  /// - Parameters:
  ///   - library: Whose photos are sent.
  ///   - service: Where they go.
  ///   - folder: Where it is kept what was sent, for this user alone; it is made where it is missing.
  /// - Throws: Why the folder can't be made.
  public init(_ library: PhotoLibrary, to service: any ExportService, folder: URL) throws {
    (self.library, self.service, self.folder) = (library, service, folder)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// How far it is, at once and after each change, the newest only.
  public var statuses: AsyncStream<ExportStatus> { board.watch() }

  /// Sends what the service lacks.
  ///
  /// - Parameter since: Photos that came into the library before aren't sent; `nil`, the default, for all.
  /// - Returns: What was done.
  /// - Throws: Why it ended before all was sent: ``FeedError``, ``ExportError``, a ``PhotoLibraryError``, or that
  ///   another program sends there already.
  public func run(since: Date? = nil) async throws -> ExportStatus {
    let lock = try FolderLock(
      in: folder, named: ExportLedger.name(service.account),
      taken: "Another program sends photos to \(service.address) already.")
    defer { lock.release() }
    let ledger = try ExportLedger(service.account, in: folder)
    let waiting = try await waiting(since: since ?? .distantPast, ledger)
    board.change { $0.total = waiting.count }
    for start in stride(from: 0, to: waiting.count, by: service.batch) {
      let end = min(start + service.batch, waiting.count)
      try await send(waiting[start..<end], ledger)
    }
    return board.status
  }

  /// The photos that weren't sent, as far as is known.
  private func waiting(since: Date, _ ledger: ExportLedger) async throws -> [Asset] {
    let sent = try await ledger.sent()
    var waiting: [Asset] = []
    for try await asset in try await library.album(.all).assets()
    where asset.isWholePhoto && asset.additionDate >= since && !sent.contains(.init(asset)) {
      waiting.append(asset)
    }
    return waiting
  }

  private func send(_ assets: ArraySlice<Asset>, _ ledger: ExportLedger) async throws {
    var photos: [(asset: Asset, photo: ExportPhoto)] = []
    for asset in assets {
      do { photos.append((asset, try await photo(asset))) } catch {
        try Task.checkCancellation()
        didEnd(problem: "\(asset.fileName): \(error)")
      }
    }
    guard !photos.isEmpty else { return }
    var lacking = try await trying { [photos] in try await service.lacking(photos.map(\.photo)) }
    for (asset, photo) in photos {
      // The same photo may be twice in a library.
      let isNew = lacking.contains(photo.name)
      if isNew {
        do { try await trying { try await send(photo, asset) } } catch {
          try Task.checkCancellation()
          guard Self.isAboutOne(error) else { throw error }
          didEnd(problem: "\(asset.fileName): \(error)")
          continue
        }
        lacking.remove(photo.name)
      }
      try await ledger.add(.init(asset), as: photo.name)
      didEnd(isNew: isNew)
    }
  }

  /// Whether an error is about one photo: the service doesn't take it, or it can't be read.
  private static func isAboutOne(_ error: any Error) -> Bool {
    switch error {
    case FeedError.rejected: true
    case is FeedError, is ExportError: false
    default: true
    }
  }

  private func photo(_ asset: Asset) async throws -> ExportPhoto {
    let file = asset.defaultRepresentation
    var sha1 = SHA1()
    let name = try await file.blobName { sha1.update($0) }
    return ExportPhoto(
      name: name, sha1: sha1.digest(), fileName: file.fileName,
      type: file.contentType?.mimeType ?? "application/octet-stream", size: file.size,
      taken: asset.captureDate, modified: asset.modificationDate)
  }

  /// Sends a photo, and asks whether it is there.
  private func send(_ photo: ExportPhoto, _ asset: Asset) async throws {
    let file = asset.defaultRepresentation
    let body = HTTPBody(size: photo.size) { [board] range in
      board.change { status in
        status.sending = .init(name: photo.fileName, done: range.lowerBound, size: photo.size)
      }
      return try await file.data(in: range)
    }
    try await service.put(photo, body)
    guard try await service.lacking([photo]).isEmpty else {
      throw ExportError.notKept(address: service.address)
    }
  }

  /// Does something again after failures that pass.
  private func trying<T>(_ body: () async throws -> T) async throws -> T {
    var pause = Pause(first: firstPause, longest: .seconds(60))
    for _ in 1..<Self.tries {
      do { return try await body() } catch let error as FeedError where error.passes {
        board.change { ($0.reason, $0.sending) = ("\(error)", nil) }
        try await Task.sleep(for: pause.next(atLeast: error.retryAfter))
        board.change { $0.reason = nil }
      }
    }
    return try await body()
  }

  private func didEnd(isNew: Bool) {
    board.change { status in
      status.done += 1
      if isNew { status.sent += 1 } else { status.known += 1 }
      status.sending = nil
    }
  }

  private func didEnd(problem: String) {
    board.change { status in
      status.done += 1
      status.problems.append(problem)
      status.sending = nil
    }
  }
}
