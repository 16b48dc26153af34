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

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t words16 __attribute__((vector_size(32)));
typedef int32_t ints16 __attribute__((vector_size(64)));
typedef float floats2 __attribute__((vector_size(8)));
typedef float floats16 __attribute__((vector_size(64)));

/// A deviation of the light, in levels, that fills a patch's range well.
enum { SPREAD = 48 };

// Two pixels of a patch, which lie beside each other, are taken together: vectors have the numbers
// of the first, and then those of the second. Long vectors go by address: by value each instruction
// set would pass them its own way.

/// One number for all of the first, and one for all of the second.
static inline void spread_two(floats16 *numbers, const float *two) {
  floats2 pair;
  memcpy(&pair, two, sizeof pair);
  *numbers = __builtin_shufflevector(pair, pair, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
}

/// The picture's pixels at two places, each with that beside it.
static inline void load_pixels(floats16 *numbers, const uint64_t *two) {
  bytes16 bytes;
  memcpy(&bytes, two, sizeof bytes);
  *numbers = __builtin_convertvector(__builtin_convertvector(bytes, ints16), floats16);
}

static inline void load_cells(floats16 *numbers, const int16_t *first, const int16_t *second) {
  int16_t two[16];
  memcpy(two, first, 16);
  memcpy(two + 8, second, 16);
  words16 words;
  memcpy(&words, two, sizeof words);
  *numbers = __builtin_convertvector(__builtin_convertvector(words, ints16), floats16);
}

/// Where the pixels of a patch's row lie, in the picture and on the maps: the pixel and the cell,
/// how far it is to those beside and below (0 on the border), and how near to them; what lies
/// outside lies on the border.
typedef struct patch_row {
  int32_t pixel[EYE_PATCH_WIDTH], pixel_below[EYE_PATCH_WIDTH];
  int32_t cell[EYE_PATCH_WIDTH], cell_beside[EYE_PATCH_WIDTH], cell_below[EYE_PATCH_WIDTH];
  uint8_t is_last[EYE_PATCH_WIDTH];
  float u[EYE_PATCH_WIDTH], t[EYE_PATCH_WIDTH], cell_u[EYE_PATCH_WIDTH], cell_t[EYE_PATCH_WIDTH];
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
    x = eye_clamp(x, 0, last_x);
    y = eye_clamp(y, 0, last_y);
    row->pixel[i] = (y >> 8) * source->width + (x >> 8);
    row->pixel_below[i] = y < last_y ? source->width : 0;
    row->is_last[i] = x == last_x;
    row->u[i] = (float)(x & 255) / 256;
    row->t[i] = (float)(y & 255) / 256;
    x = (int32_t)((float)(at.x + 128) * cells_x) - 128;
    y = (int32_t)((float)(at.y + 128) * cells_y) - 128;
    x = eye_clamp(x, 0, last_cell_x);
    y = eye_clamp(y, 0, last_cell_y);
    row->cell[i] = (y >> 8) * source->map_width + (x >> 8);
    row->cell_beside[i] = x < last_cell_x;
    row->cell_below[i] = y < last_cell_y ? source->map_width : 0;
    row->cell_u[i] = (float)(x & 255) / 256;
    row->cell_t[i] = (float)(y & 255) / 256;
  }
  uint64_t inside = 0;
  for (int32_t i = 0; i < EYE_PATCH_WIDTH; i++)
    inside |= (uint64_t)is_inside[i] << i;
  return inside;
}

/// Two pixels that lie beside each other, or the last one twice.
static inline uint64_t two_pixels(const uint32_t *pixel, bool is_last) {
  uint64_t two;
  if (is_last)
    two = *pixel | (uint64_t)*pixel << 32;
  else
    memcpy(&two, pixel, sizeof two);
  return two;
}

/// The picture between four pixels, at two places, in the first four numbers of each. All of it is
/// exact, in whatever order.
static inline void sample_picture(const eye_patch_source *source, const patch_row *row, int32_t i,
                                  floats16 *numbers) {
  uint64_t above[2], below[2];
  for (int32_t k = 0; k < 2; k++) {
    const uint32_t *pixel = source->pixels + row->pixel[i + k];
    above[k] = two_pixels(pixel, row->is_last[i + k]);
    below[k] = two_pixels(pixel + row->pixel_below[i + k], row->is_last[i + k]);
  }
  floats16 a, b, u, t;
  load_pixels(&a, above);
  load_pixels(&b, below);
  spread_two(&u, row->u + i);
  spread_two(&t, row->t + i);
  a += (b - a) * t;
  floats16 right =
      __builtin_shufflevector(a, a, 4, 5, 6, 7, 4, 5, 6, 7, 12, 13, 14, 15, 12, 13, 14, 15);
  *numbers = a + (right - a) * u;
}

/// What the maps say between four cells, at two places.
static inline void sample_maps(const eye_patch_source *source, const patch_row *row, int32_t i,
                               floats16 *numbers) {
  const int16_t *cells[2][4];
  for (int32_t k = 0; k < 2; k++) {
    const int16_t *cell = source->cells[row->cell[i + k]];
    cells[k][0] = cell;
    cells[k][1] = cell + 8 * row->cell_beside[i + k];
    cells[k][2] = cell + 8 * row->cell_below[i + k];
    cells[k][3] = cells[k][2] + 8 * row->cell_beside[i + k];
  }
  floats16 a, b, c, d, u, t;
  load_cells(&a, cells[0][0], cells[1][0]);
  load_cells(&b, cells[0][1], cells[1][1]);
  load_cells(&c, cells[0][2], cells[1][2]);
  load_cells(&d, cells[0][3], cells[1][3]);
  spread_two(&u, row->cell_u + i);
  spread_two(&t, row->cell_t + i);
  a += (b - a) * u;
  c += (d - c) * u;
  *numbers = a + (c - a) * t;
}

