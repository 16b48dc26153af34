import CHashes
import Foundation

/// The SHA-1 of bytes (FIPS 180-4), with libmd: a name that some services have for a photo, no proof of anything.
public struct SHA1: Sendable {
  private var context = SHA1_CTX()

  /// Begins without bytes.
  public init() { SHA1Init(&context) }

  /// Adds bytes.
  ///
  /// - Parameter bytes: The bytes that come next.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA1Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
  }

  /// Ends.
  ///
  /// - Returns: 20 bytes.
  public consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    SHA1Final(&digest, &context)
    return digest
  }
}
