import HTTPTypes
import Hummingbird
import NIOCore
import WebServing

extension Request {
  /// How much of what is too large is read, so that who sends it gets the answer.
  static let patience = 64 << 20

  /// How many bytes the head promises.
  var length: Int { headers[.contentLength].flatMap { Int($0) } ?? 0 }

  /// Reads the body and keeps nothing.
  func drain() async throws {
    for try await _ in body {}
  }

  /// The body, if it is no larger than a limit and comes within half a minute.
  func body(upTo limit: Int) async throws -> ByteBuffer {
    let tooLarge = WebError(.contentTooLarge, "That is more than \(limit) bytes, the most for one.")
    if length > limit + Self.patience { throw tooLarge }
    return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
      group.addTask {
        var (bytes, count) = (ByteBuffer(), 0)
        for try await chunk in body {
          count += chunk.readableBytes
          if count <= limit { bytes.writeImmutableBuffer(chunk) }
          if count > limit + Self.patience { throw tooLarge }
        }
        guard count <= limit else { throw tooLarge }
        return bytes
      }
      group.addTask {
        try await Task.sleep(for: .seconds(30))
        throw WebError(.requestTimeout, "The request came too slowly. Send it again.")
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}
