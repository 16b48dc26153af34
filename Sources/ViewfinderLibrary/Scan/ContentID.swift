import CLibMD
import Foundation

/// Tells whether two files have the same content, without reading large ones whole.
///
/// The first 16 bytes of the SHA-256 of the size, the first and the last 64 KiB. Pictures differ in
/// their headers or their ends; reading more would make a first scan as slow as the disk.
typealias ContentID = UUID

/// The first and the last bytes of a file.
struct FileEnds {
  static let partSize = 64 * 1024

  let head: [UInt8]
  /// What follows the head, or the end of that; empty for a small file.
  let tail: [UInt8]
  private let size: Int

  init(_ file: FileReader) throws(PhotoLibraryError) {
    size = file.size
    head = try file.read(at: 0, count: Self.partSize)
    let rest = Swift.min(size - head.count, Self.partSize)
    tail = try file.read(at: size - rest, count: rest)
  }

  var content: ContentID {
    let size = unsafe withUnsafeBytes(of: UInt64(size).littleEndian) { unsafe [UInt8]($0) }
    return ContentID(hashing: [size, head, tail])
  }

  /// The last bytes, and where in the file they begin.
  var last: (bytes: [UInt8], start: Int) {
    tail.isEmpty ? (head, size - head.count) : (tail, size - tail.count)
  }
}

extension ContentID {
  init(of file: FileReader) throws(PhotoLibraryError) { self = try FileEnds(file).content }

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
