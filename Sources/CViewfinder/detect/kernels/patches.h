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
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef int16_t words8 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef int32_t ints8 __attribute__((vector_size(32)));
typedef float floats4 __attribute__((vector_size(16)));
typedef float floats8 __attribute__((vector_size(32)));

/// A deviation of the light, in levels, that fills a patch's range well.
enum { SPREAD = 48 };

// Vectors of 32 bytes go by address: by value each instruction set would pass them its own way.

/// Two pixels beside each other, or the last one twice.
static inline void load_pixels(floats8 *numbers, const uint32_t *pixel, bool is_last) {
  bytes8 bytes;
  if (is_last)
    memcpy(&bytes, (uint32_t[2]){*pixel, *pixel}, sizeof bytes);
  else
    memcpy(&bytes, pixel, sizeof bytes);
  *numbers = __builtin_convertvector(__builtin_convertvector(bytes, ints8), floats8);
}

/// Between two pixels and the two below them, rounded. All of it is exact, in whatever order.
static inline ints4 between_pixels(const uint32_t *above, const uint32_t *below, bool is_last,
                                   float u, float t) {
  floats8 a, b;
  load_pixels(&a, above, is_last);
  load_pixels(&b, below, is_last);
  a += (b - a) * t;
  floats4 left = __builtin_shufflevector(a, a, 0, 1, 2, 3);
  floats4 right = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return __builtin_convertvector(left + (right - left) * u + 0.5f, ints4);
}

static inline void load_cell(floats8 *numbers, const int16_t *cell) {
  words8 words;
  memcpy(&words, cell, sizeof words);
  *numbers = __builtin_convertvector(__builtin_convertvector(words, ints8), floats8);
}

/// Between two cells and the two below them.
static inline void between_cells(floats8 *numbers, const int16_t *above, const int16_t *below,
                                 int32_t next, float u, float t) {
  floats8 a, b, c, d;
  load_cell(&a, above);
  load_cell(&b, above + next);
  load_cell(&c, below);
  load_cell(&d, below + next);
  a += (b - a) * u;
  c += (d - c) * u;
  *numbers = a + (c - a) * t;
}

static inline void store_pixel(uint8_t *pixel, ints4 numbers) {
  bytes4 bytes = __builtin_convertvector(numbers, bytes4);
  memcpy(pixel, &bytes, sizeof bytes);
}

/// Where the pixels of a patch's row lie: in the picture, in 1/256 pixel of its size, and on the
/// maps, in 1/256 cell; what lies outside, on the border.
typedef struct patch_row {
  int32_t x[EYE_PATCH_WIDTH], y[EYE_PATCH_WIDTH], cell_x[EYE_PATCH_WIDTH], cell_y[EYE_PATCH_WIDTH];
} patch_row;

/// The places of row `j`. Returns which lie in the picture.
static inline uint64_t place_row(patch_row *row, const eye_patch_source *source, int32_t j) {
  int32_t v = (2 * (j - EYE_PATCH_MARGIN_Y) + 1) * 65536 / (2 * EYE_PATCH_OWN_HEIGHT);
  eye_point left = eye_between(source->quad.p[0], source->quad.p[3], v);
  eye_point right = eye_between(source->quad.p[1], source->quad.p[2], v);
  int32_t last_x = (source->width - 1) * 256, last_y = (source->height - 1) * 256;
  int32_t last_cell_x = (source->map_width - 1) * 256, last_cell_y = (source->map_height - 1) * 256;
  int32_t shift = source->shift;
  float cells_x = source->cells_x, cells_y = source->cells_y;
  uint8_t is_inside[EYE_PATCH_WIDTH];
  for (int32_t i = 0; i < EYE_PATCH_WIDTH; i++) {
    eye_point at = eye_between(
        left, right, (2 * (i - EYE_PATCH_MARGIN_X) + 1) * 65536 / (2 * EYE_PATCH_OWN_WIDTH));
    int32_t x = ((at.x + 128) >> shift) - 128, y = ((at.y + 128) >> shift) - 128;
    is_inside[i] = (x > -128) & (y > -128) & (x < last_x + 128) & (y < last_y + 128);
    row->x[i] = eye_clamp(x, 0, last_x);
    row->y[i] = eye_clamp(y, 0, last_y);
    x = (int32_t)((float)(at.x + 128) * cells_x) - 128;
    y = (int32_t)((float)(at.y + 128) * cells_y) - 128;
    row->cell_x[i] = eye_clamp(x, 0, last_cell_x);
    row->cell_y[i] = eye_clamp(y, 0, last_cell_y);
  }
  uint64_t inside = 0;
  for (int32_t i = 0; i < EYE_PATCH_WIDTH; i++)
    inside |= (uint64_t)is_inside[i] << i;
  return inside;
}

