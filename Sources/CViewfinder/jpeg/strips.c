#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/encode.h"
#include "jpeg/markers.h"
#include "pixels/image.h"

/// Restart markers have eight numbers, which come in turns.
enum { MARKER_NUMBERS = 8 };

/// What makes up for handing a strip to another core, in pixels.
enum { MINIMUM_STRIP = 1 << 19 };

size_t vf_encode_strips(const vf_image *image, const vf_encode_options *options, size_t wanted,
                        vf_image *strips) {
  strips[0] = *image;
  strips[0].storage = NULL;
  vf_encode_grid grid;
  vf_failure failure;
  if (vf_encode_grid_find(&grid, image, options, &failure) < 0 || !grid.is_direct ||
      !grid.restarts_per_row)
    return 1;
  // Strips of as many restart intervals as there are numbers, or twice as many, and so on: markers
  // have the same numbers then as in the whole picture.
  uint32_t rows = 1;
  while (rows * grid.restarts_per_row % MARKER_NUMBERS)
    rows *= 2;
  uint32_t unit = rows * grid.mcu_height;
  size_t units = (image->height + unit - 1) / unit;
  size_t count = (size_t)image->width * image->height / MINIMUM_STRIP;
  count = count < wanted ? count : wanted;
  count = count < units ? count : units;
  if (count < 2)
    return 1;
  for (size_t i = 0; i < count; i++) {
    uint32_t top = (uint32_t)(units * i / count) * unit;
    uint32_t bottom = (uint32_t)(units * (i + 1) / count) * unit;
    if (bottom > image->height)
      bottom = image->height;
    strips[i] = vf_image_part(image, 0, top, image->width, bottom - top);
  }
  return count;
}

/// Where the two parts of an encoded strip are that joining needs.
typedef struct parts {
  /// The height in the frame header.
  size_t height;
  /// The entropy-coded data, up to the end marker.
  size_t data, data_end;
} parts;

/// Returns 0 for what isn't a picture of our encoder's.
static int find_parts(parts *parts, const vf_buffer *strip) {
  const uint8_t *bytes = strip->bytes;
  size_t count = strip->count;
  *parts = (struct parts){0};
  if (!bytes)
    return 0;
  vf_jpeg_marker marker = {.end = 2};
  while (vf_jpeg_next_marker(bytes, count, marker.end, &marker) && !marker.damaged) {
    if (marker.code == VF_MARKER_SOF0 && marker.payload_count > 3)
      parts->height = marker.payload + 1;
    if (marker.code == VF_MARKER_SOS) {
      parts->data = marker.end;
      parts->data_end = count - 2;
      return parts->height && parts->data < parts->data_end;
    }
  }
  return 0;
}

static unsigned word(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

int vf_jpeg_join(vf_buffer *picture, const vf_buffer *others, size_t count, vf_failure *failure) {
  const char *step = "JPEG strips";
  parts first, next;
  if (!find_parts(&first, picture))
    return vf_fail(failure, EINVAL, step, "no picture");
  size_t height = word(picture->bytes + first.height), size = picture->count;
  for (size_t i = 0; i < count; i++) {
    if (!find_parts(&next, &others[i]))
      return vf_fail(failure, EINVAL, step, "strip %zu is no picture", i + 1);
    height += word(others[i].bytes + next.height);
    size += 2 + next.data_end - next.data;
  }
  if (height > UINT16_MAX)
    return vf_fail(failure, EINVAL, step, "%zu rows", height);
  uint8_t *bytes = realloc(picture->bytes, size);
  if (!bytes)
    return vf_fail(failure, ENOMEM, "realloc", NULL);

  bytes[first.height] = (uint8_t)(height >> 8);
  bytes[first.height + 1] = (uint8_t)height;
  uint8_t *end = bytes + first.data_end;
  for (size_t i = 0; i < count; i++) {
    find_parts(&next, &others[i]);
    *end++ = 0xFF;
    *end++ = VF_MARKER_RST7;
    memcpy(end, others[i].bytes + next.data, next.data_end - next.data);
    end += next.data_end - next.data;
  }
  *end++ = 0xFF;
  *end++ = VF_MARKER_EOI;
  *picture = (vf_buffer){.bytes = bytes, .count = size};
  return 0;
}
