#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/markers.h"
#include "jpeg/tables.h"

/// Bytes of a segment's identifier with its NUL; the whole payload where there is none.
static size_t identifier_length(const vf_jpeg_segment *segment) {
  if (segment->marker == VF_MARKER_COM || !segment->count)
    return 0;
  const uint8_t *end = memchr(segment->bytes, 0, segment->count);
  return end ? (size_t)(end - segment->bytes) + 1 : segment->count;
}

static int is_left_out(const uint8_t *bytes, const vf_jpeg_marker *marker,
                       const vf_jpeg_segment *_Nullable segments, size_t segment_count) {
  const uint8_t *payload = bytes + marker->payload;
  // AVI1 marks a frame of an AVI file; some readers take its fields for half a picture.
  if (marker->code == VF_MARKER_APP0 && marker->payload_count >= 4 &&
      memcmp(payload, "AVI1", 4) == 0)
    return 1;
  for (size_t i = 0; i < segment_count; i++) {
    size_t length = identifier_length(&segments[i]);
    if (segments[i].marker == marker->code && marker->payload_count >= length &&
        (length == 0 || memcmp(payload, segments[i].bytes, length) == 0))
      return 1;
  }
  return 0;
}

/// Appends to a buffer whose memory is large enough.
static void append(vf_buffer *buffer, const uint8_t *bytes, size_t count) {
  if (count)
    memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

static void append_segment(vf_buffer *buffer, const vf_jpeg_segment *segment) {
  size_t length = segment->count + 2;
  append(buffer, (const uint8_t[]){0xFF, segment->marker, (uint8_t)(length >> 8), (uint8_t)length},
         4);
  append(buffer, segment->bytes, segment->count);
}

/// Writes what comes before the scan: metadata as far as they are kept, and tables.
static void append_header(vf_buffer *result, const uint8_t *bytes, const vf_jpeg_info *info,
                          const vf_jpeg_segment *_Nullable segments, size_t segment_count) {
  vf_jpeg_marker marker = {.end = 2};
  int needs_tables = !info->has_huffman_tables;
  while (vf_jpeg_next_marker(bytes, info->length, marker.end, &marker) &&
         marker.start < info->scan_offset) {
    if (vf_jpeg_is_metadata(marker.code)) {
      if (is_left_out(bytes, &marker, segments, segment_count))
        continue;
    } else if (needs_tables) {
      // Before all tables of the source's own, which then count for more.
      append(result, vf_standard_huffman, VF_STANDARD_HUFFMAN_COUNT);
      needs_tables = 0;
    }
    if (marker.payload_count || marker.end > marker.start + 2)
      append(result, bytes + marker.start, marker.end - marker.start);
  }
}

int vf_jpeg_rewrite(const uint8_t *bytes, size_t count, const vf_jpeg_info *_Nullable info,
                    const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                    vf_buffer *result, vf_failure *failure) {
  *result = (vf_buffer){0};
  int failed = vf_jpeg_check_segments(segments, segment_count, failure);
  if (failed)
    return failed;
  vf_jpeg_info own;
  if (!info) {
    failed = vf_jpeg_inspect(bytes, count, &own, failure);
    info = &own;
  }
  if (info->length > count)
    return vf_fail(failure, EINVAL, "JPEG markers", "told of %zu bytes, not of %zu", info->length,
                   count);
  if (!info->scan_offset || !info->components)
    return failed ? failed : vf_fail(failure, EBADMSG, "JPEG markers", "no picture");

  size_t size = info->length + VF_STANDARD_HUFFMAN_COUNT + 2;
  for (size_t i = 0; i < segment_count; i++)
    size += segments[i].count + 4;
  result->bytes = malloc(size);
  if (!result->bytes)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  append(result, (const uint8_t[]){0xFF, VF_MARKER_SOI}, 2);
  for (size_t i = 0; i < segment_count; i++)
    append_segment(result, &segments[i]);
  append_header(result, bytes, info, segments, segment_count);
  append(result, bytes + info->scan_offset, info->length - info->scan_offset);
  if (!info->has_end)
    append(result, (const uint8_t[]){0xFF, VF_MARKER_EOI}, 2);
  return 0;
}