/// The picture between four pixels.
static inline ints4 sample_picture(const eye_patch_source *source, int32_t x, int32_t y) {
  const uint32_t *a = source->pixels + (y >> 8) * source->width + (x >> 8);
  const uint32_t *b = a + ((y >> 8) + 1 < source->height ? source->width : 0);
  bool is_last = (x >> 8) + 1 == source->width;
  return between_pixels(a, b, is_last, (float)(x & 255) / 256, (float)(y & 255) / 256);
}

/// Mask, border, corner, and the way to the nearest side: what the maps say between four cells.
static inline void sample_maps(const eye_patch_source *source, int32_t x, int32_t y,
                               uint8_t *result) {
  const int16_t *a = source->cells[(y >> 8) * source->map_width + (x >> 8)];
  const int16_t *b = a + ((y >> 8) + 1 < source->map_height ? 8 * source->map_width : 0);
  int32_t next = (x >> 8) + 1 < source->map_width ? 8 : 0;
  float u = (float)(x & 255) / 256, t = (float)(y & 255) / 256;
  floats8 numbers;
  between_cells(&numbers, a, b, next, u, t);
  floats4 chances = __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3);
  store_pixel(result, __builtin_convertvector(chances + 0.5f, ints4));
  const floats4 most = {127, 127, 127, 127};
  floats4 ways = numbers[4] * (floats4){source->along_x, source->down_x} +
                 numbers[5] * (floats4){source->along_y, source->down_y};
  ways = __builtin_elementwise_min(__builtin_elementwise_max(ways, -most), most);
  ints4 shares = 128 + __builtin_convertvector(ways, ints4);
  result[3] = (uint8_t)shares[0];
  result[4] = (uint8_t)shares[1];
}

/// Takes the mean of each colour out, and brings the light's deviation to `SPREAD`, within limits.
/// What lies outside of the picture has 128 already, and becomes the mean so.
static inline void even_out(uint8_t *patch, const uint64_t *inside, ints4 sums, ints4 squares) {
  int32_t count = sums[3];
  // What the maps say stays as it is.
  ints8 means = 128 - (ints8){0}, gains = 256 - (ints8){0};
  int64_t all = 0;
  for (int c = 0; c < 3 && count > 0; c++) {
    int64_t mean = sums[c] / count;
    means[c] = (int32_t)mean;
    all += squares[c] - 2 * mean * sums[c] + mean * mean * count;
  }
  // In 1/16 level.
  int32_t spread = (int32_t)eye_root((uint64_t)(all * 256 / (3 * eye_max(count, 1))));
  for (int c = 0; c < 3; c++)
    gains[c] = eye_clamp(SPREAD * 16 * 256 / eye_max(spread, 1), 192, 1280);
  const ints8 least = {0}, most = 255 - least;
  for (int32_t i = 0; i < EYE_PATCH; i++, patch += EYE_PATCH_DEPTH) {
    if (!(inside[i / EYE_PATCH_WIDTH] >> i % EYE_PATCH_WIDTH & 1))
      continue;
    bytes8 bytes;
    memcpy(&bytes, patch, sizeof bytes);
    ints8 pixel = 128 + (__builtin_convertvector(bytes, ints8) - means) * gains / 256;
    pixel = __builtin_elementwise_min(__builtin_elementwise_max(pixel, least), most);
    bytes = __builtin_convertvector(pixel, bytes8);
    memcpy(patch, &bytes, sizeof bytes);
  }
}

static void take_patch(uint8_t *patch, const eye_patch_source *source) {
  // Which pixels lie in the picture, a word a row; sums of their numbers (the last counts them) and
  // of the squares.
  uint64_t inside[EYE_PATCH_HEIGHT] = {0};
  ints4 sums = {0}, squares = {0};
  memset(patch, 128, EYE_PATCH * EYE_PATCH_DEPTH);
  for (int32_t j = 0; j < EYE_PATCH_HEIGHT; j++) {
    patch_row row;
    inside[j] = place_row(&row, source, j);
    for (uint64_t bits = inside[j]; bits; bits &= bits - 1) {
      int32_t i = __builtin_ctzll(bits);
      uint8_t *to = patch + (j * EYE_PATCH_WIDTH + i) * EYE_PATCH_DEPTH;
      ints4 pixel = sample_picture(source, row.x[i], row.y[i]);
      store_pixel(to, pixel);
      sums += pixel;
      squares += pixel * pixel;
      sample_maps(source, row.cell_x[i], row.cell_y[i], to + 3);
    }
  }
  even_out(patch, inside, sums, squares);
}

#pragma clang assume_nonnull end
