// The row loops themselves. Each set's file includes this once: the compiler makes vectors of them
// for the instructions that the file may use. Whole numbers, so the results are the same.

#include "detect/kernels/kernels.h"
#include "pixels/colour.h"

#pragma clang assume_nonnull begin

/// From byte `i` on, which is even.
static void sum_rows_from(size_t i, uint16_t *restrict sums, uint16_t *restrict _Nullable odd,
                          const uint8_t *const _Nonnull *_Nonnull rows, const uint8_t *weights,
                          int32_t row_count, size_t count) {
  // A piece at a time, whose sums stay near.
  enum { PIECE = 256 };
  for (; i < count; i += PIECE) {
    uint16_t piece[PIECE] = {0};
    size_t length = count - i < PIECE ? count - i : PIECE;
    for (int32_t r = 0; r < row_count; r++) {
      const uint8_t *restrict row = rows[r] + i;
      uint16_t weight = weights[r];
      for (size_t k = 0; k < length; k++)
        piece[k] = (uint16_t)(piece[k] + (uint16_t)(row[k] * weight));
    }
    for (size_t k = 0; k < length && !odd; k++)
      sums[i + k] = piece[k];
    for (size_t k = 0; k < length && odd; k += 2)
      sums[(i + k) / 2] = piece[k];
    for (size_t k = 1; k < length && odd; k += 2)
      odd[(i + k) / 2] = piece[k];
  }
}

static void take_apart(int16_t *restrict result, const uint16_t *restrict sums, uint32_t step,
                       size_t count) {
  // Steps that are known make vectors.
  if (step == 2) {
    for (size_t i = 0; i < count; i++)
      result[i] = (int16_t)sums[2 * i];
  } else if (step == 4) {
    for (size_t i = 0; i < count; i++)
      result[i] = (int16_t)sums[4 * i];
  } else {
    for (size_t i = 0; i < count; i++)
      result[i] = (int16_t)sums[step * i];
  }
}

/// From result `i` on, whose weights begin at `weights`.
static inline void weigh_columns_from(int32_t i, uint8_t *result, const int16_t *samples,
                                      const int32_t *first, const int16_t *weights, int32_t taps,
                                      int32_t count) {
  for (; i < count; i++, weights += taps) {
    const int16_t *at = samples + first[i];
    int32_t sum = 1 << 14;
    for (int32_t k = 0; k < taps; k++)
      sum += at[k] * weights[k];
    result[i] = (uint8_t)(sum >> 15);
  }
}

static void to_rgb(uint8_t *restrict first, uint8_t *restrict second, uint8_t *restrict third,
                   size_t count) {
  for (size_t i = 0; i < count; i++) {
    int32_t luma = first[i], cb = second[i], cr = third[i];
    first[i] = vf_red(luma, cr);
    second[i] = vf_green(luma, cb, cr);
    third[i] = vf_blue(luma, cb);
  }
}

static void to_channels(int16_t *restrict luma, int16_t *restrict red, int16_t *restrict yellow,
                        const uint8_t *restrict r, const uint8_t *restrict g,
                        const uint8_t *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t light = (uint16_t)(77 * r[i] + 150 * g[i] + 29 * b[i]);
    luma[i] = (int16_t)(light >> 2);
    red[i] = (int16_t)(45 * (r[i] - g[i]));
    yellow[i] = (int16_t)(16 * (r[i] + g[i]) - 32 * b[i]);
  }
}

static inline int16_t smooth_five(int16_t a, int16_t b, int16_t c, int16_t d, int16_t e) {
  // Four halvings of neighbours' sums: 1-4-6-4-1. All sums stay below 2^15.
  int16_t ab = (int16_t)((int16_t)(a + b) >> 1), bc = (int16_t)((int16_t)(b + c) >> 1);
  int16_t cd = (int16_t)((int16_t)(c + d) >> 1), de = (int16_t)((int16_t)(d + e) >> 1);
  int16_t abc = (int16_t)((int16_t)(ab + bc) >> 1), bcd = (int16_t)((int16_t)(bc + cd) >> 1);
  int16_t cde = (int16_t)((int16_t)(cd + de) >> 1);
  int16_t left = (int16_t)((int16_t)(abc + bcd) >> 1), right = (int16_t)((int16_t)(bcd + cde) >> 1);
  return (int16_t)((int16_t)(left + right + 1) >> 1);
}

static void smooth_row(int16_t *restrict result, const int16_t *restrict row, int32_t width) {
  for (int32_t x = 2; x < width - 2; x++)
    result[x] = smooth_five(row[x - 2], row[x - 1], row[x], row[x + 1], row[x + 2]);
  for (int32_t x = 0; x < width; x = x == 1 && width > 4 ? width - 2 : x + 1) {
    int32_t last = width - 1;
    result[x] = smooth_five(row[x > 2 ? x - 2 : 0], row[x > 1 ? x - 1 : 0], row[x],
                            row[x < last ? x + 1 : last], row[x + 2 < last ? x + 2 : last]);
  }
}

static void smooth_rows(int16_t *restrict result, const int16_t *const _Nonnull rows[_Nonnull 5],
                        int32_t width) {
  const int16_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2];
  const int16_t *restrict d = rows[3], *restrict e = rows[4];
  for (int32_t x = 0; x < width; x++)
    result[x] = smooth_five(a[x], b[x], c[x], d[x], e[x]);
}

