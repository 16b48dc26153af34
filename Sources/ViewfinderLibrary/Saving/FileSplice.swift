import Foundation

/// A part of a file that is saved otherwise than it is; everything else stays byte for byte.
struct FileSplice: Hashable, Sendable {
  /// The part that is left out; empty where bytes are only added.
  let range: Range<Int>
  /// What takes its place.
  let bytes: Data
  /// What the file was when the part was found; `nil` for bytes in memory.
  let status: FileStatus?

  /// The whole file's bytes with the part changed.
  func applied(to data: Data) -> Data {
    data.prefix(range.lowerBound) + bytes + data.dropFirst(range.upperBound)
  }
}
