// The picture in and around a quadrilateral, straightened, with its own light taken out; and what
// the first network's maps say there. Each set's file includes this once: the compiler makes of
// its vectors what the file's instructions have.

#include <string.h>

#include "detect/eye.h"
#include "detect/kernels/kernels.h"

#pragma clang assume_nonnull begin

// Products of bytes and shares (1/256) are exact as floats, and nothing else is rounded but shares
// of sides, each operation alone: the numbers are the same everywhere.
#pragma STDC FP_CONTRACT OFF

typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef float floats4 __attribute__((vector_size(16)));
typedef int16_t words4 __attribute__((vector_size(8)));

/// A deviation of the light, in levels, that fills a patch's range well.
enum { SPREAD = 48 };

static inline ints4 load_pixel(const void *pixel) {
  bytes4 bytes;
  memcpy(&bytes, pixel, sizeof bytes);
  return __builtin_convertvector(bytes, ints4);
}

static inline floats4 load_numbers(const uint32_t *pixel) {
  return __builtin_convertvector(load_pixel(pixel), floats4);
}

static inline floats4 load_half_cell(const int16_t *cell) {
  words4 words;
  memcpy(&words, cell, sizeof words);
  return __builtin_convertvector(words, floats4);
}

static inline void store_pixel(uint8_t *pixel, ints4 numbers) {
  bytes4 bytes = __builtin_convertvector(numbers, bytes4);
  memcpy(pixel, &bytes, sizeof bytes);
}

static inline floats4 between(floats4 a, floats4 b, floats4 c, floats4 d, float u, float t) {
  floats4 above = a + (b - a) * u, below = c + (d - c) * u;
  return above + (below - above) * t;
}

static inline uint8_t as_way(float way) {
  return (uint8_t)(128 + (int32_t)(way > 127 ? 127 : way < -127 ? -127 : way));
}

/// Mask, border, corner, and the way to the nearest side: what the maps say at a point of the
/// picture.
static inline void sample_maps(const eye_patch_source *source, eye_point at, uint8_t *result) {
  int32_t last_x = (source->map_width - 1) * 256, last_y = (source->map_height - 1) * 256;
  int32_t x = eye_clamp((int32_t)((float)(at.x + 128) * source->cells_x) - 128, 0, last_x);
  int32_t y = eye_clamp((int32_t)((float)(at.y + 128) * source->cells_y) - 128, 0, last_y);
  const int16_t *a = source->cells[(y >> 8) * source->map_width + (x >> 8)];
  const int16_t *b = a + (y < last_y ? 8 * source->map_width : 0);
  int32_t next = x < last_x ? 8 : 0;
  float u = (float)(x & 255) / 256, t = (float)(y & 255) / 256;
  floats4 chances = between(load_half_cell(a), load_half_cell(a + next), load_half_cell(b),
                            load_half_cell(b + next), u, t);
  floats4 way = between(load_half_cell(a + 4), load_half_cell(a + next + 4), load_half_cell(b + 4),
                        load_half_cell(b + next + 4), u, t);
  store_pixel(result, __builtin_convertvector(chances + 0.5f, ints4));
  result[3] = as_way(way[0] * source->along_x + way[1] * source->along_y);
  result[4] = as_way(way[0] * source->down_x + way[1] * source->down_y);
}

/// Takes the mean of each colour out, and brings the light's deviation to `SPREAD`, within limits.
/// What lies outside of the picture has 128 already, and becomes the mean so.
static inline void even_out(uint8_t *patch, const uint64_t *inside, ints4 sums, ints4 squares) {
  int32_t count = sums[3];
  ints4 means = {0};
  int64_t all = 0;
  for (int c = 0; c < 3 && count > 0; c++) {
    int64_t mean = sums[c] / count;
    means[c] = (int32_t)mean;
    all += squares[c] - 2 * mean * sums[c] + mean * mean * count;
  }
  // In 1/16 level.
  int32_t spread = (int32_t)eye_root((uint64_t)(all * 256 / (3 * eye_max(count, 1))));
  int32_t gain = eye_clamp(SPREAD * 16 * 256 / eye_max(spread, 1), 192, 1280);
  const ints4 least = {0}, most = {255, 255, 255, 255};
  for (int32_t i = 0; i < EYE_PATCH; i++, patch += EYE_PATCH_DEPTH) {
    if (!(inside[i / EYE_PATCH_WIDTH] >> i % EYE_PATCH_WIDTH & 1))
      continue;
    ints4 pixel = 128 + (load_pixel(patch) - means) * gain / 256;
    uint8_t mask = patch[3];
    store_pixel(patch, __builtin_elementwise_min(__builtin_elementwise_max(pixel, least), most));
    patch[3] = mask;
  }
}

static void take_patch(uint8_t *patch, const eye_patch_source *source) {
  // Which pixels lie in the picture, a word a row; sums of their numbers (the last counts them) and
  // of the squares.
  uint64_t inside[EYE_PATCH_HEIGHT] = {0};
  ints4 sums = {0}, squares = {0};
  int32_t last_x = (source->width - 1) * 256, last_y = (source->height - 1) * 256;
  uint8_t *to = patch;
  memset(patch, 128, EYE_PATCH * EYE_PATCH_DEPTH);
  for (int32_t j = 0; j < EYE_PATCH_HEIGHT; j++) {
    int32_t v = (2 * (j - EYE_PATCH_MARGIN_Y) + 1) * 65536 / (2 * EYE_PATCH_OWN_HEIGHT);
    eye_point left = eye_between(source->quad.p[0], source->quad.p[3], v);
    eye_point right = eye_between(source->quad.p[1], source->quad.p[2], v);
    for (int32_t i = 0; i < EYE_PATCH_WIDTH; i++, to += EYE_PATCH_DEPTH) {
      eye_point at = eye_between(
          left, right, (2 * (i - EYE_PATCH_MARGIN_X) + 1) * 65536 / (2 * EYE_PATCH_OWN_WIDTH));
      int32_t x = ((at.x + 128) >> source->shift) - 128, y = ((at.y + 128) >> source->shift) - 128;
      if (x <= -128 || y <= -128 || x >= last_x + 128 || y >= last_y + 128)
        continue;
      inside[j] |= (uint64_t)1 << i;
      x = eye_clamp(x, 0, last_x);
      y = eye_clamp(y, 0, last_y);
      const uint32_t *a = source->pixels + (y >> 8) * source->width + (x >> 8);
      const uint32_t *b = a + (y < last_y ? source->width : 0);
      int32_t next = x < last_x;
      floats4 numbers =
          between(load_numbers(a), load_numbers(a + next), load_numbers(b), load_numbers(b + next),
                  (float)(x & 255) / 256, (float)(y & 255) / 256);
      ints4 pixel = __builtin_convertvector(numbers + 0.5f, ints4);
      store_pixel(to, pixel);
      sums += pixel;
      squares += pixel * pixel;
      sample_maps(source, at, to + 3);
    }
  }
  even_out(patch, inside, sums, squares);
}

#pragma clang assume_nonnull end