static void halve_rows(int16_t *restrict result, const int16_t *restrict a,
                       const int16_t *restrict b, int32_t width) {
  for (int32_t x = 0; x < width; x++)
    result[x] = (int16_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) >> 2);
}

static inline int16_t longer(int16_t gx, int16_t gy) {
  int16_t x = (int16_t)(gx < 0 ? -gx : gx), y = (int16_t)(gy < 0 ? -gy : gy);
  int16_t most = x > y ? x : y, least = x > y ? y : x;
  int16_t sum = (int16_t)(most - (most >> 3) + (least >> 1));
  return sum > most ? sum : most;
}

static void gradient_row(int16_t *restrict gx, int16_t *restrict gy, uint16_t *restrict magnitude,
                         const int16_t *const _Nonnull channels[_Nonnull 3], int32_t stride,
                         int32_t count) {
  const int16_t *restrict a = channels[0], *restrict b = channels[1], *restrict c = channels[2];
  const int16_t *restrict a_up = a - stride, *restrict a_down = a + stride;
  const int16_t *restrict b_up = b - stride, *restrict b_down = b + stride;
  const int16_t *restrict c_up = c - stride, *restrict c_down = c + stride;
  for (int32_t i = 0; i < count; i++) {
    int16_t x = (int16_t)(a[i + 1] - a[i - 1]), y = (int16_t)(a_down[i] - a_up[i]);
    int16_t length = longer(x, y);
    int16_t bx = (int16_t)(b[i + 1] - b[i - 1]), by = (int16_t)(b_down[i] - b_up[i]);
    int16_t other = longer(bx, by);
    x = other > length ? bx : x;
    y = other > length ? by : y;
    length = other > length ? other : length;
    int16_t cx = (int16_t)(c[i + 1] - c[i - 1]), cy = (int16_t)(c_down[i] - c_up[i]);
    other = longer(cx, cy);
    gx[i] = other > length ? cx : x;
    gy[i] = other > length ? cy : y;
    magnitude[i] = (uint16_t)(other > length ? other : length);
  }
}

static inline uint64_t mask_products_word(const int16_t *pairs, int16_t x, int16_t y, int32_t low,
                                          int32_t high, int32_t count) {
  uint64_t word = 0;
  for (int32_t i = 0; i < count; i++) {
    int32_t sum = pairs[2 * i] * x + pairs[2 * i + 1] * y;
    word |= (uint64_t)(sum <= low || sum >= high) << i;
  }
  return word;
}

/// Whether the gradient is the largest across: the neighbours on the line that it points along lie
/// between two pixels each.
static inline int is_peak(const uint16_t *at, int32_t gx, int32_t gy, int32_t stride) {
  int32_t ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy, along = ax, across = ay;
  int32_t ahead = 1, aside = (gx ^ gy) >= 0 ? stride : -stride;
  if (ax < ay) {
    along = ay;
    across = ax;
    ahead = stride;
    aside = (gx ^ gy) >= 0 ? 1 : -1;
  }
  int32_t middle = at[0] * along;
  return middle >= at[ahead] * (along - across) + at[ahead + aside] * across &&
         middle > at[-ahead] * (along - across) + at[-ahead - aside] * across;
}

/// The bits of one word, whose first is pixel `start`.
static inline uint64_t keep_peaks_word(uint64_t bits, int32_t start, const uint16_t *magnitude,
                                       const int16_t *gx, const int16_t *gy, int32_t stride) {
  uint64_t kept = 0;
  for (; bits; bits &= bits - 1) {
    int32_t i = start + __builtin_ctzll(bits);
    kept |= is_peak(magnitude + i, gx[i], gy[i], stride) ? bits & -bits : 0;
  }
  return kept;
}

static void depthwise_row(int32_t *restrict sums, const int16_t *const _Nonnull rows[_Nonnull 3],
                          const int16_t *restrict weights, const int32_t *restrict biases,
                          int32_t pixels, int32_t channels) {
  const int16_t *restrict w = weights;
  int32_t n = channels;
  for (int32_t x = 0; x < pixels; x++) {
    const int16_t *restrict a = rows[0] + x * n, *restrict b = rows[1] + x * n;
    const int16_t *restrict d = rows[2] + x * n;
    int32_t *restrict sum = sums + x * n;
    for (int32_t c = 0; c < n; c++)
      sum[c] = biases[c] + a[c] * w[c] + a[n + c] * w[n + c] + a[2 * n + c] * w[2 * n + c] +
               b[c] * w[3 * n + c] + b[n + c] * w[4 * n + c] + b[2 * n + c] * w[5 * n + c] +
               d[c] * w[6 * n + c] + d[n + c] * w[7 * n + c] + d[2 * n + c] * w[8 * n + c];
  }
}

static inline uint8_t requantise_one(int32_t sum, int32_t multiplier, int64_t side, int32_t shift) {
  int64_t value = ((int64_t)sum * multiplier + side + ((int64_t)1 << (shift - 1))) >> shift;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static inline void requantise_tail(uint8_t *restrict result, const int32_t *restrict sums,
                                   const uint8_t *_Nullable side, const int32_t *multipliers,
                                   int32_t side_multiplier, int32_t shift, int32_t count) {
  for (int32_t c = 0; c < count; c++)
    result[c] = requantise_one(sums[c], multipliers[c],
                               side ? (int64_t)side[c] * side_multiplier : 0, shift);
}

#pragma clang assume_nonnull end
