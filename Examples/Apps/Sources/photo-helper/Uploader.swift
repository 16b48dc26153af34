import AsyncHTTPClient
import BlockingWork
import Checksums
import ErrorWords
import Foundation
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization

/// Uploads a timeline's photos, one after the other, until the server has each.
final class Uploader: Service {
  /// How much is sent at once.
  private static let chunk = 64 << 10
  /// The longest time between two attempts.
  private static let longestPause = Duration.seconds(60)

  /// A server that is away is told of at once, and tried again later; another one gets nothing.
  private static let client = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = .seconds(5)
    return HTTPClient(configuration: configuration)
  }()

  private let timeline: Timeline
  /// The time from a first failure to the next attempt.
  private let firstPause: Duration
  private let target = Mutex<URL?>(nil)
  /// The time until the next attempt, while it runs.
  private let rest = Mutex<Task<Void, Never>?>(nil)

  /// Creates an uploader that sends nothing yet; after a failure it waits for `firstPause`, and then twice as long each
  /// time.
  init(_ timeline: Timeline, firstPause: Duration = .seconds(1)) {
    (self.timeline, self.firstPause) = (timeline, firstPause)
  }

  /// Says where to; nothing is sent before.
  func begin(to url: URL) { target.withLock { $0 = url } }

  /// Tries again at once what couldn't be sent.
  func sendNow() { rest.withLock { $0 }?.cancel() }

  /// Uploads whatever appears, until the server ends.
  func run() async {
    var pause = firstPause
    for await _ in timeline.watch().values.cancelOnGracefulShutdown() {
      while let next = timeline.unsent.first, !Task.isShuttingDownGracefully, !Task.isCancelled {
        do {
          try await upload(next.id)
          pause = firstPause
        } catch {
          let wait = begin(waiting: pause)
          timeline.note(next.id, progress: 0, problem: Self.words(for: error))
          await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
              await wait.value
            } onCancel: {
              wait.cancel()
            }
          } onGracefulShutdown: {
            wait.cancel()
          }
          // Whoever presses the button is there to see what comes of it.
          pause = wait.isCancelled ? firstPause : max(firstPause, min(pause * 2, Self.longestPause))
        }
      }
    }
    try? await Self.client.shutdown()
  }

  /// Begins to wait, before anybody is told that there is something to send.
  private func begin(waiting pause: Duration) -> Task<Void, Never> {
    let wait = Task { () -> Void in try? await Task.sleep(for: pause) }
    rest.withLock { $0 = wait }
    return wait
  }

  private func upload(_ id: String) async throws {
    guard let target = target.withLock({ $0 }) else { throw UploadError.starting }
    let data = try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try timeline.photo(id)
    }
    var request = HTTPClientRequest(url: target.appending(component: "\(id).jpg").absoluteString)
    request.method = .PUT
    request.headers.add(name: "Content-Type", value: "image/jpeg")
    request.body = .stream(chunks(of: data, id), length: .known(Int64(data.count)))
    let answer = try await Self.client.execute(request, timeout: .seconds(60))
    _ = try await answer.body.collect(upTo: 1 << 16)
    guard (200..<300).contains(answer.status.code) else {
      throw UploadError.refused(answer.status.code)
    }
    // A network that wants people to sign in answers anything with a page.
    let digest = ReprDigest.field(of: data)
    guard answer.headers[ReprDigest.name].contains(where: { ReprDigest.says(digest, in: $0) })
    else { throw UploadError.unconfirmed }
    try timeline.didSend(id)
  }

  private func chunks(of data: Data, _ id: String) -> AsyncStream<ByteBuffer> {
    let position = Mutex(0)
    return AsyncStream { [timeline] in
      let start = position.withLock { position in
        defer { position += Self.chunk }
        return position
      }
      guard start < data.count else { return nil }
      timeline.note(id, progress: Double(start) / Double(data.count))
      return ByteBuffer(bytes: data[start..<min(start + Self.chunk, data.count)])
    }
  }

  private static func words(for error: any Error) -> ErrorWords {
    switch error {
    case let error as UploadError: ErrorWords(error)
    case let error as CocoaError:
      ErrorWords("The photo can't be read: \(error). It is tried again.", Coded("uploadUnread"))
    default:
      ErrorWords(
        "The server can't be reached (\(error)). It is tried again.", Coded("uploadUnreachable"))
    }
  }
}

/// Why a photo isn't uploaded yet.
enum UploadError: CodedError {
  /// It isn't known yet where to.
  case starting
  /// The server answers with another status.
  case refused(UInt)
  /// The answer doesn't say that the photo arrived.
  case unconfirmed

  var description: String {
    switch self {
    case .starting: "The server starts."
    case .refused(let status): "The server answered \(status). It is tried again."
    case .unconfirmed:
      "The answer doesn't say that the photo arrived whole (Repr-Digest). If your network wants you to sign in, open a "
        + "page in a browser. It is tried again."
    }
  }

  var coded: Coded? {
    switch self {
    case .starting: Coded("uploadStarts")
    case .refused(let status): Coded("uploadRefused", ["status": "\(status)"])
    case .unconfirmed: Coded("uploadUnconfirmed")
    }
  }
}
