#ifndef VF_TIFF_H
#define VF_TIFF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How TIFF data are laid out: TIFF 6.0, BigTIFF, Exif's block in other files, and the raw formats
/// that are TIFF but for the number in their header.
///
/// Reading goes in small steps over bytes that the caller has, so that a file of gigabytes need not
/// be in memory: the header, then each directory (IFD), which is `count_size` bytes with the number
/// of its entries, the entries of `entry_size` bytes, and the next directory's offset.
typedef struct vf_tiff_header {
  /// 1: "MM". 0: "II".
  uint8_t big_endian;
  /// Bytes of a directory's number of entries, of an entry, and of an offset: 2, 12 and 4, or 8, 20
  /// and 8 in BigTIFF.
  uint8_t count_size, entry_size, offset_size;
  /// 42; BigTIFF 43; ORF 0x4F52 or 0x5352; RW2 0x0055.
  uint16_t version;
  /// Where the first directory is.
  uint64_t first_directory;
} vf_tiff_header;

/// Bytes that the longest header has.
#define VF_TIFF_LONGEST_HEADER 16

/// An entry of a directory: a tag, and where its values are.
typedef struct vf_tiff_entry {
  uint16_t tag;
  /// 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, …
  uint16_t type;
  /// Bytes of a value; 0 for types that TIFF doesn't know.
  uint8_t value_size;
  /// How many values there are.
  uint64_t count;
  /// Where they are, which may be past the end of damaged data: in the entry itself where they fit.
  uint64_t offset;
} vf_tiff_entry;

/// Reads the first bytes of TIFF data. Returns 0, or `-EBADMSG` for other data.
int vf_tiff_read_header(const uint8_t *bytes, size_t count, vf_tiff_header *header);

/// An unsigned number of `size` bytes, at most 8.
uint64_t vf_tiff_read_number(const vf_tiff_header *header, const uint8_t *bytes, size_t size);

/// Reads an entry from its `entry_size` bytes, which stand at the offset `at`.
vf_tiff_entry vf_tiff_read_entry(const vf_tiff_header *header, const uint8_t *bytes, uint64_t at);

#pragma clang assume_nonnull end

#endif
