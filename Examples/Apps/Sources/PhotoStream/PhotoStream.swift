import Checksums
import ErrorWords
import FeedClient
import Foundation
import GRDB
import Synchronization
import ViewfinderLibrary

/// Keeps the photos of a person's devices in one another's libraries: what comes into this one is sent, what others
/// send comes into an album.
///
/// The stream has each photo for 30 days, and 1,000 at most, or as ``StreamRetention`` says. What leaves the stream stays
/// in the libraries, and what a person deletes in a library stays in the stream: the other devices keep it.
///
/// ```swift
/// let stream = try PhotoStream(library, settings, folder: folder)
/// async let ended: Void = stream.run()
/// for await status in stream.statuses { show(status) }
/// ```
public final class PhotoStream: Sendable {
  /// What the album is called into which photos come.
  public static let albumName = "My Photo Stream"

  /// Where photos come from and go.
  public let library: PhotoLibrary
  let settings: StreamSettings
  let folder: URL
  let client: FeedClient
  let board = StatusBoard(StreamStatus())
  /// What is known of the stream while it runs.
  private let joined = Mutex<StreamLedger?>(nil)
  /// Rings when photos may be wanted.
  let news = Bell()
  /// Rings when photos may have to be sent.
  let kick = Bell()
  /// Rings when what is in the stream is to be looked through.
  let tidying = Bell()

  /// Creates a stream that does nothing yet.
  ///
  /// - Parameters:
  ///   - library: Where photos come from and go.
  ///   - settings: Which stream it is.
  ///   - folder: Where the stream keeps what it knows, for this user alone; it is made where it is missing.
  /// - Throws: Why the folder can't be made.
  public init(_ library: PhotoLibrary, _ settings: StreamSettings, folder: URL) throws {
    self.library = library
    self.settings = settings
    self.folder = folder
    client = settings.client
    for name in ["incoming", "outgoing", "previews"] {
      try FileManager.default.createDirectory(
        at: folder.appending(component: name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
  }

  /// How far it is.
  public var status: StreamStatus { board.status }

  /// How far it is, at once and after each change, the newest only.
  public var statuses: AsyncStream<StreamStatus> { board.watch() }

  /// Sends and receives until the task is cancelled; after failures later and later.
  public func run() async {
    guard let lock = await lock() else { return }
    defer { lock.release() }
    guard let ledger = await join() else { return }
    joined.withLock { $0 = ledger }
    defer { joined.withLock { $0 = nil } }
    // From before the first look on, so that no photo comes in between.
    let changes = library.changes
    await withDiscardingTaskGroup { group in
      group.addTask { await self.repeating { try await self.receive(ledger) } }
      group.addTask {
        // What was wanted when the program ended.
        self.news.ring()
        await self.repeating { try await self.fetch(ledger) }
      }
      group.addTask { for await _ in changes { self.kick.ring() } }
      group.addTask {
        // What another program offered, or asked for.
        while (try? await Task.sleep(for: Self.look)) != nil {
          self.kick.ring()
          self.news.ring()
        }
      }
      group.addTask {
        self.kick.ring()
        await self.repeating { try await self.send(ledger) }
      }
      group.addTask {
        // What is new comes first.
        var pause = Duration.seconds(10)
        while (try? await Task.sleep(for: pause)) != nil {
          self.tidying.ring()
          pause = Self.tidyPause
        }
      }
      group.addTask { await self.repeating { try await self.tidy(ledger) } }
    }
  }

  /// How often to look for photos while nothing changes.
  private static let look = Duration.seconds(30)

  /// How often what is in the stream is looked through.
  private static let tidyPause = Duration.seconds(3600)

  /// Takes out soon what the stream has for too long: how long that is was changed.
  public func tidySoon() { tidying.ring() }

  /// Waits until no other program keeps this stream: two would save each photo twice; `nil` when the task was cancelled.
  private func lock() async -> FolderLock? {
    var lock: FolderLock?
    await repeating {
      lock = try FolderLock(
        in: self.folder, named: "photo-stream",
        taken: "Another program keeps this stream already. This one goes on when that one ends.")
      throw CancellationError()
    }
    return lock
  }

  /// Learns whose the stream is; `nil` when the task was cancelled.
  private func join() async -> StreamLedger? {
    var ledger: StreamLedger?
    await repeating {
      let account = try await self.client.account()
      ledger = try StreamLedger(account, in: self.folder)
      self.board.change { $0.person = account.person.name }
      throw CancellationError()
    }
    return ledger
  }

  /// What is known of the stream; of one that doesn't run the server is asked whose it is.
  func ledger() async throws -> StreamLedger {
    if let ledger = joined.withLock({ $0 }) { return ledger }
    return try StreamLedger(try await client.account(), in: folder)
  }

  /// The longest pause after failures.
  private static let longestPause = Duration.seconds(300)

  /// Does something again and again until the task is cancelled, or it says so; after failures later and later.
  private func repeating(_ body: () async throws -> Void) async {
    var pause = Pause(first: .seconds(1), longest: Self.longestPause)
    while !Task.isCancelled {
      do {
        try await body()
        pause.reset()
      } catch is CancellationError {
        return
      } catch {
        let failure = error as? FeedError
        board.change { status in
          status.phase = failure?.needsPerson == true ? .refused : .waiting
          (status.reason, status.sending, status.fetching) = (Self.words(for: error), nil, nil)
        }
        try? await Task.sleep(for: pause.next(atLeast: failure?.retryAfter))
      }
    }
  }

  private static func words(for error: any Error) -> ErrorWords {
    let code = (error as? POSIXError)?.code
    let isFull =
      code == .ENOSPC || code == .EDQUOT || (error as? CocoaError)?.code == .fileWriteOutOfSpace
      || (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    if isFull {
      return ErrorWords(
        "The disk is full. Free some space: nothing is lost, and it goes on by itself.",
        Coded("streamDiskFull"))
    }
    return ErrorWords(error)
  }

  /// What is known without an exchange.
  ///
  /// - Returns: Whose stream it is, and how much waits.
  /// - Throws: ``FeedError``, or the ledger's error.
  public func overview() async throws -> StreamStatus {
    let account = try await client.account()
    let counts = try await StreamLedger(account, in: folder).counts(all: settings.fetchesAll)
    var status = StreamStatus()
    counts.show(in: &status)
    status.person = account.person.name
    return status
  }

  /// Sends photos that were in the library before the stream was joined, too.
  ///
  /// - Parameter assets: The photos, of any camera; others than photos are passed over. They are sent when the stream runs.
  /// - Returns: How many are offered.
  /// - Throws: ``FeedError``, or the ledger's error.
  public func offer(_ assets: [Asset]) async throws -> Int {
    let ledger = try StreamLedger(try await client.account(), in: folder)
    var count = 0
    for asset in assets where asset.isWholePhoto {
      guard var offer = try await offer(asset) else { continue }
      offer.isAsked = true
      try await ledger.offer(offer)
      count += 1
    }
    return count
  }

  /// Tells how much waits; all is done when what is on its way has been counted, too.
  func tell(_ ledger: StreamLedger) async throws {
    let counts = try await ledger.counts(all: settings.fetchesAll)
    board.change { status in
      counts.show(in: &status)
      status.reason = nil
    }
  }
}
