#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detect/samples.h"
#include "detect/workspace.h"
#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"

// The working picture: red, green and blue planes of the whole frame, area-scaled. Rows are summed
// first (all their bytes alike), then columns, once for each row of the result. Weights are whole
// numbers (1/128 down, 1/256 across), so a frame of more than that times the size is sampled.

/// Where the share `i` of `parts` of `extent` samples begins, in 1/256 sample.
static uint64_t boundary(uint32_t i, uint32_t parts, uint32_t extent) {
  return (uint64_t)i * extent * 256 / parts;
}

/// Sums the source's rows that make up row `y` of `height`, with weights that add up to 128. Rows
/// whose samples lie in turns are taken apart into the even and the odd ones.
static void sum_rows(vf_eye *eye, const vf_plane *plane, uint32_t row_bytes, uint32_t rows,
                     uint32_t y, uint32_t height, bool takes_apart) {
  uint64_t from = boundary(y, height, rows), to = boundary(y + 1, height, rows);
  if (to <= from)
    to = from + 1;
  const uint8_t *used[128];
  uint8_t weights[128];
  uint32_t given = 0;
  int32_t count = 0;
  for (uint64_t row = from / 256; row * 256 < to; row++) {
    uint64_t end = (row + 1) * 256 < to ? (row + 1) * 256 : to;
    // The weight is the share of all that is summed so far, so that rounding never piles up.
    uint32_t weight = (uint32_t)((end - from) * 128 / (to - from)) - given;
    given += weight;
    if (weight) {
      used[count] = plane->data + row * plane->stride;
      weights[count++] = (uint8_t)weight;
    }
  }
  eye->kernels->sum_rows(eye->sums, takes_apart ? eye->odd_sums : NULL, used, weights, count,
                         row_bytes);
}

/// How a row of `from` samples becomes one of `to`. Made anew only when the sizes change.
static bool prepare_columns(eye_columns *columns, uint32_t from, uint32_t to) {
  if (columns->from == from && columns->to == to)
    return true;
  int32_t taps = (int32_t)(from / to + 2);
  taps = taps <= 4 ? 4 : (taps + 7) / 8 * 8;
  size_t count = (size_t)taps * to;
  if (count > columns->capacity) {
    int16_t *weights = realloc(columns->weights, count * sizeof *weights);
    if (!weights)
      return false;
    columns->weights = weights;
    columns->capacity = count;
  }
  columns->from = from;
  columns->to = to;
  columns->taps = taps;
  memset(columns->weights, 0, count * sizeof *columns->weights);
  for (uint32_t x = 0; x < to; x++) {
    uint64_t start = boundary(x, to, from), end = boundary(x + 1, to, from);
    if (end <= start)
      end = start + 1;
    uint64_t given = 0, first = start / 256;
    columns->first[x] = (int32_t)first;
    int16_t *weights = columns->weights + (size_t)taps * x;
    for (uint64_t at = first; at * 256 < end; at++) {
      uint64_t stop = (at + 1) * 256 < end ? (at + 1) * 256 : end;
      uint64_t share = (stop - start) * 256 / (end - start);
      weights[at - first] = (int16_t)(share - given);
      given = share;
    }
  }
  return true;
}

/// Means of columns, of which every `step`th sum is one.
static void mean_columns(const vf_eye *eye, const eye_columns *columns, const uint16_t *sums,
                         uint32_t step, uint8_t *result) {
  const int16_t *samples = (const int16_t *)sums;
  if (step != 1) {
    eye->kernels->take_apart(eye->samples, sums, step, columns->from);
    samples = eye->samples;
  }
  eye->kernels->weigh_columns(result, samples, columns->first, columns->weights, columns->taps,
                              (int32_t)columns->to);
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
  int32_t width = eye->width, height = eye->height;
  int32_t small_width = eye->small_width, small_height = eye->small_height;
  uint8_t line[EYE_NET_SIDE];
  for (int c = 0; c < 3; c++) {
    vf_plane plane = {eye->planes[2 - c], (size_t)width};
    for (int32_t y = 0; y < small_height; y++) {
      uint8_t *result = eye->small + y * small_width * 3 + c;
      sum_rows(eye, &plane, (uint32_t)width, (uint32_t)height, (uint32_t)y, (uint32_t)small_height,
               false);
      mean_columns(eye, &eye->columns[2], eye->sums, 1, line);
      for (int32_t x = 0; x < small_width; x++)
        result[3 * x] = line[x];
    }
  }
}

