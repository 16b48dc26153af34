#include <stddef.h>
#include <stdint.h>

#if defined(__aarch64__)
#include <arm_neon.h>

#include "detect/kernels/patches.h"
#include "detect/kernels/rows.h"

static void sum_rows(uint16_t *sums, uint16_t *_Nullable odd,
                     const uint8_t *const _Nonnull *_Nonnull rows, const uint8_t *weights,
                     int32_t row_count, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    uint16x8_t first = vdupq_n_u16(0), second = first;
    for (int32_t r = 0; r < row_count; r++) {
      const uint8_t *at = rows[r] + i;
      uint8x8_t weight = vdup_n_u8(weights[r]);
      uint8x8x2_t both = {{vld1_u8(at), vld1_u8(at + 8)}};
      if (odd)
        both = vld2_u8(at);
      first = vmlal_u8(first, both.val[0], weight);
      second = vmlal_u8(second, both.val[1], weight);
    }
    vst1q_u16(odd ? sums + i / 2 : sums + i, first);
    vst1q_u16(odd ? odd + i / 2 : sums + i + 8, second);
  }
  sum_rows_from(i, sums, odd, rows, weights, row_count, count);
}

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

static void mask_products(uint64_t *words, const int16_t *pairs, int16_t x, int16_t y, int32_t low,
                          int32_t high, int32_t count) {
  const int16x4_t along = vdup_n_s16(x), across = vdup_n_s16(y);
  const int32x4_t least = vdupq_n_s32(high), most = vdupq_n_s32(low);
  int32_t start = 0;
  for (; start + 64 <= count; start += 64) {
    uint64_t word = 0;
    for (int32_t i = 0; i < 64; i += 8) {
      uint16x4_t lanes[2];
      for (int32_t k = 0; k < 2; k++) {
        int16x4x2_t pair = vld2_s16(pairs + 2 * (start + i + 4 * k));
        int32x4_t sums = vmlal_s16(vmull_s16(pair.val[0], along), pair.val[1], across);
        lanes[k] = vmovn_u32(vorrq_u32(vcgeq_s32(sums, least), vcleq_s32(sums, most)));
      }
      word |= bits_of(vcombine_u16(lanes[0], lanes[1])) << i;
    }
    *words++ = word;
  }
  if (start < count)
    *words = mask_products_word(pairs + 2 * start, x, y, low, high, count - start);
}

/// All ones in the lanes of peaks.
static inline uint16x8_t peaks(const uint16_t *at, int16x8_t gx, int16x8_t gy, int32_t stride) {
  uint16x8_t ax = vreinterpretq_u16_s16(vabsq_s16(gx)), ay = vreinterpretq_u16_s16(vabsq_s16(gy));
  uint16x8_t is_steep = vcgtq_u16(ay, ax), leans_back = vcltzq_s16(veorq_s16(gx, gy));
  uint16x8_t along = vmaxq_u16(ax, ay), across = vminq_u16(ax, ay), rest = vsubq_u16(along, across);
  // The corner of the neighbours' square that the gradient leans to, when it leans back: right and
  // up when flat, left and down when steep.
  uint16x8_t right = vld1q_u16(at + 1 - stride), left = vld1q_u16(at - 1 + stride);
  uint16x8_t ahead = vbslq_u16(is_steep, vld1q_u16(at + stride), vld1q_u16(at + 1));
  uint16x8_t behind = vbslq_u16(is_steep, vld1q_u16(at - stride), vld1q_u16(at - 1));
  uint16x8_t beside_ahead =
      vbslq_u16(leans_back, vbslq_u16(is_steep, left, right), vld1q_u16(at + 1 + stride));
  uint16x8_t beside_behind =
      vbslq_u16(leans_back, vbslq_u16(is_steep, right, left), vld1q_u16(at - 1 - stride));
  uint16x8_t middle = vld1q_u16(at);
  uint32x4_t own[2] = {vmull_u16(vget_low_u16(middle), vget_low_u16(along)),
                       vmull_high_u16(middle, along)};
  uint32x4_t a[2] = {vmull_u16(vget_low_u16(ahead), vget_low_u16(rest)),
                     vmull_high_u16(ahead, rest)};
  uint32x4_t b[2] = {vmull_u16(vget_low_u16(behind), vget_low_u16(rest)),
                     vmull_high_u16(behind, rest)};
  a[0] = vmlal_u16(a[0], vget_low_u16(beside_ahead), vget_low_u16(across));
  a[1] = vmlal_high_u16(a[1], beside_ahead, across);
  b[0] = vmlal_u16(b[0], vget_low_u16(beside_behind), vget_low_u16(across));
  b[1] = vmlal_high_u16(b[1], beside_behind, across);
  uint32x4_t low = vandq_u32(vcgeq_u32(own[0], a[0]), vcgtq_u32(own[0], b[0]));
  uint32x4_t high = vandq_u32(vcgeq_u32(own[1], a[1]), vcgtq_u32(own[1], b[1]));
  return vcombine_u16(vmovn_u32(low), vmovn_u32(high));
}

