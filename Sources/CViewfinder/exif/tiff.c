#include "exif/tiff.h"

#include <errno.h>

enum { TIFF = 42, BIG_TIFF = 43, ORF = 0x4F52, ORF_SMALL = 0x5352, RW2 = 0x0055 };

int vf_tiff_read_header(const uint8_t *bytes, size_t count, vf_tiff_header *header) {
  *header = (vf_tiff_header){.count_size = 2, .entry_size = VF_TIFF_ENTRY, .offset_size = 4};
  if (count < VF_TIFF_HEADER || bytes[0] != bytes[1] || (bytes[0] != 'M' && bytes[0] != 'I'))
    return -EBADMSG;
  header->big_endian = bytes[0] == 'M';
  header->version = (uint16_t)vf_tiff_read_number(header, bytes + 2, 2);
  switch (header->version) {
  case TIFF:
  case ORF:
  case ORF_SMALL:
  case RW2:
    header->first_directory = vf_tiff_read_number(header, bytes + 4, 4);
    return 0;
  case BIG_TIFF:
    if (count < VF_TIFF_LONGEST_HEADER)
      return -EBADMSG;
    header->count_size = header->offset_size = 8;
    header->entry_size = 20;
    header->first_directory = vf_tiff_read_number(header, bytes + 8, 8);
    return 0;
  default:
    return -EBADMSG;
  }
}

int vf_tiff_is_exif(const uint8_t *bytes, size_t count, vf_tiff_header *header) {
  return bytes && vf_tiff_read_header(bytes, count, header) == 0 && header->version == TIFF;
}

uint64_t vf_tiff_read_number(const vf_tiff_header *header, const uint8_t *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value = value << 8 | bytes[header->big_endian ? i : size - 1 - i];
  return value;
}

void vf_tiff_set_number(const vf_tiff_header *header, uint8_t *bytes, size_t size, uint32_t value) {
  for (size_t i = 0; i < size; i++, value >>= 8)
    bytes[header->big_endian ? size - 1 - i : i] = (uint8_t)value;
}

vf_tiff_entry vf_tiff_read_entry(const vf_tiff_header *header, const uint8_t *bytes, uint64_t at) {
  // By type; from 13 on (IFD, LONG8, SLONG8, IFD8) they aren't TIFF 6.0's.
  static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  vf_tiff_entry entry = {
      .tag = (uint16_t)vf_tiff_read_number(header, bytes, 2),
      .type = (uint16_t)vf_tiff_read_number(header, bytes + 2, 2),
      .count = vf_tiff_read_number(header, bytes + 4, header->offset_size),
  };
  if (entry.type < sizeof sizes)
    entry.value_size = sizes[entry.type];
  size_t place = 4u + header->offset_size;
  int fits = entry.value_size && entry.count <= header->offset_size / entry.value_size;
  entry.offset =
      fits ? at + place : vf_tiff_read_number(header, bytes + place, header->offset_size);
  return entry;
}
