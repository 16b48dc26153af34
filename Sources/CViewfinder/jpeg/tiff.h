#ifndef VF_JPEG_TIFF_H
#define VF_JPEG_TIFF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
  VF_TIFF_HEADER = 8,
  /// Bytes of a directory's entry: tag, type, number of components, and the value or its offset.
  VF_TIFF_ENTRY = 12,
};

/// The types of values that Exif has (TIFF 6.0).
enum {
  VF_TIFF_BYTE = 1,
  VF_TIFF_ASCII = 2,
  VF_TIFF_SHORT = 3,
  VF_TIFF_LONG = 4,
  VF_TIFF_RATIONAL = 5,
  VF_TIFF_UNDEFINED = 7,
};

/// An unsigned number of `size` bytes, at most 4.
static inline uint32_t vf_tiff_number(const uint8_t *bytes, size_t size, int big_endian) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; i++)
    value = value << 8 | bytes[big_endian ? i : size - 1 - i];
  return value;
}

/// Writes an unsigned number of `size` bytes, at most 4.
static inline void vf_tiff_set_number(uint8_t *bytes, size_t size, uint32_t value, int big_endian) {
  for (size_t i = 0; i < size; i++, value >>= 8)
    bytes[big_endian ? size - 1 - i : i] = (uint8_t)value;
}

/// Whether the data begin as TIFF data do, and in which byte order.
static inline int vf_tiff_matches(const uint8_t *bytes, size_t count, int *big_endian) {
  if (count < VF_TIFF_HEADER || bytes[0] != bytes[1] || (bytes[0] != 'M' && bytes[0] != 'I'))
    return 0;
  *big_endian = bytes[0] == 'M';
  return vf_tiff_number(bytes + 2, 2, *big_endian) == 42;
}

#pragma clang assume_nonnull end

#endif
