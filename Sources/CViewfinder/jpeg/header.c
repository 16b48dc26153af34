#include "jpeg/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/tables.h"

uint8_t *vf_writer_reserve(vf_jpeg_writer *writer, size_t count) {
  if (writer->failed)
    return NULL;
  if (writer->capacity - writer->buffer.count < count) {
    size_t wanted = writer->buffer.count + count, capacity = writer->capacity / 2 * 3;
    if (capacity < wanted)
      capacity = wanted;
    uint8_t *larger = realloc(writer->buffer.bytes, capacity);
    if (!larger) {
      writer->failed = 1;
      return NULL;
    }
    writer->buffer.bytes = larger;
    writer->capacity = capacity;
  }
  return writer->buffer.bytes + writer->buffer.count;
}

void vf_writer_append(vf_jpeg_writer *writer, const uint8_t *bytes, size_t count) {
  uint8_t *to = count ? vf_writer_reserve(writer, count) : NULL;
  if (!to)
    return;
  memcpy(to, bytes, count);
  writer->buffer.count += count;
}

void vf_writer_append_marker(vf_jpeg_writer *writer, uint8_t code) {
  vf_writer_append(writer, (const uint8_t[]){0xFF, code}, 2);
}

int vf_writer_finish(vf_jpeg_writer *writer, vf_buffer *result, vf_failure *failure) {
  if (writer->failed) {
    free(writer->buffer.bytes);
    writer->buffer = (vf_buffer){0};
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  }
  // What was reserved beyond the picture goes back; where it can't, it stays.
  uint8_t *bytes = realloc(writer->buffer.bytes, writer->buffer.count);
  *result =
      (vf_buffer){.bytes = bytes ? bytes : writer->buffer.bytes, .count = writer->buffer.count};
  return 0;
}

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

void vf_jpeg_append_segment(vf_jpeg_writer *writer, const vf_jpeg_segment *segment) {
  size_t length = segment->count + 2;
  vf_writer_append(
      writer, (const uint8_t[]){0xFF, segment->marker, (uint8_t)(length >> 8), (uint8_t)length}, 4);
  vf_writer_append(writer, segment->bytes, segment->count);
}

static void append_copy(vf_jpeg_writer *writer, const uint8_t *bytes,
                        const vf_jpeg_marker *marker) {
  if (marker->payload_count || marker->end > marker->start + 2)
    vf_writer_append(writer, bytes + marker->start, marker->end - marker->start);
}

/// A frame header with another size (ITU-T T.81, B.2.2).
static void append_frame(vf_jpeg_writer *writer, const uint8_t *bytes, const vf_jpeg_marker *marker,
                         const vf_jpeg_change *change) {
  append_copy(writer, bytes, marker);
  if (writer->failed || marker->payload_count < 6)
    return;
  uint8_t *payload = writer->buffer.bytes + writer->buffer.count - marker->payload_count;
  payload[1] = (uint8_t)(change->height >> 8);
  payload[2] = (uint8_t)change->height;
  payload[3] = (uint8_t)(change->width >> 8);
  payload[4] = (uint8_t)change->width;
}

void vf_jpeg_append_interval(vf_jpeg_writer *writer, unsigned interval) {
  vf_writer_append(
      writer,
      (const uint8_t[]){0xFF, VF_MARKER_DRI, 0, 4, (uint8_t)(interval >> 8), (uint8_t)interval}, 6);
}

void vf_jpeg_append_start(vf_jpeg_writer *writer, const vf_jpeg_segment *_Nullable segments,
                          size_t segment_count) {
  vf_writer_append_marker(writer, VF_MARKER_SOI);
  for (size_t i = 0; i < segment_count; i++)
    vf_jpeg_append_segment(writer, &segments[i]);
}

void vf_jpeg_append_header(vf_jpeg_writer *writer, const uint8_t *bytes, const vf_jpeg_info *info,
                           const vf_jpeg_segment *segments, size_t segment_count,
                           const vf_jpeg_change *change) {
  vf_jpeg_append_start(writer, segments, segment_count);
  vf_jpeg_marker marker = {.end = 2};
  int needs_tables = !info->has_huffman_tables;
  while (vf_jpeg_next_marker(bytes, info->length, marker.end, &marker) &&
         marker.start < info->scan_offset) {
    if (vf_jpeg_is_metadata(marker.code)) {
      if (is_left_out(bytes, &marker, segments, segment_count))
        continue;
    } else if (needs_tables) {
      // Before all tables of the source's own, which then count for more.
      vf_writer_append(writer, vf_standard_huffman, VF_STANDARD_HUFFMAN_COUNT);
      needs_tables = 0;
    }
    if (change && vf_jpeg_is_frame_header(marker.code))
      append_frame(writer, bytes, &marker, change);
    else if (!change || marker.code != VF_MARKER_DRI)
      append_copy(writer, bytes, &marker);
  }
  if (change && change->restart_interval)
    vf_jpeg_append_interval(writer, change->restart_interval);
}

void vf_jpeg_append_metadata(vf_jpeg_writer *writer, const uint8_t *bytes, const vf_jpeg_info *info,
                             const vf_jpeg_segment *segments, size_t segment_count) {
  vf_jpeg_append_start(writer, segments, segment_count);
  vf_jpeg_marker marker = {.end = 2};
  while (vf_jpeg_next_marker(bytes, info->length, marker.end, &marker) &&
         marker.start < info->scan_offset) {
    if (vf_jpeg_is_metadata(marker.code) && !is_left_out(bytes, &marker, segments, segment_count))
      append_copy(writer, bytes, &marker);
  }
}
