import ErrorWords
import FeedClient
import Foundation
import PhotoStream
import Synchronization
import WebServing

/// Joins a photo stream, keeps it going while the library is open, and leaves it.
final class StreamMembership: Sendable {
  private let library: NavigatorLibrary
  private let folder: URL
  private let settings: StatusBoard<StreamSettings?>
  /// Held from the reading of the settings until they are kept, so that no change is lost to another.
  private let keeping = Mutex(())
  private let isOpen = Mutex(false)
  private let running = Mutex<PhotoStream?>(nil)

  /// Takes up a stream that was joined before.
  ///
  /// - Parameters:
  ///   - library: Where photos come from and go.
  ///   - folder: Where settings and what is known of the stream are kept.
  init(_ library: NavigatorLibrary, folder: URL) {
    self.library = library
    self.folder = folder
    settings = StatusBoard(StreamSettings(in: folder))
  }

  // MARK: Joining

  /// Joins a stream, if its server knows the token.
  ///
  /// - Parameters:
  ///   - address: Where the server is.
  ///   - token: What the server knows the device by.
  ///   - fetchesAll: Whether photos come by themselves; otherwise their previews do.
  /// - Throws: ``WebError`` with what to do.
  func join(_ address: String, token: String, fetchesAll: Bool) async throws {
    guard let url = URL(string: address.trimmingCharacters(in: .whitespaces)),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
    else {
      throw WebError(
        .badRequest,
        "The server's address begins with http:// or https://, such as http://192.168.1.5:8090.",
        code: "noServerAddress")
    }
    let token = token.trimmingCharacters(in: .whitespacesAndNewlines)
    guard AccessToken(token) != nil else {
      throw WebError(
        .badRequest, "That isn't a token. Enter the one that the server's keeper gave you.",
        code: "noToken")
    }
    let new = StreamSettings(url: url, token: token, fetchesAll: fetchesAll)
    do {
      _ = try await FeedClient(url: url, token: token, feed: "photos").account()
      try keeping.withLock { _ in
        try new.keep(in: folder)
        settings.change { $0 = new }
      }
    } catch let error as FeedError {
      throw WebError(.badRequest, ErrorWords(error))
    } catch let error as POSIXError {
      let reason = String(cString: strerror(error.code.rawValue))
      throw WebError(
        .serviceUnavailable,
        "The stream can't be joined: \(folder.path) can't be written (\(reason)).",
        code: "notJoined", values: ["path": folder.path, "reason": reason])
    }
  }

  /// Leaves the stream: photos stay where they are.
  func leave() throws {
    try keeping.withLock { _ in
      try StreamSettings.forget(in: folder)
      settings.change { $0 = nil }
    }
  }

  /// Changes what is sent, and what comes by itself.
  func change(_ body: (inout StreamSettings) -> Void) throws {
    try keeping.withLock { _ in
      guard var new = settings.status else { throw Self.isOff }
      body(&new)
      try new.keep(in: folder)
      settings.change { [new] in $0 = new }
    }
  }

  /// The cameras of which the library has photos.
  func cameras() async throws -> [String] { try await library.opened().cameras().map(\.name) }

  // MARK: How long

  /// How long the stream has its photos.
  func retention() async throws -> StreamRetention {
    guard let joined = settings.status else { throw Self.isOff }
    return try await joined.retention()
  }

  /// Chooses how long the stream has its photos, for all devices.
  func setRetention(_ retention: StreamRetention) async throws {
    guard let joined = settings.status else { throw Self.isOff }
    guard retention.isPossible else {
      throw WebError(.badRequest, "A stream has photos for a day, and one photo, at least.")
    }
    do { try await joined.setRetention(retention) } catch let error as FeedError {
      throw WebError(.serviceUnavailable, ErrorWords(error))
    }
    running.withLock { $0 }?.tidySoon()
  }

  // MARK: Devices

  /// The person's devices, as the server has them.
  func devices() async throws -> [FeedClient.Device] { try await client().devices() }

  /// Lets a device in no more; what it has stays there.
  func removeDevice(_ id: String) async throws {
    do { try await client().removeDevice(id) } catch let error as FeedError {
      throw WebError(.serviceUnavailable, ErrorWords(error))
    }
  }

  private func client() throws -> FeedClient {
    guard let joined = settings.status else { throw Self.isOff }
    return FeedClient(url: joined.url, token: joined.token, feed: "photos")
  }

  private static let isOff = WebError(
    .conflict, "The photo stream is off. Switch it on first.", code: "streamOff")

  /// What a page shows of it.
  var report: StreamReport { StreamReport(settings.status, library.state.stream) }

  /// The stream.
  ///
  /// - Throws: ``WebError`` where none runs.
  func stream() throws -> PhotoStream {
    guard let stream = running.withLock({ $0 }) else {
      throw WebError(
        .conflict, "The photo stream doesn't run. Join one, or try again in a moment.",
        code: "streamRests")
    }
    return stream
  }

  // MARK: Running

  /// How often what goes on is told at most.
  private static let rest = Duration.milliseconds(200)

  /// Keeps the stream going until the task is cancelled.
  func run() async {
    let (steps, step) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await _ in self.settings.watch() { step.yield() }
      }
      group.addTask {
        for await state in self.library.watch().values {
          let open = state.access == .open
          let isNew = self.isOpen.withLock { was in
            defer { was = open }
            return was != open
          }
          if isNew { step.yield() }
        }
      }
      group.addTask {
        var running: Task<Void, Never>?
        for await _ in steps {
          running?.cancel()
          await running?.value
          let settings = self.settings.status
          guard self.isOpen.withLock({ $0 }), let settings else {
            self.library.change { $0.stream = nil }
            continue
          }
          running = Task { await self.run(settings) }
        }
        running?.cancel()
      }
    }
  }

  private func run(_ settings: StreamSettings) async {
    do {
      let stream = try PhotoStream(try library.opened(), settings, folder: folder)
      running.withLock { $0 = stream }
      defer { running.withLock { $0 = nil } }
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await status in stream.statuses {
            self.library.change { $0.stream = status }
            try? await Task.sleep(for: Self.rest)
          }
        }
        await stream.run()
        group.cancelAll()
      }
    } catch {
      var status = StreamStatus()
      (status.phase, status.reason) = (.refused, ErrorWords(error))
      library.change { $0.stream = status }
    }
  }
}
