#include "jpeg/tiff.h"
#include "vf_exif.h"

/// The value of an entry that holds one SHORT or LONG; else 0.
static uint32_t value_of_entry(const uint8_t *entry, int big_endian) {
  uint32_t type = vf_tiff_number(entry + 2, 2, big_endian);
  if (vf_tiff_number(entry + 4, 4, big_endian) != 1)
    return 0;
  return type == VF_TIFF_SHORT  ? vf_tiff_number(entry + 8, 2, big_endian)
         : type == VF_TIFF_LONG ? vf_tiff_number(entry + 8, 4, big_endian)
                                : 0;
}

uint32_t vf_exif_orientation(const uint8_t *bytes, size_t count) {
  enum { ORIENTATION = 0x0112 };
  int big_endian;
  if (!vf_tiff_matches(bytes, count, &big_endian))
    return 1;
  size_t at = vf_tiff_number(bytes + 4, 4, big_endian);
  if (at > count - 2)
    return 1;
  size_t entries = vf_tiff_number(bytes + at, 2, big_endian);
  size_t room = (count - at - 2) / VF_TIFF_ENTRY;
  if (entries > room)
    entries = room;
  for (size_t i = 0; i < entries; i++) {
    const uint8_t *entry = bytes + at + 2 + i * VF_TIFF_ENTRY;
    if (vf_tiff_number(entry, 2, big_endian) != ORIENTATION)
      continue;
    uint32_t value = value_of_entry(entry, big_endian);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
