import Viewfinder

/// The thumbnails used last, as many as the memory given to them holds.
struct ThumbnailMemory {
  private struct Entry {
    var picture: PixelBuffer
    var byteCount: Int
    var lastUse: UInt64
  }

  /// In bytes.
  let limit: Int
  private(set) var byteCount = 0
  private var entries: [ThumbnailRequest: Entry] = [:]
  private var clock: UInt64 = 0

  init(limit: Int) { self.limit = limit }

  /// The thumbnail, which now is the one used last.
  mutating func picture(_ request: ThumbnailRequest) -> PixelBuffer? {
    clock += 1
    entries[request]?.lastUse = clock
    return entries[request]?.picture
  }

  func contains(_ request: ThumbnailRequest) -> Bool { entries[request] != nil }

  /// Keeps a thumbnail, and forgets those not used for longest as needed.
  mutating func insert(_ picture: PixelBuffer, for request: ThumbnailRequest) {
    remove(request)
    let size = picture.byteCount
    guard size <= limit else { return }
    while byteCount + size > limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
    {
      remove(oldest)
    }
    clock += 1
    entries[request] = Entry(picture: picture, byteCount: size, lastUse: clock)
    byteCount += size
  }

  private mutating func remove(_ request: ThumbnailRequest) {
    byteCount -= entries.removeValue(forKey: request)?.byteCount ?? 0
  }

  mutating func removeAll() {
    entries = [:]
    byteCount = 0
  }
}
