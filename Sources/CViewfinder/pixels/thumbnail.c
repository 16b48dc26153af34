#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"
#include "vf_kernels.h"

/// Source pixels to a pixel of the result, each way. Below, where the boxes' edges lie would show;
/// above, their sums wouldn't fit.
enum { LEAST_FACTOR = 4, MOST_FACTOR = 127 };

/// The samples of one colour in the rows of a plane, and what they become.
typedef struct channel {
  /// The first sample's byte in a row, and the distance to the next.
  uint32_t offset, step;
  /// Runs of source rows that make a row of the result.
  uint32_t runs;
  vf_plane result;
  uint32_t width;
  uint8_t is_luma;
  /// Where each box begins, and the last one ends, in samples.
  uint32_t *edges;
  /// The sums of the row that isn't finished, of how many source rows, and in how many runs.
  uint32_t *sums, taken_rows, taken_runs;
} channel;

/// Boxes in a row or column of samples: `count` over `length`, each `source` / `result` long but
/// the last, which may be cut off: two of an odd number of pixels share its sample of colour.
typedef struct boxes {
  uint32_t count, length;
  uint64_t source, result;
} boxes;

/// Where box number `index` begins.
static uint32_t edge(const boxes *boxes, uint32_t index) {
  return index == boxes->count ? boxes->length : (uint32_t)(index * boxes->source / boxes->result);
}

/// The boxes of a plane whose samples are every `1 << shift`th pixel's, for one that has half as
/// many as pixels where `halves` is 1.
static boxes boxes_for(uint32_t source, uint32_t shift, uint32_t result, uint32_t halves) {
  return (boxes){
      .count = vf_subsampled(result, halves),
      .length = vf_subsampled(source, shift),
      .source = (uint64_t)source << halves,
      .result = (uint64_t)result << shift,
  };
}

static inline void add_boxes(channel *channel, const uint16_t *line, uint32_t step) {
  const uint16_t *in = line + channel->offset;
  const uint32_t *restrict edges = channel->edges;
  uint32_t *restrict sums = channel->sums;
  for (uint32_t x = 0; x < channel->width; x++) {
    uint32_t sum = 0;
    // Too few to be worth the vectors.
#pragma clang loop vectorize(disable)
    for (size_t i = edges[x]; i < edges[x + 1]; i++)
      sum += in[i * step];
    sums[x] += sum;
  }
}

static void finish_row(channel *channel, int limited_range) {
  uint8_t *restrict out = channel->result.data;
  const uint32_t *restrict edges = channel->edges;
  uint32_t *restrict sums = channel->sums;
  for (uint32_t x = 0; x < channel->width; x++) {
    uint32_t count = (edges[x + 1] - edges[x]) * channel->taken_rows;
    out[x] = (uint8_t)((float)sums[x] / (float)count + 0.5f);
    sums[x] = 0;
  }
  for (uint32_t x = 0; limited_range && x < channel->width; x++)
    out[x] = channel->is_luma ? vf_full_luma(out[x]) : vf_full_chroma(out[x]);
  channel->taken_rows = channel->taken_runs = 0;
  channel->result.data += channel->result.stride;
}

/// Takes a plane in runs of rows.
static void take_plane(channel *channels, size_t count, const vf_plane *source, size_t bytes,
                       const boxes *runs, int limited_range, uint16_t *line) {
  const vf_kernels *kernels = vf_kernels_current();
  for (uint32_t run = 0; run < runs->count; run++) {
    uint32_t first = edge(runs, run), rows = edge(runs, run + 1) - first;
    kernels->sum_rows(line, vf_row(source, first), source->stride, rows, bytes);
    for (size_t i = 0; i < count; i++) {
      channel *channel = &channels[i];
      switch (channel->step) {
      case 1:
        add_boxes(channel, line, 1);
        break;
      case 2:
        add_boxes(channel, line, 2);
        break;
      default:
        add_boxes(channel, line, 4);
      }
      channel->taken_rows += rows;
      if (++channel->taken_runs == channel->runs || run + 1 == runs->count)
        finish_row(channel, limited_range);
    }
  }
}

static void take_image(const vf_image *result, const vf_image *source, uint32_t *memory,
                       uint16_t *line) {
  const vf_layout_detail *detail = vf_layout_detail_find(source->fourcc);
  const vf_layout *layout = &detail->layout;
  int is_packed = layout->arrangement == VF_ARRANGEMENT_PACKED;
  int is_paired = layout->arrangement == VF_ARRANGEMENT_SEMIPLANAR;
  channel channels[3] = {{.step = 1, .is_luma = 1}, {.step = 1}, {.step = 1}};
  if (is_packed) {
    channels[0].step = 2;
    channels[0].offset = detail->places[0];
    channels[1].step = channels[2].step = 4;
    channels[1].offset = detail->places[1];
    channels[2].offset = detail->places[3];
  } else if (is_paired) {
    channels[1].step = channels[2].step = 2;
    channels[source->fourcc == VF_NV21 ? 1 : 2].offset = 1;
  }
  for (uint32_t i = 0; i < 3; i++) {
    channel *channel = &channels[i];
    boxes across = boxes_for(source->width, i ? layout->chroma_shift_x : 0, result->width, i != 0);
    channel->width = across.count;
    channel->result = result->planes[i];
    channel->runs = is_packed && i ? 2 : 1;
    channel->sums = memory;
    channel->edges = memory + result->width;
    memory += 2 * (size_t)result->width + 1;
    for (uint32_t x = 0; x <= across.count; x++)
      channel->edges[x] = edge(&across, x);
  }

  for (uint32_t plane = 0; plane < layout->plane_count; plane++) {
    size_t bytes, rows;
    vf_layout_plane_size(detail, source->width, source->height, plane, &bytes, &rows);
    boxes down =
        boxes_for(source->height, plane ? layout->chroma_shift_y : 0, result->height, plane != 0);
    take_plane(&channels[plane],
               is_packed            ? 3
               : plane && is_paired ? 2
                                    : 1,
               &source->planes[plane], bytes, &down, source->limited_range, line);
  }
}

static int is_coarse(uint32_t source, uint32_t result) {
  return result && source / result >= LEAST_FACTOR && source / result <= MOST_FACTOR;
}

int vf_image_thumbnail(vf_image *result, const vf_image *source, uint32_t width, uint32_t height,
                       vf_failure *failure) {
  int code = vf_image_check(source, "thumbnail", failure);
  if (code)
    return code;
  const vf_layout *layout = vf_layout_find(source->fourcc);
  if (layout->arrangement == VF_ARRANGEMENT_RGB || !is_coarse(source->width, width) ||
      !is_coarse(source->height, height))
    return vf_image_scale(result, source, width, height, failure);
  int is_grey = layout->arrangement == VF_ARRANGEMENT_GREY;
  vf_image made;
  code = vf_image_create(&made, is_grey ? VF_GREY : VF_I420, width, height, 0, failure);
  if (code)
    return code;
  uint32_t *memory = calloc(3 * (2 * (size_t)width + 1), sizeof *memory);
  // A packed row has two bytes for each pixel, and a pair for the last one of an odd width.
  uint16_t *line = malloc(2 * ((size_t)source->width + 1) * sizeof *line);
  if (memory && line) {
    take_image(&made, source, memory, line);
    *result = made;
  } else {
    code = vf_fail(failure, ENOMEM, "thumbnail", NULL);
    vf_image_free(&made);
  }
  free(memory);
  free(line);
  return code;
}
