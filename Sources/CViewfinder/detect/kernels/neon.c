#include <stddef.h>
#include <stdint.h>

#if defined(__aarch64__)
#include <arm_neon.h>

#include "detect/kernels/rows.h"

/// One bit for each of eight lanes that are all ones.
static inline uint64_t bits_of(uint16x8_t lanes) {
  static const uint8_t weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  return vaddv_u8(vand_u8(vmovn_u16(lanes), vld1_u8(weights)));
}

static void mask_row(uint64_t *words, const int16_t *row, int16_t threshold, int32_t count) {
  const int16x8_t limit = vdupq_n_s16(threshold);
  for (int32_t start = 0; start < count; start += 64) {
    uint64_t word = 0;
    int32_t length = count - start < 64 ? count - start : 64, i = 0;
    for (; i + 8 <= length; i += 8)
      word |= bits_of(vcgtq_s16(vld1q_s16(row + start + i), limit)) << i;
    for (; i < length; i++)
      word |= (uint64_t)(row[start + i] > threshold) << i;
    *words++ = word;
  }
}

static void mask_limits(uint64_t *words, const uint16_t *row, const uint16_t *limits,
                        int32_t count) {
  for (int32_t start = 0; start < count; start += 64) {
    uint64_t word = 0;
    int32_t length = count - start < 64 ? count - start : 64, i = 0;
    for (; i + 8 <= length; i += 8)
      word |= bits_of(vcgeq_u16(vld1q_u16(row + start + i), vld1q_u16(limits + start + i))) << i;
    for (; i < length; i++)
      word |= (uint64_t)(row[start + i] >= limits[start + i]) << i;
    *words++ = word;
  }
}

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  for (int32_t i = 0; i < count; i++, weights += taps) {
    const int16_t *at = samples + first[i];
    int32x4_t sums = vdupq_n_s32(0);
    for (int32_t k = 0; k < taps; k += 8) {
      int16x8_t x = vld1q_s16(at + k), w = vld1q_s16(weights + k);
      sums = vmlal_s16(sums, vget_low_s16(x), vget_low_s16(w));
      sums = vmlal_high_s16(sums, x, w);
    }
    result[i] = (uint8_t)((vaddvq_s32(sums) + (1 << 14)) >> 15);
  }
}

static void multiply(int32_t *sums, const int16_t *const _Nonnull *_Nonnull segments,
                     int32_t segment_count, int32_t length, int32_t step, const int16_t *weights,
                     const int32_t *biases, int32_t pixels, int32_t outputs) {
  int32_t whole = segment_count * length;
  // Two pixels by four outputs: eight sums stay in registers.
  for (int32_t p = 0; p < pixels; p += 2) {
    int32_t first = p * step, second = (p + 1 < pixels ? p + 1 : p) * step;
    for (int32_t o = 0; o < outputs; o += 4) {
      const int16_t *weight = weights + o * whole;
      int32x4_t sum[8];
      for (int i = 0; i < 8; i++)
        sum[i] = vdupq_n_s32(0);
      for (int32_t s = 0; s < segment_count; s++, weight += length) {
        const int16_t *segment = segments[s];
        for (int32_t k = 0; k < length; k += 8) {
          int16x8_t x = vld1q_s16(segment + first + k), y = vld1q_s16(segment + second + k);
          for (int i = 0; i < 4; i++) {
            int16x8_t w = vld1q_s16(weight + i * whole + k);
            sum[i] = vmlal_s16(sum[i], vget_low_s16(x), vget_low_s16(w));
            sum[i] = vmlal_high_s16(sum[i], x, w);
            sum[4 + i] = vmlal_s16(sum[4 + i], vget_low_s16(y), vget_low_s16(w));
            sum[4 + i] = vmlal_high_s16(sum[4 + i], y, w);
          }
        }
      }
      int32x4_t bias = vld1q_s32(biases + o);
      for (int n = 0; n < 2 && p + n < pixels; n++) {
        const int32x4_t *four = sum + 4 * n;
        int32x4_t all = vpaddq_s32(vpaddq_s32(four[0], four[1]), vpaddq_s32(four[2], four[3]));
        vst1q_s32(sums + (p + n) * outputs + o, vaddq_s32(all, bias));
      }
    }
  }
}

static void requantise(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                       const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                       int32_t pixels, int32_t channels) {
  const int64x2_t half = vdupq_n_s64((int64_t)1 << (shift - 1)), down = vdupq_n_s64(-shift);
  const int32x2_t factor = vdup_n_s32(side_multiplier);
  for (int32_t p = 0; p < pixels; p++) {
    int32_t at = p * channels, c = 0;
    for (; c + 8 <= channels; c += 8) {
      uint16x8_t beside = side ? vmovl_u8(vld1_u8(side + at + c)) : vdupq_n_u16(0);
      uint16x4_t words[2];
      for (int n = 0; n < 2; n++) {
        int32x4_t sum = vld1q_s32(sums + at + c + 4 * n);
        int32x4_t multiplier = vld1q_s32(multipliers + c + 4 * n);
        int32x4_t other =
            vreinterpretq_s32_u32(vmovl_u16(n ? vget_high_u16(beside) : vget_low_u16(beside)));
        int64x2_t low = vmlal_s32(half, vget_low_s32(sum), vget_low_s32(multiplier));
        int64x2_t high = vmlal_s32(half, vget_high_s32(sum), vget_high_s32(multiplier));
        low = vshlq_s64(vmlal_s32(low, vget_low_s32(other), factor), down);
        high = vshlq_s64(vmlal_s32(high, vget_high_s32(other), factor), down);
        // Narrowing saturates: what is negative becomes 0, and what is too large the largest.
        words[n] = vqmovn_u32(vcombine_u32(vqmovun_s64(low), vqmovun_s64(high)));
      }
      vst1_u8(result + at + c, vqmovn_u16(vcombine_u16(words[0], words[1])));
    }
    requantise_tail(result + at + c, sums + at + c, side ? side + at + c : side, multipliers + c,
                    side_multiplier, shift, channels - c);
  }
}

const eye_kernels eye_kernels_neon = {
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

#endif
