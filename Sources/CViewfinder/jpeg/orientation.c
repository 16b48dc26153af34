#include "vf_exif.h"

/// TIFF data and its byte order.
typedef struct tiff {
  const uint8_t *bytes;
  size_t count;
  int big_endian;
} tiff;

static uint32_t number(const tiff *tiff, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; i++)
    value = value << 8 | tiff->bytes[tiff->big_endian ? at + i : at + size - 1 - i];
  return value;
}

/// The value of an entry, 12 bytes at `at`, that holds one SHORT or LONG; else 0.
static uint32_t value_of_entry(const tiff *tiff, size_t at) {
  enum { SHORT = 3, LONG = 4 };
  uint32_t type = number(tiff, at + 2, 2), components = number(tiff, at + 4, 4);
  if (components != 1)
    return 0;
  return type == SHORT ? number(tiff, at + 8, 2) : type == LONG ? number(tiff, at + 8, 4) : 0;
}

uint32_t vf_exif_orientation(const uint8_t *bytes, size_t count) {
  enum { ORIENTATION = 0x0112, HEADER = 8, ENTRY = 12 };
  if (count < HEADER)
    return 1;
  tiff tiff = {.bytes = bytes, .count = count, .big_endian = bytes[0] == 'M'};
  if (bytes[0] != bytes[1] || (bytes[0] != 'M' && bytes[0] != 'I') || number(&tiff, 2, 2) != 42)
    return 1;
  size_t at = number(&tiff, 4, 4);
  if (at > count - 2)
    return 1;
  size_t entries = number(&tiff, at, 2), room = (count - at - 2) / ENTRY;
  if (entries > room)
    entries = room;
  for (size_t i = 0; i < entries; i++) {
    size_t entry = at + 2 + i * ENTRY;
    if (number(&tiff, entry, 2) != ORIENTATION)
      continue;
    uint32_t value = value_of_entry(&tiff, entry);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
