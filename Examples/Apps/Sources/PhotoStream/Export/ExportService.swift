import Checksums
import FeedClient
import Foundation
import ViewfinderLibrary

/// A photo that goes to a service.
public struct ExportPhoto: Hashable, Sendable {
  /// The SHA-256 of its file.
  public var name: BlobName
  /// The SHA-1 of its file: 20 bytes.
  public var sha1: [UInt8]
  /// The name of its file in the library.
  public var fileName: String
  /// Its media type.
  public var type: String
  /// The size of its file, in bytes.
  public var size: Int
  /// When it was taken, if that is known.
  public var taken: CaptureDate?
  /// When its file was changed last.
  public var modified: Date

  /// Creates a photo.
  public init(
    name: BlobName, sha1: [UInt8], fileName: String, type: String, size: Int, taken: CaptureDate?,
    modified: Date
  ) {
    (self.name, self.sha1, self.fileName, self.type) = (name, sha1, fileName, type)
    (self.size, self.taken, self.modified) = (size, taken, modified)
  }
}

/// Where photos can be sent, and nothing comes from.
public protocol ExportService: Sendable {
  /// Where it is, for the person; without secrets.
  var address: String { get }
  /// Names whose photos go where: what was sent under one name counts for no other.
  var account: String { get }
  /// How many photos to ask for at once.
  var batch: Int { get }

  /// Asks which photos the service doesn't have. Only what this says counts as sent.
  ///
  /// - Parameter photos: Photos, ``batch`` at most.
  /// - Returns: The names of those that it lacks.
  /// - Throws: ``FeedError``, ``ExportError``.
  func lacking(_ photos: [ExportPhoto]) async throws -> Set<BlobName>

  /// Sends a photo; a second time does no harm.
  ///
  /// - Parameters:
  ///   - photo: What it is.
  ///   - file: Its bytes.
  /// - Throws: ``FeedError``, ``ExportError``, and what reading the file throws.
  func put(_ photo: ExportPhoto, _ file: HTTPBody) async throws
}

/// Why photos can't be sent to a service, in words that say what to do.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The service doesn't know who sends, or doesn't let them; `secret` is what it doesn't take.
  case notAllowed(address: String, secret: String)
  /// There is no such service at the address.
  case notThere(address: String, service: String)
  /// The service took a photo and doesn't have it.
  case notKept(address: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notAllowed(let address, let secret): "\(address) doesn't take \(secret)."
    case .notThere(let address, let service):
      "There is no \(service) at \(address). Check the address."
    case .notKept(let address): "\(address) took the photo, but says that it doesn't have it."
    }
  }
}
