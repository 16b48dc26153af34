import CLibXXHash
import Foundation

/// The XXH3 hash of a whole file, of 128 bits (xxHash 0.8): as fast as memory, and no protection against forgers.
struct FileHash: Hashable, Sendable {
  /// 16, in the order in which `xxhsum` prints them.
  let bytes: Data

  /// As 32 hexadecimal digits, as `xxhsum -H128` prints it.
  var text: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let partSize = 1 << 20

  init(bytes: Data) { self.bytes = bytes }

  /// Reads a file from beginning to end; `pace` is told of each part's bytes, and may wait or throw.
  init(
    of file: FileReader, pace: (Int) throws(PhotoLibraryError) -> Void = { _ in }
  ) throws(PhotoLibraryError) {
    let hasher = Hasher()
    for start in stride(from: 0, to: file.size, by: Self.partSize) {
      let part = try file.read(at: start, count: Self.partSize)
      guard part.count == min(Self.partSize, file.size - start) else {
        throw .damaged(what: file.path.description, reason: "it became shorter while it was read")
      }
      hasher.add(part)
      try pace(part.count)
    }
    bytes = hasher.finish()
  }

  @safe private final class Hasher {
    private let state = unsafe XXH3_createState()

    init() { _ = unsafe XXH3_128bits_reset(state) }

    deinit { _ = unsafe XXH3_freeState(state) }

    func add(_ bytes: [UInt8]) {
      _ = unsafe bytes.withUnsafeBytes {
        unsafe XXH3_128bits_update(state, $0.baseAddress, $0.count)
      }
    }

    func finish() -> Data {
      var canonical = XXH128_canonical_t()
      unsafe XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state))
      return unsafe withUnsafeBytes(of: canonical) { unsafe Data($0) }
    }
  }
}
