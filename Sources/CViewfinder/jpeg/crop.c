#include <errno.h>
#include <stdlib.h>

#include "failure.h"
#include "jpeg/baseline.h"
#include "jpeg/restarts.h"
#include "jpeg/transcode.h"
#include "jpeg/transform.h"

/// How a picture that is to be cropped is made.
typedef struct source {
  const uint8_t *bytes;
  size_t count;
  vf_jpeg_info info;
  uint32_t mcu_width, mcu_height;
  /// What lies around the entropy-coded data.
  const vf_jpeg_segment *_Nullable segments;
  size_t segment_count;
} source;

/// Reads with `codec`, which the caller destroys.
static int read_header(j_decompress_ptr codec, vf_jpeg_error *error, const source *source,
                       vf_failure *failure) {
  if (setjmp(error->escape))
    return vf_jpeg_error_report(error, "JPEG crop", failure);
  jpeg_create_decompress(codec);
  jpeg_mem_src(codec, source->bytes, source->count);
  jpeg_read_header(codec, TRUE);
  return 0;
}

static uint32_t least(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

/// Moves the edges of a part outwards, to multiples of a unit in the picture.
static void widen(uint32_t *start, uint32_t *length, uint64_t unit, uint32_t whole) {
  uint64_t end = (*start + (uint64_t)*length + unit - 1) / unit * unit;
  *start = (uint32_t)(*start / unit * unit);
  *length = least(end, whole) - *start;
}

static vf_mcu_part mcus_of(const source *source, const vf_rectangle *part) {
  size_t width = source->mcu_width, height = source->mcu_height;
  return (vf_mcu_part){
      .left = part->x / width,
      .top = part->y / height,
      .right = (part->x + (size_t)part->width + width - 1) / width,
      .bottom = (part->y + (size_t)part->height + height - 1) / height,
  };
}

static void begin(vf_jpeg_writer *writer, const source *source, const vf_rectangle *part,
                  unsigned interval) {
  const vf_jpeg_change change = {part->width, part->height, interval};
  vf_jpeg_append_header(writer, source->bytes, &source->info, source->segments,
                        source->segment_count, &change);
}

/// Copies the scan's header, which lies before its data.
static void append_scan_header(vf_jpeg_writer *writer, const source *source, size_t data) {
  vf_writer_append(writer, source->bytes + source->info.scan_offset,
                   data - source->info.scan_offset);
}

/// MCUs of a restart interval across and down, where all are alike; 0 where they aren't.
typedef struct grid {
  size_t across, down;
} grid;

static grid grid_of(const vf_scan *scan, size_t per_row) {
  size_t interval = scan->restart_interval;
  if (interval && per_row % interval == 0)
    return (grid){interval, 1};
  if (interval && interval % per_row == 0)
    return (grid){per_row, interval / per_row};
  return (grid){0, 0};
}

/// Copies whole restart intervals. Returns 0 where there is damage.
static int copy_intervals(vf_jpeg_writer *writer, vf_walk *walk, grid grid, size_t per_row,
                          const vf_mcu_part *part) {
  size_t columns = per_row / grid.across, written = 0;
  size_t left = part->left / grid.across, right = (part->right + grid.across - 1) / grid.across;
  size_t top = part->top / grid.down, bottom = (part->bottom + grid.down - 1) / grid.down;
  for (size_t row = top; row < bottom; row++) {
    for (size_t column = left; column < right; column++) {
      size_t start, end;
      if (!vf_walk_pass_interval(walk, row * columns + column, &start, &end))
        return 0;
      if (written)
        vf_writer_append_marker(writer, (uint8_t)(VF_MARKER_RST0 + (written - 1) % 8));
      vf_writer_append(writer, walk->window.bytes + start, end - start);
      written++;
    }
  }
  return 1;
}

/// MCUs of a restart interval in a part with so many columns of them.
static unsigned interval_for(const vf_scan *scan, size_t per_row, size_t columns) {
  if (!scan->restart_interval)
    return 0;
  size_t wanted = per_row / scan->restart_interval;
  return (unsigned)(columns /
                    vf_restarts_per_row((unsigned)columns, wanted ? (unsigned)wanted : 1));
}

static int damaged(const char *_Nullable what, vf_failure *failure) {
  return vf_fail(failure, EBADMSG, "JPEG crop",
                 "it is damaged: %s; copy it again from where it came from",
                 what ? what : "its codes can't be read");
}

/// Crops a picture whose coefficients libjpeg must read: all of them.
static int crop_any(vf_jpeg_crop *result, const source *source, vf_failure *failure) {
  vf_buffer plain = {0};
  int failed = vf_jpeg_transform(&plain, source->bytes, source->count, &result->rectangle, failure);
  if (failed)
    return failed;
  vf_jpeg_writer writer = {0};
  vf_jpeg_append_metadata(&writer, source->bytes, &source->info, source->segments,
                          source->segment_count);
  // Past its start marker.
  vf_writer_append(&writer, plain.bytes + 2, plain.count - 2);
  vf_buffer_free(&plain);
  return vf_writer_finish(&writer, &result->picture, failure);
}

/// Crops a picture in one sequential scan. Returns `VF_LACKS_CODE` where that can't be done.
static int crop_scan(vf_jpeg_crop *result, const source *source, const vf_scan *scan,
                     size_t per_row, size_t data, uint32_t alignment, vf_failure *failure) {
  vf_walk *walk = malloc(sizeof *walk);
  if (!walk)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  vf_jpeg_writer writer = {0};
  grid grid = grid_of(scan, per_row);
  int code =
      vf_walk_begin(walk, scan, source->bytes, data, source->info.length) ? 0 : VF_IMPOSSIBLE;
  if (!code && alignment == VF_ALIGNED_TO_RESTARTS && grid.across) {
    vf_rectangle *part = &result->rectangle;
    widen(&part->x, &part->width, grid.across * (uint64_t)source->mcu_width, source->info.width);
    widen(&part->y, &part->height, grid.down * (uint64_t)source->mcu_height, source->info.height);
    result->alignment = VF_ALIGNED_TO_RESTARTS;
    vf_mcu_part mcus = mcus_of(source, part);
    begin(&writer, source, part, scan->restart_interval);
    append_scan_header(&writer, source, data);
    if (!copy_intervals(&writer, walk, grid, per_row, &mcus))
      code = VF_IMPOSSIBLE;
  } else if (!code) {
    vf_mcu_part mcus = mcus_of(source, &result->rectangle);
    unsigned interval = interval_for(scan, per_row, mcus.right - mcus.left);
    begin(&writer, source, &result->rectangle, interval);
    append_scan_header(&writer, source, data);
    code = vf_scan_transcode(&writer, walk, per_row, &mcus, interval);
  }
  vf_writer_append_marker(&writer, VF_MARKER_EOI);
  const char *damage = walk->damage;
  free(walk);
  if (!code)
    return vf_writer_finish(&writer, &result->picture, failure);
  free(writer.buffer.bytes);
  return code == VF_LACKS_CODE ? code : damaged(damage, failure);
}

static int crop(vf_jpeg_crop *result, source *source, const vf_rectangle *part, uint32_t alignment,
                j_decompress_ptr codec, vf_failure *failure) {
  uint32_t width = codec->image_width, height = codec->image_height;
  if (!part->width || !part->height || part->x >= width || part->y >= height ||
      part->width > width - part->x || part->height > height - part->y)
    return vf_fail(failure, EINVAL, "JPEG crop", "the part isn't inside %u x %u pixels", width,
                   height);
  int alone = codec->num_components == 1;
  source->mcu_width = alone ? 8 : 8 * (uint32_t)codec->max_h_samp_factor;
  source->mcu_height = alone ? 8 : 8 * (uint32_t)codec->max_v_samp_factor;
  result->alignment = VF_ALIGNED_TO_MCU;
  result->rectangle = *part;
  result->rectangle.x -= part->x % source->mcu_width;
  result->rectangle.y -= part->y % source->mcu_height;
  result->rectangle.width += part->x % source->mcu_width;
  result->rectangle.height += part->y % source->mcu_height;

  vf_scan scan;
  size_t per_row = vf_baseline_describe(codec, &scan);
  size_t data = (size_t)(codec->src->next_input_byte - source->bytes);
  int code = VF_LACKS_CODE;
  if (per_row && data > source->info.scan_offset && data <= source->info.length)
    code = crop_scan(result, source, &scan, per_row, data, alignment, failure);
  return code == VF_LACKS_CODE ? crop_any(result, source, failure) : code;
}

int vf_jpeg_crop_losslessly(vf_jpeg_crop *result, const uint8_t *bytes, size_t count,
                            const vf_rectangle *part, uint32_t alignment,
                            const vf_jpeg_segment *segments, size_t segment_count,
                            vf_failure *failure) {
  *result = (vf_jpeg_crop){0};
  source source = {.bytes = bytes, .count = count, .segments = segments};
  source.segment_count = segment_count;
  int failed = vf_jpeg_check_segments(segments, segment_count, failure);
  if (!failed)
    failed = vf_jpeg_inspect(bytes, count, &source.info, failure);
  if (failed)
    return failed;
  struct jpeg_decompress_struct codec = {0};
  vf_jpeg_error error;
  codec.err = vf_jpeg_error_init(&error);
  failed = read_header(&codec, &error, &source, failure);
  if (!failed)
    failed = crop(result, &source, part, alignment, &codec, failure);
  jpeg_destroy_decompress(&codec);
  if (failed)
    *result = (vf_jpeg_crop){0};
  return failed;
}
