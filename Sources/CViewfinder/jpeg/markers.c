#include "jpeg/markers.h"

#include <errno.h>
#include <string.h>

#include "failure.h"
#include "vf_kernels.h"

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

size_t vf_jpeg_find_unstuffed(const uint8_t *bytes, size_t at, size_t count) {
  return at + vf_kernels_current()->find_marker(bytes + at, count - at);
}

int vf_jpeg_check_segments(const vf_jpeg_segment *segments, size_t count, vf_failure *failure) {
  for (size_t i = 0; i < count; i++)
    if (!vf_jpeg_is_metadata(segments[i].marker) || segments[i].count > VF_MAXIMUM_PAYLOAD)
      return vf_fail(failure, EINVAL, "JPEG segment", "marker 0xFF%02X of %zu bytes",
                     segments[i].marker, segments[i].count);
  return 0;
}
