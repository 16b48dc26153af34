import Checksums
import Foundation
import ViewfinderLibrary

extension Asset {
  /// Whether it is a photo, a whole one.
  var isWholePhoto: Bool {
    (mediaType == .image || mediaType == .rawImage) && !isRemoved && !isIncomplete && error == nil
  }
}

extension AssetRepresentation {
  /// The SHA-256 of the file.
  ///
  /// - Parameter others: Gets the bytes, too.
  /// - Returns: What the file is called by.
  /// - Throws: Why it can't be read.
  func blobName(_ others: (UnsafeRawBufferPointer) -> Void = { _ in }) async throws -> BlobName {
    var (hash, offset) = (SHA256(), 0)
    while offset < size {
      let data = try await data(in: offset..<min(offset + (1 << 20), size))
      guard !data.isEmpty else { throw POSIXError(.EIO) }
      data.withUnsafeBytes { bytes in
        hash.update(bytes)
        others(bytes)
      }
      offset += data.count
    }
    return BlobName(digest: hash.digest())
  }
}
