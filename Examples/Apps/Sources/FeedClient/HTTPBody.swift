import Foundation
import NIOCore

/// What a request sends, read part by part as it goes, so that no large file is in memory.
public struct HTTPBody: Sendable {
  /// Reads bytes, from 0 on.
  public typealias Read = @Sendable (Range<Int>) async throws -> Data

  fileprivate struct Piece: Sendable {
    var size: Int
    var read: Read
  }

  fileprivate var pieces: [Piece]

  /// Its size, in bytes.
  public var size: Int { pieces.reduce(0) { $0 + $1.size } }

  /// Creates a body of bytes.
  ///
  /// - Parameter data: The bytes.
  public init(_ data: Data) {
    pieces = [Piece(size: data.count) { data.dropFirst($0.lowerBound).prefix($0.count) }]
  }

  /// Creates a body that is read, more than once where the request is sent on.
  ///
  /// - Parameters:
  ///   - size: Its size, in bytes.
  ///   - read: Reads a part of it.
  public init(size: Int, read: @escaping Read) { pieces = [Piece(size: size, read: read)] }

  /// Joins bodies.
  ///
  /// - Parameter bodies: The bodies, in their order.
  public init(joining bodies: [HTTPBody]) { pieces = bodies.flatMap(\.pieces) }
}

extension HTTPBody {
  /// Reads some of it.
  ///
  /// - Parameter range: Which bytes.
  /// - Returns: The bytes.
  /// - Throws: What reading them throws.
  public func data(in range: Range<Int>) async throws -> Data {
    var (data, start) = (Data(), 0)
    for piece in pieces {
      let part = range.clamped(to: start..<start + piece.size)
      if !part.isEmpty {
        data += try await piece.read(part.lowerBound - start..<part.upperBound - start)
      }
      start += piece.size
    }
    // A file that has become shorter.
    guard data.count == range.count else { throw POSIXError(.EIO) }
    return data
  }
}

/// A body in parts, each asked for when the one before has gone.
struct BodyParts: AsyncSequence, Sendable {
  let body: HTTPBody
  let progress: TransferProgress

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var rest: ArraySlice<HTTPBody.Piece>
    fileprivate var offset = 0
    let progress: TransferProgress

    mutating func next() async throws -> ByteBuffer? {
      while let piece = rest.first {
        guard offset < piece.size else {
          (rest, offset) = (rest.dropFirst(), 0)
          continue
        }
        let end = Swift.min(offset + (64 << 10), piece.size)
        let part: Data
        do { part = try await piece.read(offset..<end) } catch { throw CallerError(cause: error) }
        // A file that has become shorter.
        guard part.count == end - offset else { throw CallerError(cause: POSIXError(.EIO)) }
        offset = end
        progress.add(part.count)
        return ByteBuffer(bytes: part)
      }
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: body.pieces[...], progress: progress) }
}

/// What was thrown by who asks, which isn't the connection's fault.
struct CallerError: Error {
  var cause: any Error
}
