#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detect/samples.h"
#include "detect/workspace.h"
#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"

// The working picture: red, green and blue planes of the whole frame, area-scaled. Rows are summed
// first (all their bytes alike, which vectors do well), then columns, once for each row of the
// result. Weights are 1/256, so a frame of more than 256 times the size is sampled.

/// Where the share `i` of `parts` of `extent` samples begins, in 1/256 sample.
static uint64_t boundary(uint32_t i, uint32_t parts, uint32_t extent) {
  return (uint64_t)i * extent * 256 / parts;
}

/// Sums the source's rows that make up row `y` of `height`, with weights that add up to 256.
static void sum_rows(vf_eye *eye, const vf_plane *plane, uint32_t row_bytes, uint32_t rows,
                     uint32_t y, uint32_t height) {
  uint64_t from = boundary(y, height, rows), to = boundary(y + 1, height, rows);
  if (to <= from)
    to = from + 1;
  memset(eye->sums, 0, row_bytes * sizeof *eye->sums);
  uint32_t given = 0;
  for (uint64_t row = from / 256; row * 256 < to; row++) {
    uint64_t end = (row + 1) * 256 < to ? (row + 1) * 256 : to;
    // The weight is the share of all that is summed so far, so that rounding never piles up.
    uint32_t weight = (uint32_t)((end - from) * 256 / (to - from)) - given;
    given += weight;
    if (weight)
      eye->kernels->add_row(eye->sums, plane->data + row * plane->stride, weight, row_bytes);
  }
}

/// Means of the summed row's columns.
static void mean_columns(const vf_eye *eye, const eye_part *from, uint8_t *result, int32_t width) {
  const uint16_t *sums = eye->sums + from->offset;
  for (int32_t x = 0; x < width; x++) {
    uint64_t start = boundary((uint32_t)x, (uint32_t)width, from->width);
    uint64_t end = boundary((uint32_t)x + 1, (uint32_t)width, from->width);
    if (end <= start)
      end = start + 1;
    uint32_t span = (uint32_t)(end - start);
    uint64_t sum = 0;
    for (uint64_t at = start / 256; at * 256 < end; at++) {
      uint64_t low = at * 256 > start ? at * 256 : start;
      uint64_t high = (at + 1) * 256 < end ? (at + 1) * 256 : end;
      sum += (high - low) * sums[at * from->step];
    }
    result[x] = (uint8_t)((sum + (uint64_t)span * 128) / ((uint64_t)span * 256));
  }
}

/// Turns the planes of Y, Cb and Cr into red, green and blue.
static void convert(vf_eye *eye, uint32_t components, bool is_limited) {
  int32_t count = eye->width * eye->height;
  uint8_t *first = eye->planes[0], *second = eye->planes[1], *third = eye->planes[2];
  if (components == 1) {
    for (int32_t i = 0; i < count && is_limited; i++)
      first[i] = vf_full_luma(first[i]);
    memcpy(second, first, (size_t)count);
    memcpy(third, first, (size_t)count);
    return;
  }
  if (is_limited) {
    for (int32_t i = 0; i < count; i++) {
      first[i] = vf_full_luma(first[i]);
      second[i] = vf_full_chroma(second[i]);
      third[i] = vf_full_chroma(third[i]);
    }
  }
  eye->kernels->to_rgb(first, second, third, (size_t)count);
}

/// What the network sees: BGR, the sides multiples of 32.
static void shrink_for_network(vf_eye *eye) {
  int32_t width = eye->width, height = eye->height, most = eye_max(width, height);
  int32_t sides[2] = {width, height};
  for (int i = 0; i < 2; i++)
    sides[i] = sides[i] == most
                   ? EYE_NET_SIDE
                   : eye_max(64, (sides[i] * EYE_NET_SIDE + 16 * most) / (32 * most) * 32);
  eye->small_width = sides[0];
  eye->small_height = sides[1];
  eye_part all = {.step = 1, .width = (uint32_t)width};
  uint8_t line[EYE_NET_SIDE];
  for (int c = 0; c < 3; c++) {
    vf_plane plane = {eye->planes[2 - c], (size_t)width};
    for (int32_t y = 0; y < sides[1]; y++) {
      uint8_t *result = eye->small + y * sides[0] * 3 + c;
      if (width == 2 * sides[0] && height == 2 * sides[1]) {
        const uint8_t *a = plane.data + 2 * y * width, *b = a + width;
        for (int32_t x = 0; x < sides[0]; x++)
          result[3 * x] = (uint8_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) >> 2);
        continue;
      }
      sum_rows(eye, &plane, (uint32_t)width, (uint32_t)height, (uint32_t)y, (uint32_t)sides[1]);
      mean_columns(eye, &all, line, sides[0]);
      for (int32_t x = 0; x < sides[0]; x++)
        result[3 * x] = line[x];
    }
  }
}

int eye_take_picture(vf_eye *eye, const vf_image *image, vf_failure *failure) {
  eye_parts parts = eye_lay_out(image);
  uint32_t count = parts.count;
  size_t widest = EYE_SIDE;
  for (int i = 0; i < 3; i++)
    widest = parts.row_bytes[i] > widest ? parts.row_bytes[i] : widest;
  if (widest > eye->sums_capacity) {
    uint16_t *sums = realloc(eye->sums, widest * sizeof *sums);
    if (!sums)
      return vf_fail(failure, ENOMEM, "malloc", NULL);
    eye->sums = sums;
    eye->sums_capacity = widest;
  }

  uint64_t most = image->width > image->height ? image->width : image->height;
  uint64_t width = image->width, height = image->height;
  if (most > EYE_SIDE) {
    width = (2 * width * EYE_SIDE + most) / (2 * most);
    height = (2 * height * EYE_SIDE + most) / (2 * most);
  }
  eye->width = (int32_t)(width ? width : 1);
  eye->height = (int32_t)(height ? height : 1);

  for (int32_t y = 0; y < eye->height; y++) {
    uint32_t summed = UINT32_MAX;
    for (uint32_t c = 0; c < count; c++) {
      const eye_part *from = &parts.parts[c];
      if (summed != from->plane) {
        summed = from->plane;
        sum_rows(eye, &image->planes[summed], parts.row_bytes[summed], parts.rows[summed],
                 (uint32_t)y, (uint32_t)eye->height);
      }
      mean_columns(eye, from, eye->planes[c] + y * eye->width, eye->width);
    }
  }
  if (!parts.is_rgb)
    convert(eye, count, image->limited_range);
  shrink_for_network(eye);
  return 0;
}
