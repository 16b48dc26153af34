import CSHA2
import Foundation

/// The SHA-256 of bytes (FIPS 180-4), with libmd.
public enum SHA256 {
  /// Hashes bytes.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: 32 bytes.
  public static func hash(data: Data) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256Init(&context)
    data.withUnsafeBytes { bytes in
      SHA256Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    SHA256Final(&digest, &context)
    return digest
  }
}
