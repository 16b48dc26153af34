#include "jpeg/markers.h"

#include <errno.h>
#include <string.h>

#include "failure.h"

static int has_segment(uint8_t code) {
  return !(code >= VF_MARKER_RST0 && code <= VF_MARKER_EOI) && code != VF_MARKER_TEM;
}

int vf_jpeg_next_marker(const uint8_t *bytes, size_t count, size_t position,
                        vf_jpeg_marker *marker) {
  *marker = (vf_jpeg_marker){0};
  for (;;) {
    const uint8_t *found = position < count ? memchr(bytes + position, 0xFF, count - position) : 0;
    if (!found)
      return 0;
    size_t at = (size_t)(found - bytes);
    if (at != position)
      marker->skipped = 1;
    while (at < count && bytes[at] == 0xFF)
      at++;
    if (at == count)
      return 0;
    position = at + 1;
    if (bytes[at] != 0) {
      marker->code = bytes[at];
      break;
    }
    marker->skipped = 1;
  }

  marker->start = position - 2;
  marker->payload = marker->end = position;
  if (!has_segment(marker->code))
    return 1;
  size_t left = count - position;
  size_t length = left >= 2 ? (size_t)bytes[position] << 8 | bytes[position + 1] : 0;
  if (length < 2 || length > left) {
    marker->damaged = 1;
    return 1;
  }
  marker->payload = position + 2;
  marker->payload_count = length - 2;
  marker->end = position + length;
  return 1;
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/// Bytes that are looked at together.
enum { BLOCK = 256 };

/// Whether one of `BLOCK` bytes is 0xFF and the one after it isn't zero; reads one more.
///
/// As fast as a copy: a comparison, "and" and "or" for 16 bytes, and no way out in between.
static int has_marker(const uint8_t *bytes) {
  bytes16 found = {0};
  for (size_t i = 0; i < BLOCK; i += sizeof(bytes16)) {
    bytes16 these, next;
    memcpy(&these, bytes + i, sizeof these);
    memcpy(&next, bytes + i + 1, sizeof next);
    found |= (bytes16)(these == 0xFF) & next;
  }
  words2 halves = (words2)found;
  return (halves[0] | halves[1]) != 0;
}

size_t vf_jpeg_find_unstuffed(const uint8_t *bytes, size_t at, size_t count) {
  while (at < count) {
    while (count - at > BLOCK && !has_marker(bytes + at))
      at += BLOCK;
    // It is in this block, or in the last one, if at all.
    size_t end = count - at > BLOCK ? at + BLOCK : count;
    for (const uint8_t *found; at < end && (found = memchr(bytes + at, 0xFF, end - at));) {
      at = (size_t)(found - bytes);
      if (at + 1 == count)
        return count;
      if (bytes[at + 1])
        return at;
      at += 2;
    }
    if (at < end)
      at = end;
  }
  return count;
}

int vf_jpeg_check_segments(const vf_jpeg_segment *segments, size_t count, vf_failure *failure) {
  for (size_t i = 0; i < count; i++)
    if (!vf_jpeg_is_metadata(segments[i].marker) || segments[i].count > VF_MAXIMUM_PAYLOAD)
      return vf_fail(failure, EINVAL, "JPEG segment", "marker 0xFF%02X of %zu bytes",
                     segments[i].marker, segments[i].count);
  return 0;
}
