import Foundation

/// A photo's file: bytes of its own, or what comes before and after a scan that still lies in the camera's
/// buffer.
///
/// So a camera's JPEG goes to the disk without a copy, if it goes soon. The buffer goes back with the photo;
/// a photo that is kept gets bytes of its own first: when somebody asks for them, when the output takes the
/// next one, after ``patience``, or when the stream ends.
final class PhotoContent: FileContent {
  private enum Storage: Sendable {
    case own(Data)
    case borrowed(header: Data, FrameLease, scan: Range<Int>, end: Data)
  }

  /// How long a photo keeps the camera's buffer, while frames come.
  static let patience = Duration.milliseconds(500)

  private let storage: Mutex<Storage>
  /// How many bytes the file has.
  let count: Int

  /// A file that lies in memory.
  init(_ data: Data) {
    storage = Mutex(.own(data))
    count = data.count
  }

  /// A file whose scans are a part of a camera's frame.
  init(header: Data, _ lease: FrameLease, scan: Range<Int>, end: Data) {
    storage = Mutex(.borrowed(header: header, lease, scan: scan, end: end))
    count = header.count + scan.count + end.count
  }

  /// The file's bytes.
  var data: Data {
    storage.withLock { storage in
      if case .own(let data) = storage { return data }
      let data = unsafe withPieces(of: storage) { pieces in
        var data = Data(capacity: count)
        unsafe pieces.forEach { unsafe data.append(contentsOf: $0) }
        return data
      }
      storage = .own(data)
      return data
    }
  }

  /// Whether it keeps one of the camera's buffers.
  var isBorrowed: Bool {
    storage.withLock { if case .borrowed = $0 { true } else { false } }
  }

  /// Gives the camera's buffer back, after whoever is writing from it.
  func giveBack() { _ = data }

  package func withPieces<R>(_ body: ([UnsafeRawBufferPointer]) -> R) -> R {
    // Not under the lock: to write may take long.
    let now = storage.withLock { $0 }
    return unsafe withPieces(of: now, body)
  }

  private func withPieces<R>(
    of storage: Storage, _ body: ([UnsafeRawBufferPointer]) -> R
  ) -> R {
    switch storage {
    case .own(let data): return unsafe data.withPieces(body)
    case .borrowed(let header, let lease, let scan, let end):
      return unsafe header.withUnsafeBytes { header in
        unsafe end.withUnsafeBytes { end in
          withExtendedLifetime(lease) {
            unsafe body([header, UnsafeRawBufferPointer(rebasing: lease.bytes[scan]), end])
          }
        }
      }
    }
  }
}
