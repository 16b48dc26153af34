#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"

/// Weights are integers that sum to this, so that an even area stays exactly as it is.
#define WEIGHT_BITS 14
#define WEIGHT_ONE (1 << WEIGHT_BITS)

/// How one result sample comes from a run of source samples.
typedef struct tap {
  uint32_t first;  ///< The first source sample.
  uint32_t count;  ///< How many.
  uint32_t weight; ///< The place of their weights among `weights`.
} tap;

/// The filter along one axis.
typedef struct filter {
  tap *_Nullable taps;
  int16_t *_Nullable weights;
} filter;

static void filter_free(filter *filter) {
  free(filter->taps);
  free(filter->weights);
}

/// The cubic convolution kernel with a = -1/2 (Catmull-Rom).
static double cubic(double x) {
  x = fabs(x);
  if (x < 1)
    return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/// Rounds the running sum rather than each weight, so that the weights add up exactly, and a very
/// wide area keeps its shape.
static void settle_weights(int16_t *weights, const double *exact, uint32_t count) {
  double sum = 0, so_far = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += exact[i];
  long settled = 0;
  for (uint32_t i = 0; i < count; i++) {
    so_far += exact[i];
    long next = lrint(so_far / sum * WEIGHT_ONE);
    weights[i] = (int16_t)(next - settled);
    settled = next;
  }
}

/// The filter from `source_size` samples to `size`, where one result sample is `ratio` source
/// samples wide: their area when that is more than one, else four neighbours.
static int filter_create(filter *result, uint32_t size, uint32_t source_size, double ratio) {
  uint32_t most = ratio > 1 ? (uint32_t)ceil(ratio) + 2 : 4;
  filter made = {.taps = malloc(size * sizeof(tap)),
                 .weights = calloc((size_t)size * most, sizeof(int16_t))};
  double *exact = malloc(most * sizeof *exact);
  if (!made.taps || !made.weights || !exact) {
    free(exact);
    filter_free(&made);
    return -ENOMEM;
  }
  int64_t last = (int64_t)source_size - 1;
  for (uint32_t i = 0; i < size; i++) {
    double begin = i * ratio, end = (i + 1) * ratio, middle = (begin + end) / 2 - 0.5;
    int64_t from = ratio > 1 ? (int64_t)floor(begin) : (int64_t)floor(middle) - 1;
    int64_t to = ratio > 1 ? (int64_t)ceil(end) - 1 : from + 3;
    int64_t first = from < 0 ? 0 : from > last ? last : from;
    uint32_t count = 0;
    memset(exact, 0, most * sizeof *exact);
    for (int64_t j = from; j <= to; j++) {
      double weight =
          ratio > 1 ? fmin(end, (double)j + 1) - fmax(begin, (double)j) : cubic((double)j - middle);
      // What lies outside repeats the edge.
      int64_t index = j < first ? first : j > last ? last : j;
      exact[index - first] += weight;
      count = (uint32_t)(index - first) + 1;
    }
    made.taps[i] = (tap){.first = (uint32_t)first, .count = count, .weight = i * most};
    settle_weights(made.weights + (size_t)i * most, exact, count);
  }
  free(exact);
  *result = made;
  return 0;
}

/// Between the passes samples keep this many bits of fraction.
#define KEPT_BITS 4

static void scale_plane(const vf_plane *result, uint32_t width, uint32_t height,
                        const vf_plane *source, uint32_t source_width, const filter *across,
                        const filter *down, int32_t *restrict line) {
  for (uint32_t y = 0; y < height; y++) {
    tap column = down->taps[y];
    const int16_t *weights = down->weights + column.weight;
    const int32_t half = 1 << (WEIGHT_BITS - KEPT_BITS - 1);
    for (uint32_t x = 0; x < source_width; x++)
      line[x] = half;
    for (uint32_t j = 0; j < column.count; j++) {
      const uint8_t *restrict row = vf_row(source, column.first + j);
      for (uint32_t x = 0; x < source_width; x++)
        line[x] += row[x] * weights[j];
    }
    for (uint32_t x = 0; x < source_width; x++)
      line[x] >>= WEIGHT_BITS - KEPT_BITS;

    uint8_t *out = vf_row(result, y);
    for (uint32_t x = 0; x < width; x++) {
      tap tap = across->taps[x];
      const int16_t *factors = across->weights + tap.weight;
      int32_t sum = 1 << (WEIGHT_BITS + KEPT_BITS - 1);
      for (uint32_t i = 0; i < tap.count; i++)
        sum += line[tap.first + i] * factors[i];
      out[x] = vf_clamp_byte(sum >> (WEIGHT_BITS + KEPT_BITS));
    }
  }
}

static int scale_planes(const vf_image *result, const vf_image *planar) {
  // Also the ratio of chroma: its samples' grid begins at the same corner.
  double ratio_x = (double)planar->width / result->width;
  double ratio_y = (double)planar->height / result->height;
  int32_t *line = malloc(planar->width * sizeof *line);
  int code = line ? 0 : -ENOMEM;
  for (uint32_t plane = 0; plane < 4 && !code; plane++) {
    vf_plane to = vf_image_plane(result, plane), from = vf_image_plane(planar, plane);
    if (!to.data || !from.data)
      continue;
    uint32_t width, height, source_width, source_height;
    vf_image_plane_size(result, plane, &width, &height);
    vf_image_plane_size(planar, plane, &source_width, &source_height);
    filter across = {0}, down = {0};
    code = filter_create(&across, width, source_width, ratio_x);
    if (!code)
      code = filter_create(&down, height, source_height, ratio_y);
    if (!code)
      scale_plane(&to, width, height, &from, source_width, &across, &down, line);
    filter_free(&across);
    filter_free(&down);
  }
  free(line);
  return code;
}

int vf_image_scale(vf_image *result, const vf_image *source, uint32_t width, uint32_t height,
                   vf_failure *failure) {
  vf_image planar, scaled;
  int code = vf_image_borrow_planar(&planar, source, failure);
  if (code)
    return code;
  code = vf_image_create(&scaled, planar.fourcc, width, height, planar.alpha.data != NULL, failure);
  if (!code && scale_planes(&scaled, &planar)) {
    code = vf_fail(failure, ENOMEM, "scale", NULL);
    vf_image_free(&scaled);
  }
  vf_image_free(&planar);
  if (!code)
    *result = scaled;
  return code;
}