static void keep_peaks(uint64_t *words, const uint16_t *magnitude, const int16_t *gx,
                       const int16_t *gy, int32_t stride, int32_t count) {
  for (int32_t start = 0; start < count; start += 64, words++) {
    uint64_t kept = 0;
    for (int32_t k = 0; k < 64; k += 8) {
      uint64_t bits = *words & (uint64_t)0xff << k;
      int32_t i = start + k;
      if (!bits)
        continue;
      if (i + 9 > count)
        kept |= keep_peaks_word(bits, start, magnitude, gx, gy, stride);
      else
        kept |= bits & bits_of(peaks(magnitude + i, vld1q_s16(gx + i), vld1q_s16(gy + i), stride))
                           << k;
    }
    *words = kept;
  }
}

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  for (int32_t i = 0; i < count; i++, weights += taps) {
    const int16_t *at = samples + first[i];
    int32x4_t sums = vdupq_n_s32(0);
    if (taps == 4)
      sums = vmull_s16(vld1_s16(at), vld1_s16(weights));
    for (int32_t k = 0; k + 8 <= taps; k += 8) {
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
  // Four pixels by eight outputs: 16 vectors of sums stay in registers.
  for (int32_t o = 0; o < outputs; o += 8) {
    for (int32_t p = 0; p < pixels; p += 4) {
      const int16_t *weight = weights + o * whole;
      int32x4_t sum[4][4];
      int32_t at[4];
      for (int n = 0; n < 4; n++) {
        at[n] = (p + n < pixels ? p + n : pixels - 1) * step;
        for (int i = 0; i < 4; i++)
          sum[n][i] = vdupq_n_s32(0);
      }
      for (int32_t s = 0; s < segment_count; s++) {
        const int16_t *segment = segments[s];
        for (int32_t k = 0; k < length; k += 2, weight += 16) {
          int16x8_t low = vld1q_s16(weight), high = vld1q_s16(weight + 8);
          for (int n = 0; n < 4; n++) {
            // Two numbers, four times.
            const int16_t *two = segment + at[n] + k;
            int16x8_t pair = vzip1q_s16(vld1q_dup_s16(two), vld1q_dup_s16(two + 1));
            sum[n][0] = vmlal_s16(sum[n][0], vget_low_s16(low), vget_low_s16(pair));
            sum[n][1] = vmlal_high_s16(sum[n][1], low, pair);
            sum[n][2] = vmlal_s16(sum[n][2], vget_low_s16(high), vget_low_s16(pair));
            sum[n][3] = vmlal_high_s16(sum[n][3], high, pair);
          }
        }
      }
      for (int n = 0; n < 4 && p + n < pixels; n++) {
        int32_t *to = sums + (p + n) * outputs + o;
        vst1q_s32(to, vaddq_s32(vpaddq_s32(sum[n][0], sum[n][1]), vld1q_s32(biases + o)));
        vst1q_s32(to + 4, vaddq_s32(vpaddq_s32(sum[n][2], sum[n][3]), vld1q_s32(biases + o + 4)));
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

#endif
