package import Foundation

/// A file's bytes, which may lie in several places.
package protocol FileContent: Sendable {
  /// Lends the pieces, in the file's order, to `body`: a handful, few enough for one `writev`.
  func withPieces<R>(_ body: ([UnsafeRawBufferPointer]) -> R) -> R
}

extension Data: FileContent {
  package func withPieces<R>(_ body: ([UnsafeRawBufferPointer]) -> R) -> R {
    unsafe withUnsafeBytes { bytes in unsafe body([bytes]) }
  }
}