/// The sizes of the working picture and of the network's.
static void choose_sizes(vf_eye *eye, const vf_image *image) {
  uint64_t most = image->width > image->height ? image->width : image->height;
  uint64_t width = image->width, height = image->height;
  if (most > EYE_SIDE) {
    width = (2 * width * EYE_SIDE + most) / (2 * most);
    height = (2 * height * EYE_SIDE + most) / (2 * most);
  }
  eye->width = (int32_t)(width ? width : 1);
  eye->height = (int32_t)(height ? height : 1);
  int32_t longest = eye_max(eye->width, eye->height), sides[2] = {eye->width, eye->height};
  for (int i = 0; i < 2; i++)
    sides[i] = sides[i] == longest
                   ? EYE_NET_SIDE
                   : eye_max(64, (sides[i] * EYE_NET_SIDE + 16 * longest) / (32 * longest) * 32);
  eye->small_width = sides[0];
  eye->small_height = sides[1];
}

/// Room for the rows, and the columns' weights. False when there is no memory.
static bool make_room(vf_eye *eye, const eye_parts *parts) {
  uint32_t width = (uint32_t)eye->width, chroma = parts->parts[parts->count - 1].width;
  if (!prepare_columns(&eye->columns[0], parts->parts[0].width, width) ||
      !prepare_columns(&eye->columns[1], chroma, width) ||
      !prepare_columns(&eye->columns[2], width, (uint32_t)eye->small_width))
    return false;
  size_t widest = EYE_SIDE;
  for (int i = 0; i < 3; i++)
    widest = parts->row_bytes[i] > widest ? parts->row_bytes[i] : widest;
  // Whole vectors of weights reach beyond the last sample; what is there is times zero.
  widest += (size_t)eye->columns[0].taps + 16;
  if (widest <= eye->sums_capacity)
    return true;
  free(eye->sums);
  free(eye->odd_sums);
  free(eye->samples);
  eye->sums = calloc(widest, sizeof *eye->sums);
  eye->odd_sums = calloc(widest, sizeof *eye->odd_sums);
  eye->samples = calloc(widest, sizeof *eye->samples);
  eye->sums_capacity = eye->sums && eye->odd_sums && eye->samples ? widest : 0;
  return eye->sums_capacity > 0;
}

int eye_take_picture(vf_eye *eye, const vf_image *image, vf_failure *failure) {
  eye_parts parts = eye_lay_out(image);
  uint32_t count = parts.count;
  choose_sizes(eye, image);
  if (!make_room(eye, &parts))
    return vf_fail(failure, ENOMEM, "malloc", NULL);

  for (int32_t y = 0; y < eye->height; y++) {
    uint32_t summed = UINT32_MAX;
    for (uint32_t c = 0; c < count; c++) {
      const eye_part *from = &parts.parts[c];
      // Rows of two samples in turns: Y and chroma, or Cb and Cr.
      bool takes_apart = from->step == 2 || (from->step == 4 && !parts.is_rgb);
      if (summed != from->plane) {
        summed = from->plane;
        sum_rows(eye, &image->planes[summed], parts.row_bytes[summed], parts.rows[summed],
                 (uint32_t)y, (uint32_t)eye->height, takes_apart);
      }
      const uint16_t *sums = eye->sums + from->offset;
      if (takes_apart)
        sums = (from->offset % 2 ? eye->odd_sums : eye->sums) + from->offset / 2;
      const eye_columns *columns = &eye->columns[from->width != parts.parts[0].width];
      mean_columns(eye, columns, sums, takes_apart ? from->step / 2 : from->step,
                   eye->planes[c] + y * eye->width);
    }
  }
  if (!parts.is_rgb)
    convert(eye, count, image->limited_range);
  shrink_for_network(eye);
  return 0;
}
