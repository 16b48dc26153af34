#include "detect/kernels/rows.h"

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

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  for (int32_t i = 0; i < count; i++, weights += taps) {
    const int16_t *at = samples + first[i];
    int32_t sum = 1 << 14;
    for (int32_t k = 0; k < taps; k++)
      sum += at[k] * weights[k];
    result[i] = (uint8_t)(sum >> 15);
  }
}

static void multiply(int32_t *sums, const int16_t *const *segments, int32_t segment_count,
                     int32_t length, int32_t step, const int16_t *weights, const int32_t *biases,
                     int32_t pixels, int32_t outputs) {
  for (int32_t p = 0; p < pixels; p++) {
    const int16_t *weight = weights;
    for (int32_t o = 0; o < outputs; o++) {
      int32_t sum = biases[o];
      for (int32_t s = 0; s < segment_count; s++, weight += length) {
        const int16_t *segment = segments[s] + p * step;
        for (int32_t k = 0; k < length; k++)
          sum += segment[k] * weight[k];
      }
      sums[p * outputs + o] = sum;
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
    .add_row = add_row,
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
    .multiply = multiply,
    .depthwise_row = depthwise_row,
    .requantise = requantise,
};
