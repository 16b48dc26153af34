#include "exif/tags.h"
#include "exif/tiff.h"
#include "vf_exif.h"

uint32_t vf_exif_orientation(const uint8_t *bytes, size_t count) {
  vf_tiff_header header;
  if (!vf_tiff_is_exif(bytes, count, &header) || header.first_directory > count - 2)
    return 1;
  size_t at = (size_t)header.first_directory;
  size_t entries = (size_t)vf_tiff_read_number(&header, bytes + at, 2);
  size_t room = (count - at - 2) / VF_TIFF_ENTRY;
  if (entries > room)
    entries = room;
  for (size_t i = 0; i < entries; i++) {
    size_t place = at + 2 + i * VF_TIFF_ENTRY;
    vf_tiff_entry entry = vf_tiff_read_entry(&header, bytes + place, place);
    if (entry.tag != VF_TAG_ORIENTATION)
      continue;
    int is_number = entry.type == VF_TIFF_SHORT || entry.type == VF_TIFF_LONG;
    uint64_t value = is_number && entry.count == 1
                         ? vf_tiff_read_number(&header, bytes + entry.offset, entry.value_size)
                         : 0;
    return value >= 1 && value <= 8 ? (uint32_t)value : 1;
  }
  return 1;
}
