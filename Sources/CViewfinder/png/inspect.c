#include <errno.h>
#include <string.h>

#include "failure.h"
#include "png/decode.h"
#include "vf_png.h"

enum { HEADER_END = 8 + 12 + 13 };

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// The checksum of a chunk (ISO 3309).
static uint32_t checksum(const uint8_t *bytes, size_t count) {
  uint32_t sum = UINT32_MAX;
  for (size_t i = 0; i < count; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
  }
  return ~sum;
}

/// Whether a chunk of `length` bytes at `chunk` is Exif data as it was written.
static int is_tiff(const uint8_t *chunk, uint32_t length) {
  return memcmp(chunk + 4, "eXIf", 4) == 0 && length >= 4 && length <= VF_PNG_CHUNK_LIMIT &&
         (memcmp(chunk + 8, "II*\0", 4) == 0 || memcmp(chunk + 8, "MM\0*", 4) == 0) &&
         checksum(chunk + 4, length + (size_t)4) == number(chunk + 8 + length);
}

int vf_png_inspect(const uint8_t *bytes, size_t count, vf_png_info *info, vf_failure *failure) {
  *info = (vf_png_info){0};
  if (!vf_png_matches(bytes, count))
    return vf_fail(failure, EBADMSG, "PNG header", "no PNG signature");
  if (count < HEADER_END || number(bytes + 8) != 13 || memcmp(bytes + 12, "IHDR", 4) != 0 ||
      checksum(bytes + 12, 17) != number(bytes + 29))
    return vf_fail(failure, EBADMSG, "PNG header", "its first chunk is no header");
  info->width = number(bytes + 16);
  info->height = number(bytes + 20);
  if (!info->width || !info->height || (info->width | info->height) >> 31)
    return vf_fail(failure, EBADMSG, "PNG header", "%u x %u pixels", info->width, info->height);
  for (size_t at = HEADER_END; count - at >= 12;) {
    uint32_t length = number(bytes + at);
    if (length > count - at - 12 || memcmp(bytes + at + 4, "IEND", 4) == 0)
      break;
    if (is_tiff(bytes + at, length)) {
      info->exif_offset = at + 8;
      info->exif_length = length;
      break;
    }
    at += 12 + (size_t)length;
  }
  return 0;
}
