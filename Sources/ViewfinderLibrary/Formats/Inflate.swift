import CZLib

/// Data that zlib compressed (RFC 1950).
enum Inflate {
  /// The data as they were, at most `limit` bytes: what comes before damage, or the limit, counts.
  static func bytes(_ compressed: [UInt8], limit: Int) -> [UInt8] {
    guard !compressed.isEmpty, limit > 0 else { return [] }
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { _ = unsafe inflateEnd(&stream) }
    var compressed = compressed
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      unsafe compressed.withUnsafeMutableBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(clamping: input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(clamping: output.count)
        _ = unsafe inflate(&stream, Z_SYNC_FLUSH)
        count = unsafe output.count - Int(stream.avail_out)
      }
    }
  }
}
