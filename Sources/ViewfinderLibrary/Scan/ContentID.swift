import CLibMD
import Foundation

/// Tells whether two files have the same content, without reading large ones whole.
///
/// The first 16 bytes of the SHA-256 of the size, the first and the last 64 KiB. Pictures differ in
/// their headers or their ends; reading more would make a first scan as slow as the disk.
typealias ContentID = UUID

extension ContentID {
  static let partSize = 64 * 1024

  init(of file: FileReader) throws(PhotoLibraryError) {
    let head = try file.read(at: 0, count: Self.partSize)
    let rest = file.size - head.count
    let tail = try file.read(
      at: file.size - Swift.min(rest, Self.partSize), count: Swift.min(rest, Self.partSize))
    let size = unsafe withUnsafeBytes(of: UInt64(file.size).littleEndian) { unsafe [UInt8]($0) }
    self.init(hashing: [size, head, tail])
  }

  init(hashing parts: [[UInt8]]) {
    var context = SHA2_CTX()
    unsafe SHA256Init(&context)
    for part in parts {
      unsafe part.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe SHA256Update(&context, start.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe SHA256Final(&digest, &context)
    self = unsafe digest.withUnsafeBytes { unsafe ContentID(uuid: $0.load(as: uuid_t.self)) }
  }

  /// The identifier for a file with this content.
  ///
  /// It follows from the content, so that an index that was lost comes back with the same ones.
  /// Copies of a file have numbers: `copy` is 0 for the first.
  func fileID(copy: Int) -> UUID {
    let content = unsafe withUnsafeBytes(of: uuid) { unsafe [UInt8]($0) }
    return UUID(hashing: [Array("viewfinder file".utf8), content, Array("\(copy)".utf8)])
  }
}
