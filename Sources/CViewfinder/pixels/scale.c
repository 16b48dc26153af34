#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/filter.h"
#include "pixels/image.h"

/// Rows of the result that are made together, side by side in a vector; and samples of a row.
enum { STRIP = 8, RUN = 16 };

static size_t whole_vectors(uint32_t width) { return ((size_t)width + STRIP - 1) / STRIP * STRIP; }

typedef int16_t words8 __attribute__((vector_size(16)));
typedef int32_t numbers8 __attribute__((vector_size(32)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

/// Some samples of the sum of a tap's rows.
static inline void sum_rows(int16_t *restrict result, const vf_plane *source, vf_tap rows,
                            const int16_t *weights, uint32_t from, uint32_t count) {
  int32_t sums[RUN];
  for (uint32_t i = 0; i < count; i++)
    sums[i] = 1 << (WEIGHT_BITS - KEPT_BITS - 1);
  for (uint32_t j = 0; j < rows.count; j++) {
    const uint8_t *row = vf_row(source, rows.first + j) + from;
    for (uint32_t i = 0; i < count; i++)
      sums[i] += row[i] * weights[j];
  }
  for (uint32_t i = 0; i < count; i++)
    result[from + i] = (int16_t)(sums[i] >> (WEIGHT_BITS - KEPT_BITS));
}

/// A row at the source's width and the result's height; a sample keeps 12 bits, and a sign.
static void scale_down(int16_t *restrict result, const vf_plane *source, uint32_t width,
                       vf_tap rows, const int16_t *weights) {
  uint32_t x = 0;
  for (; x + RUN <= width; x += RUN)
    sum_rows(result, source, rows, weights, x, RUN);
  sum_rows(result, source, rows, weights, x, width - x);
}

/// Eight vectors of eight samples, turned: those of a place side by side.
static inline void turn(words8 *restrict result, const words8 *restrict r) {
  words8 pairs[STRIP], fours[STRIP];
  for (int i = 0; i < 4; i++) {
    pairs[2 * i] = __builtin_shufflevector(r[i], r[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    pairs[2 * i + 1] = __builtin_shufflevector(r[i], r[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
  for (int i = 0; i < 4; i++) {
    fours[2 * i] = __builtin_shufflevector(pairs[i], pairs[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    fours[2 * i + 1] = __builtin_shufflevector(pairs[i], pairs[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
  for (int i = 0; i < 4; i++) {
    result[2 * i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    result[2 * i + 1] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
}

/// A column of the result's samples.
static inline bytes8 scale_across(const words8 *columns, uint32_t count, const int16_t *weights) {
  numbers8 sums = {0};
  for (uint32_t i = 0; i < count; i++)
    sums += __builtin_convertvector(columns[i], numbers8) * weights[i];
  sums = (sums + (1 << (WEIGHT_BITS + KEPT_BITS - 1))) >> (WEIGHT_BITS + KEPT_BITS);
  words8 clamped = __builtin_convertvector(sums, words8);
  clamped &= clamped > 0;
  clamped |= clamped > 255;
  return __builtin_convertvector(clamped, bytes8);
}

/// Room for a strip: rows, the same turned, and the result's columns.
typedef struct strip {
  int16_t *rows;
  words8 *columns;
  bytes8 *result;
} strip;

static int make_room(strip *strip, uint32_t source_width, uint32_t width) {
  size_t wide = whole_vectors(source_width);
  *strip = (struct strip){calloc(STRIP * wide, sizeof(int16_t)),
                          aligned_alloc(sizeof(words8), wide * sizeof(words8)),
                          calloc(whole_vectors(width), sizeof(bytes8))};
  return strip->rows && strip->columns && strip->result ? 0 : -ENOMEM;
}

static void free_room(strip *strip) {
  free(strip->rows);
  free(strip->columns);
  free(strip->result);
}

/// Eight columns, turned back: the first samples of some rows.
static void store(const vf_plane *result, uint32_t x, uint32_t y, uint32_t rows, size_t samples,
                  const bytes8 *columns) {
  words8 words[STRIP], turned[STRIP];
  for (int i = 0; i < STRIP; i++)
    words[i] = __builtin_convertvector(columns[i], words8);
  turn(turned, words);
  for (uint32_t i = 0; i < rows; i++) {
    bytes8 bytes = __builtin_convertvector(turned[i], bytes8);
    uint8_t *out = vf_row(result, y + i) + x;
    if (samples == STRIP)
      memcpy(out, &bytes, sizeof bytes);
    else
      memcpy(out, &bytes, samples);
  }
}

static void scale_plane(const vf_plane *result, uint32_t width, uint32_t height,
                        const vf_plane *source, uint32_t source_width, const vf_filter *across,
                        const vf_filter *down, const strip *strip) {
  size_t stride = whole_vectors(source_width);
  for (uint32_t y = 0; y < height; y += STRIP) {
    uint32_t rows = height - y < STRIP ? height - y : STRIP;
    for (uint32_t i = 0; i < rows; i++) {
      vf_tap tap = down->taps[y + i];
      scale_down(strip->rows + i * stride, source, source_width, tap, down->weights + tap.weight);
    }
    for (size_t x = 0; x < stride; x += STRIP) {
      words8 some[STRIP];
      for (size_t i = 0; i < STRIP; i++)
        memcpy(&some[i], strip->rows + i * stride + x, sizeof some[i]);
      turn(strip->columns + x, some);
    }
    for (uint32_t x = 0; x < width; x++) {
      vf_tap tap = across->taps[x];
      strip->result[x] =
          scale_across(strip->columns + tap.first, tap.count, across->weights + tap.weight);
    }
    for (uint32_t x = 0; x < width; x += STRIP)
      store(result, x, y, rows, width - x < STRIP ? width - x : STRIP, strip->result + x);
  }
}

static int scale_planes(const vf_image *result, const vf_image *planar) {
  // Also the ratio of chroma: its samples' grid begins at the same corner.
  double ratio_x = (double)planar->width / result->width;
  double ratio_y = (double)planar->height / result->height;
  strip strip;
  int code = make_room(&strip, planar->width, result->width);
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
      scale_plane(&to, width, height, &from, source_width, &across, &down, &strip);
    vf_filter_free(&across);
    vf_filter_free(&down);
  }
  free_room(&strip);
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
