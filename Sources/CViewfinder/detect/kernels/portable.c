#include "detect/kernels/patches.h"
#include "detect/kernels/rows.h"

static void sum_rows(uint16_t *sums, uint16_t *odd, const uint8_t *const *rows,
                     const uint8_t *weights, int32_t row_count, size_t count) {
  sum_rows_from(0, sums, odd, rows, weights, row_count, count);
}

static void mask_row(uint64_t *words, const int16_t *row, int16_t threshold, int32_t count) {
  for (int32_t start = 0; start < count; start += 64) {
    uint64_t word = 0;
    int32_t length = count - start < 64 ? count - start : 64;
    for (int32_t i = 0; i < length; i++)
      word |= (uint64_t)(row[start + i] > threshold) << i;
    *words++ = word;
  }
}

static void mask_limits(uint64_t *words, const uint16_t *row, const uint16_t *limits,
                        int32_t count) {
  for (int32_t start = 0; start < count; start += 64) {
    uint64_t word = 0;
    int32_t length = count - start < 64 ? count - start : 64;
    for (int32_t i = 0; i < length; i++)
      word |= (uint64_t)(row[start + i] >= limits[start + i]) << i;
    *words++ = word;
  }
}

static void mask_products(uint64_t *words, const int16_t *pairs, int16_t x, int16_t y, int32_t low,
                          int32_t high, int32_t count) {
  for (int32_t start = 0; start < count; start += 64) {
    int32_t length = count - start < 64 ? count - start : 64;
    *words++ = mask_products_word(pairs + 2 * start, x, y, low, high, length);
  }
}

static void keep_peaks(uint64_t *words, const uint16_t *magnitude, const int16_t *gx,
                       const int16_t *gy, int32_t stride, int32_t count) {
  for (int32_t start = 0; start < count; start += 64, words++)
    *words = keep_peaks_word(*words, start, magnitude, gx, gy, stride);
}

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  weigh_columns_from(0, result, samples, first, weights, taps, count);
}

static void multiply(int32_t *sums, const int16_t *const *segments, int32_t segment_count,
                     int32_t length, int32_t step, const int16_t *weights, const int32_t *biases,
                     int32_t pixels, int32_t outputs) {
  int32_t whole = segment_count * length;
  for (int32_t p = 0; p < pixels; p++) {
    for (int32_t o = 0; o < outputs; o += 8) {
      const int16_t *weight = weights + o * whole;
      int32_t eight[8];
      for (int i = 0; i < 8; i++)
        eight[i] = biases[o + i];
      for (int32_t s = 0; s < segment_count; s++) {
        const int16_t *segment = segments[s] + p * step;
        for (int32_t k = 0; k < length; k += 2, weight += 16) {
          for (int i = 0; i < 8; i++)
            eight[i] += segment[k] * weight[2 * i] + segment[k + 1] * weight[2 * i + 1];
        }
      }
      for (int i = 0; i < 8; i++)
        sums[p * outputs + o + i] = eight[i];
    }
  }
}

static void requantise(uint8_t *result, const int32_t *sums, const uint8_t *side,
                       const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                       int32_t pixels, int32_t channels) {
  for (int32_t i = 0; i < pixels; i++) {
    int32_t at = i * channels;
    requantise_tail(result + at, sums + at, side ? side + at : side, multipliers, side_multiplier,
                    shift, channels);
  }
}

const eye_kernels eye_kernels_portable = {
    .sum_rows = sum_rows,
    .take_apart = take_apart,
    .weigh_columns = weigh_columns,
    .to_rgb = to_rgb,
    .to_channels = to_channels,
    .smooth_row = smooth_row,
    .smooth_rows = smooth_rows,
    .halve_rows = halve_rows,
    .gradient_row = gradient_row,
    .mask_row = mask_row,
    .mask_limits = mask_limits,
    .mask_products = mask_products,
    .keep_peaks = keep_peaks,
    .take_patch = take_patch,
    .multiply = multiply,
    .depthwise_row = depthwise_row,
    .requantise = requantise,
};
