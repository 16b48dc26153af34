import CHashes
import Foundation

/// The SHA-256 of bytes (FIPS 180-4), with libmd.
public struct SHA256: Sendable {
  private var context = SHA2_CTX()

  /// Begins without bytes.
  public init() { SHA256Init(&context) }

  /// Adds bytes.
  ///
  /// - Parameter bytes: The bytes that come next.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
  }

  /// Ends.
  ///
  /// - Returns: 32 bytes.
  public consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256Final(&digest, &context)
    return digest
  }

  /// Hashes bytes.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: 32 bytes.
  public static func hash(data: Data) -> [UInt8] {
    var hash = SHA256()
    data.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }
}