/// Two pixels of a patch: the picture; mask, border, corner; the way to the nearest side, along and
/// down. In the place of the mask, that of the picture's pixels' 1.
static inline void sample_two(const eye_patch_source *source, const patch_row *row, int32_t i,
                              ints16 *result) {
  floats16 picture, maps;
  sample_picture(source, row, i, &picture);
  sample_maps(source, row, i, &maps);
  const floats16 x = {0, 0, 0, 0, 0, 0, source->along_x, source->down_x,
                      0, 0, 0, 0, 0, 0, source->along_x, source->down_x};
  const floats16 y = {0, 0, 0, 0, 0, 0, source->along_y, source->down_y,
                      0, 0, 0, 0, 0, 0, source->along_y, source->down_y};
  const floats16 most = 127 - (floats16){0};
  floats16 ways =
      __builtin_shufflevector(maps, maps, 4, 4, 4, 4, 4, 4, 4, 4, 12, 12, 12, 12, 12, 12, 12, 12) *
          x +
      __builtin_shufflevector(maps, maps, 5, 5, 5, 5, 5, 5, 5, 5, 13, 13, 13, 13, 13, 13, 13, 13) *
          y;
  ways = __builtin_elementwise_min(__builtin_elementwise_max(ways, -most), most);
  floats16 all = __builtin_shufflevector(picture, maps, 0, 1, 2, 16, 17, 18, 0, 0, 8, 9, 10, 24, 25,
                                         26, 0, 0) +
                 0.5f;
  all = __builtin_shufflevector(all, ways, 0, 1, 2, 3, 4, 5, 22, 23, 8, 9, 10, 11, 12, 13, 30, 31);
  const ints16 middle = {0, 0, 0, 0, 0, 0, 128, 128, 0, 0, 0, 0, 0, 0, 128, 128};
  *result = __builtin_convertvector(all, ints16) + middle;
}

/// Stores those of two pixels that the bits name.
static inline void store_two(uint8_t *patch, const ints16 *pixels, uint64_t both) {
  bytes16 bytes = __builtin_convertvector(*pixels, bytes16);
  if (both == 3)
    memcpy(patch, &bytes, sizeof bytes);
  else if (both)
    memcpy(patch + both / 2 * EYE_PATCH_DEPTH, (uint8_t *)&bytes + both / 2 * EYE_PATCH_DEPTH,
           EYE_PATCH_DEPTH);
}

/// Takes the mean of each colour out, and brings the light's deviation to `SPREAD`, within limits.
/// What lies outside of the picture has 128 already, and becomes the mean so.
static inline void even_out(uint8_t *patch, const uint64_t *inside, const int32_t *sums,
                            const int32_t *squares, int32_t count) {
  // What the maps say stays as it is.
  ints16 means = 128 - (ints16){0}, gains = 256 - (ints16){0};
  int64_t all = 0;
  for (int c = 0; c < 3 && count > 0; c++) {
    int64_t mean = sums[c] / count;
    means[c] = means[c + 8] = (int32_t)mean;
    all += squares[c] - 2 * mean * sums[c] + mean * mean * count;
  }
  // In 1/16 level.
  int32_t spread = (int32_t)eye_root((uint64_t)(all * 256 / (3 * eye_max(count, 1))));
  for (int c = 0; c < 3; c++)
    gains[c] = gains[c + 8] = eye_clamp(SPREAD * 16 * 256 / eye_max(spread, 1), 192, 1280);
  const ints16 least = {0}, most = 255 - least;
  for (int32_t i = 0; i < EYE_PATCH; i += 2, patch += 2 * EYE_PATCH_DEPTH) {
    uint64_t both = inside[i / EYE_PATCH_WIDTH] >> i % EYE_PATCH_WIDTH & 3;
    bytes16 bytes;
    memcpy(&bytes, patch, sizeof bytes);
    ints16 pixels = 128 + (__builtin_convertvector(bytes, ints16) - means) * gains / 256;
    pixels = __builtin_elementwise_min(__builtin_elementwise_max(pixels, least), most);
    store_two(patch, &pixels, both);
  }
}

static void take_patch(uint8_t *patch, const eye_patch_source *source) {
  // Which pixels lie in the picture, a word a row; sums of their numbers, and of the squares.
  uint64_t inside[EYE_PATCH_HEIGHT] = {0};
  ints16 sums = {0}, squares = {0};
  const ints16 first = {-1, -1, -1, -1, -1, -1, -1, -1}, second = ~first;
  int32_t count = 0;
  memset(patch, 128, EYE_PATCH * EYE_PATCH_DEPTH);
  for (int32_t j = 0; j < EYE_PATCH_HEIGHT; j++) {
    patch_row row;
    inside[j] = place_row(&row, source, j);
    count += __builtin_popcountll(inside[j]);
    for (int32_t i = 0; i < EYE_PATCH_WIDTH; i += 2) {
      uint64_t both = inside[j] >> i & 3;
      if (!both)
        continue;
      ints16 pixels;
      sample_two(source, &row, i, &pixels);
      store_two(patch + (j * EYE_PATCH_WIDTH + i) * EYE_PATCH_DEPTH, &pixels, both);
      if (both != 3)
        pixels &= both == 1 ? first : second;
      sums += pixels;
      squares += pixels * pixels;
    }
  }
  int32_t all[3], all_squares[3];
  for (int c = 0; c < 3; c++) {
    all[c] = sums[c] + sums[c + 8];
    all_squares[c] = squares[c] + squares[c + 8];
  }
  even_out(patch, inside, all, all_squares, count);
}

#pragma clang assume_nonnull end
