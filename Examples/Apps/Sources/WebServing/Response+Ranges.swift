import Foundation
import HTTPTypes
import Hummingbird

extension Response {
  /// How much is read and sent at once, in bytes.
  private static let chunk = 256 << 10

  /// A file's bytes, or the range of them that the visitor asks for (RFC 9110, section 14).
  ///
  /// Videos are played this way: a player that jumps asks for what follows there. One range is served; who asks for
  /// several gets all.
  ///
  /// - Parameters:
  ///   - count: The file's size, in bytes.
  ///   - type: Its media type.
  ///   - request: The request.
  ///   - read: Reads bytes; called again and again, never for more than 256 KiB.
  /// - Returns: The answer: all, a part, or that there is no such part.
  public static func bytes(
    count: Int, type: String, for request: Request,
    read: @escaping @Sendable (Range<Int>) async throws -> Data
  ) -> Response {
    var headers: HTTPFields = [
      .contentType: type, .cacheControl: "no-store", .acceptRanges: "bytes",
    ]
    var (status, range) = (HTTPResponse.Status.ok, 0..<count)
    // Without a validator of ours, a condition can't hold.
    if let field = request.headers[.range], request.headers[.ifRange] == nil,
      let wanted = ByteRange(field)
    {
      guard let part = wanted.part(of: count) else {
        headers[.contentRange] = "bytes */\(count)"
        return Response(status: .rangeNotSatisfiable, headers: headers)
      }
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
      (status, range) = (.partialContent, part)
    }
    let body = ResponseBody(contentLength: range.count) { [range] writer in
      var start = range.lowerBound
      while start < range.upperBound {
        let data = try await read(start..<min(start + chunk, range.upperBound))
        // A file that became shorter ends the connection: the length is promised.
        guard !data.isEmpty else {
          throw WebError(.gone, "The file has changed. Try again.", code: "fileChanged")
        }
        try await writer.write(ByteBuffer(bytes: data))
        start += data.count
      }
      try await writer.finish(nil)
    }
    return Response(status: status, headers: headers, body: body)
  }
}

/// A range as a request has it: `bytes=0-99`, `bytes=100-` or `bytes=-100`.
struct ByteRange: Hashable {
  private var first: Int?
  private var last: Int?

  /// Reads the field; `nil` for several ranges, other units and what isn't understood, which don't count.
  init?(_ field: String) {
    guard let match = field.wholeMatch(of: /bytes=([0-9]{0,18})-([0-9]{0,18})/) else {
      return nil
    }
    (first, last) = (Int(match.1), Int(match.2))
    if first == nil, last == nil { return nil }
    if let first, let last, last < first { return nil }
  }

  /// The part of so many bytes; `nil` when it lies behind them.
  func part(of count: Int) -> Range<Int>? {
    let part: Range<Int>
    if let first {
      guard first < count else { return nil }
      part = first..<min(last.map { $0 + 1 } ?? count, count)
    } else {
      part = max(count - (last ?? 0), 0)..<count
    }
    return part.isEmpty ? nil : part
  }
}
