#include <errno.h>

#include "failure.h"
#include "jpeg/header.h"
#include "jpeg/tables.h"

int vf_jpeg_rewrite_in_parts(const uint8_t *bytes, size_t count, const vf_jpeg_info *_Nullable info,
                             const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                             vf_jpeg_parts *result, vf_failure *failure) {
  *result = (vf_jpeg_parts){.end = {0xFF, VF_MARKER_EOI}};
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

  size_t size = info->scan_offset + VF_STANDARD_HUFFMAN_COUNT;
  for (size_t i = 0; i < segment_count; i++)
    size += segments[i].count + 4;
  vf_jpeg_writer writer = {0};
  vf_writer_reserve(&writer, size);
  vf_jpeg_append_header(&writer, bytes, info, segments, segment_count, NULL);
  result->scan_offset = info->scan_offset;
  result->scan_count = info->length - info->scan_offset;
  result->end_count = info->has_end ? 0 : sizeof result->end;
  return vf_writer_finish(&writer, &result->header, failure);
}

int vf_jpeg_rewrite(const uint8_t *bytes, size_t count, const vf_jpeg_info *_Nullable info,
                    const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                    vf_buffer *result, vf_failure *failure) {
  *result = (vf_buffer){0};
  vf_jpeg_parts parts;
  int failed =
      vf_jpeg_rewrite_in_parts(bytes, count, info, segments, segment_count, &parts, failure);
  if (failed)
    return failed;
  vf_jpeg_writer writer = {.buffer = parts.header, .capacity = parts.header.count};
  vf_writer_reserve(&writer, parts.scan_count + parts.end_count);
  vf_writer_append(&writer, bytes + parts.scan_offset, parts.scan_count);
  vf_writer_append(&writer, parts.end, parts.end_count);
  return vf_writer_finish(&writer, result, failure);
}
