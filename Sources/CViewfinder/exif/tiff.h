#ifndef VF_EXIF_TIFF_H
#define VF_EXIF_TIFF_H

#include "vf_tiff.h"

#pragma clang assume_nonnull begin

/// The parts of the data that Exif has: TIFF 6.0, with offsets of four bytes.
enum {
  VF_TIFF_HEADER = 8,
  /// Bytes of a directory's entry: tag, type, number of values, and the values or their offset.
  VF_TIFF_ENTRY = 12,
  /// Where in an entry its values or their offset are.
  VF_TIFF_VALUE = 8,
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

/// Whether data are such as Exif has, and how they are laid out.
int vf_tiff_is_exif(const uint8_t *_Nullable bytes, size_t count, vf_tiff_header *header);

/// Writes an unsigned number of `size` bytes, at most 4.
void vf_tiff_set_number(const vf_tiff_header *header, uint8_t *bytes, size_t size, uint32_t value);

#pragma clang assume_nonnull end

#endif
