import CViewfinder

/// The header of TIFF data, which tells how all of it is laid out.
///
/// The C core reads; what asks may be a file of gigabytes, read in small parts.
package struct TIFFHeader: Sendable {
  /// Bytes that the longest header has.
  package static let longest = Int(VF_TIFF_LONGEST_HEADER)

  private let header: vf_tiff_header

  /// Reads the first bytes of the data; `nil` for other data.
  package init?(_ bytes: [UInt8]) {
    var header = vf_tiff_header()
    guard unsafe vf_tiff_read_header(bytes, bytes.count, &header) == 0 else { return nil }
    self.header = header
  }

  package var isBigEndian: Bool { header.big_endian != 0 }
  /// Where the first directory is, which may be outside damaged data.
  package var firstDirectory: Int { Self.bounded(header.first_directory) }
  /// Bytes of the number of a directory's entries, of each entry, and of an offset.
  package var countSize: Int { Int(header.count_size) }
  package var entrySize: Int { Int(header.entry_size) }
  package var offsetSize: Int { Int(header.offset_size) }

  /// The entry whose bytes, ``entrySize`` of them, stand at `offset` in the data.
  package func entry(_ bytes: ArraySlice<UInt8>, at offset: Int) -> TIFFEntry {
    precondition(bytes.count >= entrySize)
    var header = header
    let entry = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe vf_tiff_read_entry(&header, bytes.baseAddress!, UInt64(offset))
    }
    return TIFFEntry(
      tag: Int(entry.tag), type: Int(entry.type), valueSize: Int(entry.value_size),
      count: Self.bounded(entry.count), offset: Self.bounded(entry.offset))
  }

  /// No file has more bytes, so that the sum of two offsets never overflows.
  private static func bounded(_ number: UInt64) -> Int { Int(min(number, 1 << 60)) }
}

/// A directory's entry: a tag, and where its values are.
package struct TIFFEntry: Sendable {
  package let tag: Int
  package let type: Int
  /// Bytes of a value; 0 for types that TIFF doesn't know.
  package let valueSize: Int
  /// How many values there are.
  package let count: Int
  /// Where they are, which may be outside damaged data.
  package let offset: Int
}

extension ImageOrientation {
  /// The orientation that TIFF data state; upright when they state none.
  init(tiff bytes: UnsafeRawBufferPointer) {
    let value = unsafe bytes.baseAddress.map {
      unsafe vf_exif_orientation($0.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    self = ImageOrientation(rawValue: Int(value ?? 1)) ?? .up
  }
}
