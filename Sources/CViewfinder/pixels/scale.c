#include <errno.h>
#include <stdlib.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/filter.h"
#include "pixels/image.h"

static void scale_plane(const vf_plane *result, uint32_t width, uint32_t height,
                        const vf_plane *source, uint32_t source_width, const vf_filter *across,
                        const vf_filter *down, int32_t *restrict line) {
  for (uint32_t y = 0; y < height; y++) {
    vf_tap column = down->taps[y];
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
      vf_tap tap = across->taps[x];
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
    vf_filter across = {0}, down = {0};
    code = vf_filter_create(&across, width, source_width, ratio_x);
    if (!code)
      code = vf_filter_create(&down, height, source_height, ratio_y);
    if (!code)
      scale_plane(&to, width, height, &from, source_width, &across, &down, line);
    vf_filter_free(&across);
    vf_filter_free(&down);
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
