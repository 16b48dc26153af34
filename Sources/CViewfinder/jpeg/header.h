#ifndef VF_JPEG_HEADER_H
#define VF_JPEG_HEADER_H

#include "jpeg/markers.h"
#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// A picture that is put together piece by piece, in memory that grows.
typedef struct vf_jpeg_writer {
  vf_buffer buffer;
  size_t capacity;
  /// Whether memory was too short: nothing is appended any more.
  int failed;
} vf_jpeg_writer;

/// Makes room for `count` more bytes. Returns where they go; NULL, with `failed` set, where memory
/// is too short. The bytes count once they are appended.
uint8_t *_Nullable vf_writer_reserve(vf_jpeg_writer *writer, size_t count);

void vf_writer_append(vf_jpeg_writer *writer, const uint8_t *bytes, size_t count);

/// Appends a marker without a segment.
void vf_writer_append_marker(vf_jpeg_writer *writer, uint8_t code);

/// Appends the number of MCUs between restart markers.
void vf_jpeg_append_interval(vf_jpeg_writer *writer, unsigned interval);

/// What a header says of another picture than the one that it comes from: its size, and MCUs
/// between restart markers, or 0.
typedef struct vf_jpeg_change {
  uint32_t width, height;
  unsigned restart_interval;
} vf_jpeg_change;

void vf_jpeg_append_segment(vf_jpeg_writer *writer, const vf_jpeg_segment *segment);

/// Appends SOI and `segments`.
void vf_jpeg_append_start(vf_jpeg_writer *writer, const vf_jpeg_segment *_Nullable segments,
                          size_t segment_count);

/// Appends SOI and what comes before the scan: `segments`, the source's metadata but those of the
/// same kind, and its tables, with those that it leaves out; the frame header and restart interval
/// as `change` has them, where it is given.
void vf_jpeg_append_header(vf_jpeg_writer *writer, const uint8_t *bytes, const vf_jpeg_info *info,
                           const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                           const vf_jpeg_change *_Nullable change);

/// The same of metadata alone, without tables and frame header.
void vf_jpeg_append_metadata(vf_jpeg_writer *writer, const uint8_t *bytes, const vf_jpeg_info *info,
                             const vf_jpeg_segment *_Nullable segments, size_t segment_count);

/// Hands the picture over; reports `ENOMEM` when memory was too short.
int vf_writer_finish(vf_jpeg_writer *writer, vf_buffer *result, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
