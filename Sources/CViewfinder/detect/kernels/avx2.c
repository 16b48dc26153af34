#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

// Every function below may use AVX2, also those of rows.h; the only exported symbol is the table.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "detect/kernels/avx512.h"
#include "detect/kernels/patches.h"
#include "detect/kernels/rows.h"

static inline __m256i load(const void *at) { return _mm256_loadu_si256((const __m256i *)at); }

static void sum_rows(uint16_t *sums, uint16_t *_Nullable odd,
                     const uint8_t *const _Nonnull *_Nonnull rows, const uint8_t *weights,
                     int32_t row_count, size_t count) {
  const __m256i bytes = _mm256_set1_epi16(0xff);
  // The rows that come next are far away: they are fetched meanwhile.
  uintptr_t ahead = row_count > 1 ? (uintptr_t)rows[row_count - 1] - (uintptr_t)rows[0] : 0;
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i first = _mm256_setzero_si256(), second = first;
    for (int32_t r = 0; r < row_count; r++) {
      __m256i weight = _mm256_set1_epi16(weights[r]), a, b;
      const uint8_t *at = rows[r] + i;
      __builtin_prefetch((const void *)((uintptr_t)at + ahead));
      if (odd) {
        __m256i all = _mm256_loadu_si256((const __m256i *)at);
        a = _mm256_and_si256(all, bytes);
        b = _mm256_srli_epi16(all, 8);
      } else {
        a = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)at));
        b = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(at + 16)));
      }
      first = _mm256_add_epi16(first, _mm256_mullo_epi16(a, weight));
      second = _mm256_add_epi16(second, _mm256_mullo_epi16(b, weight));
    }
    _mm256_storeu_si256((__m256i *)(odd ? sums + i / 2 : sums + i), first);
    _mm256_storeu_si256((__m256i *)(odd ? odd + i / 2 : sums + i + 16), second);
  }
  sum_rows_from(i, sums, odd, rows, weights, row_count, count);
}

static void mask_row(uint64_t *words, const int16_t *row, int16_t threshold, int32_t count) {
  const __m256i limit = _mm256_set1_epi16(threshold);
  int32_t start = 0;
  for (; start + 64 <= count; start += 64) {
    uint64_t word = 0;
    for (int32_t half = 0; half < 2; half++) {
      const int16_t *at = row + start + 32 * half;
      __m256i a = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)at), limit);
      __m256i b = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(at + 16)), limit);
      __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8);
      word |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << (32 * half);
    }
    *words++ = word;
  }
  if (start < count) {
    uint64_t word = 0;
    for (int32_t i = 0; start + i < count; i++)
      word |= (uint64_t)(row[start + i] > threshold) << i;
    *words = word;
  }
}

static void mask_limits(uint64_t *words, const uint16_t *row, const uint16_t *limits,
                        int32_t count) {
  int32_t start = 0;
  for (; start + 64 <= count; start += 64) {
    uint64_t word = 0;
    for (int32_t half = 0; half < 2; half++) {
      __m256i less[2];
      for (int32_t i = 0; i < 2; i++) {
        int32_t at = start + 32 * half + 16 * i;
        less[i] = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(limits + at)),
                                     _mm256_loadu_si256((const __m256i *)(row + at)));
      }
      __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(less[0], less[1]), 0xd8);
      word |= (uint64_t)(uint32_t)~_mm256_movemask_epi8(bytes) << (32 * half);
    }
    *words++ = word;
  }
  if (start < count) {
    uint64_t word = 0;
    for (int32_t i = 0; start + i < count; i++)
      word |= (uint64_t)(row[start + i] >= limits[start + i]) << i;
    *words = word;
  }
}

static void mask_products(uint64_t *words, const int16_t *pairs, int16_t x, int16_t y, int32_t low,
                          int32_t high, int32_t count) {
  const __m256i factors =
      _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)x | (uint32_t)(uint16_t)y << 16));
  const __m256i least = _mm256_set1_epi32(high - 1), most = _mm256_set1_epi32(low + 1);
  int32_t start = 0;
  for (; start + 64 <= count; start += 64) {
    uint64_t word = 0;
    for (int32_t i = 0; i < 64; i += 8) {
      __m256i sums = _mm256_madd_epi16(load(pairs + 2 * (start + i)), factors);
      __m256i lanes =
          _mm256_or_si256(_mm256_cmpgt_epi32(sums, least), _mm256_cmpgt_epi32(most, sums));
      word |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lanes)) << i;
    }
    *words++ = word;
  }
  if (start < count)
    *words = mask_products_word(pairs + 2 * start, x, y, low, high, count - start);
}

/// All ones in the lanes of peaks.
static inline __m256i peaks(const uint16_t *at, __m256i gx, __m256i gy, int32_t stride) {
  __m256i ax = _mm256_abs_epi16(gx), ay = _mm256_abs_epi16(gy);
  __m256i is_steep = _mm256_cmpgt_epi16(ay, ax);
  __m256i leans_back = _mm256_srai_epi16(_mm256_xor_si256(gx, gy), 15);
  __m256i along = _mm256_max_epi16(ax, ay), across = _mm256_min_epi16(ax, ay);
  __m256i rest = _mm256_sub_epi16(along, across);
  // The corner of the neighbours' square that the gradient leans to, when it leans back: right and
  // up when flat, left and down when steep.
  __m256i right = load(at + 1 - stride), left = load(at - 1 + stride);
  __m256i ahead = _mm256_blendv_epi8(load(at + 1), load(at + stride), is_steep);
  __m256i behind = _mm256_blendv_epi8(load(at - 1), load(at - stride), is_steep);
  __m256i beside_ahead = _mm256_blendv_epi8(load(at + 1 + stride),
                                            _mm256_blendv_epi8(right, left, is_steep), leans_back);
  __m256i beside_behind = _mm256_blendv_epi8(load(at - 1 - stride),
                                             _mm256_blendv_epi8(left, right, is_steep), leans_back);
  const __m256i zero = _mm256_setzero_si256();
  __m256i middle = load(at), kept[2];
  for (int half = 0; half < 2; half++) {
#define PAIRS(a, b) (half ? _mm256_unpackhi_epi16(a, b) : _mm256_unpacklo_epi16(a, b))
    __m256i weights = PAIRS(rest, across);
    __m256i own = _mm256_madd_epi16(PAIRS(middle, zero), PAIRS(along, zero));
    __m256i a = _mm256_madd_epi16(PAIRS(ahead, beside_ahead), weights);
    __m256i b = _mm256_madd_epi16(PAIRS(behind, beside_behind), weights);
#undef PAIRS
    kept[half] = _mm256_andnot_si256(_mm256_cmpgt_epi32(a, own), _mm256_cmpgt_epi32(own, b));
  }
  return _mm256_packs_epi32(kept[0], kept[1]);
}

static void keep_peaks(uint64_t *words, const uint16_t *magnitude, const int16_t *gx,
                       const int16_t *gy, int32_t stride, int32_t count) {
  for (int32_t start = 0; start < count; start += 64, words++) {
    uint64_t kept = 0;
    for (int32_t k = 0; k < 64; k += 16) {
      uint64_t bits = *words & (uint64_t)0xffff << k;
      int32_t i = start + k;
      if (!bits)
        continue;
      if (i + 17 > count) {
        kept |= keep_peaks_word(bits, start, magnitude, gx, gy, stride);
        continue;
      }
      __m256i lanes = peaks(magnitude + i, load(gx + i), load(gy + i), stride);
      __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(lanes, lanes), 0xd8);
      kept |= bits & (uint64_t)((uint32_t)_mm256_movemask_epi8(bytes) & 0xffff) << k;
    }
    *words = kept;
  }
}

/// The samples of two results, beside each other.
static inline __m256i load_two(const int16_t *low, const int16_t *high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
                                 _mm_loadu_si128((const __m128i *)high), 1);
}

static inline __m256i load_four(const int16_t *samples, const int32_t *first) {
  __m128i a = _mm_loadl_epi64((const __m128i *)(samples + first[0]));
  __m128i b = _mm_loadl_epi64((const __m128i *)(samples + first[1]));
  __m128i c = _mm_loadl_epi64((const __m128i *)(samples + first[2]));
  __m128i d = _mm_loadl_epi64((const __m128i *)(samples + first[3]));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi64(a, b)),
                                 _mm_unpacklo_epi64(c, d), 1);
}

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  const __m256i half = _mm256_set1_epi32(1 << 14);
  int32_t i = 0;
  for (; i + 8 <= count; i += 8, weights += 8 * taps) {
    __m256i all;
    if (taps == 4) {
      __m256i low = _mm256_madd_epi16(load_four(samples, first + i), load(weights));
      __m256i high = _mm256_madd_epi16(load_four(samples, first + i + 4), load(weights + 16));
      all = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0xd8);
    } else {
      __m256i sums[4];
      for (int32_t n = 0; n < 4; n++) {
        const int16_t *low = samples + first[i + n], *high = samples + first[i + n + 4];
        const int16_t *weight = weights + n * taps;
        sums[n] = _mm256_madd_epi16(load_two(low, high), load_two(weight, weight + 4 * taps));
        for (int32_t k = 8; k < taps; k += 8)
          sums[n] = _mm256_add_epi32(
              sums[n], _mm256_madd_epi16(load_two(low + k, high + k),
                                         load_two(weight + k, weight + 4 * taps + k)));
      }
      all = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]),
                              _mm256_hadd_epi32(sums[2], sums[3]));
    }
    all = _mm256_srai_epi32(_mm256_add_epi32(all, half), 15);
    __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    _mm_storel_epi64((__m128i *)(result + i), _mm_packus_epi16(words, words));
  }
  weigh_columns_from(i, result, samples, first, weights, taps, count);
}

/// Four pixels (the last ones may be the same) by one or two blocks of eight outputs: their sums
/// stay in registers.
static inline void multiply_four(int32_t *sums, const int16_t *const _Nonnull *_Nonnull segments,
                                 int32_t segment_count, int32_t length, int32_t step,
                                 const int16_t *weights, const int32_t *biases, int32_t pixels,
                                 int32_t outputs, int32_t p, int blocks) {
  int32_t whole = segment_count * length * 8, at[4];
  __m256i sum[2][4];
  for (int n = 0; n < 4; n++)
    at[n] = (p + n < pixels ? p + n : pixels - 1) * step;
  for (int b = 0; b < blocks; b++) {
    for (int n = 0; n < 4; n++)
      sum[b][n] = load(biases + 8 * b);
  }
  for (int32_t s = 0; s < segment_count; s++) {
    const int16_t *segment = segments[s];
    for (int32_t k = 0; k < length; k += 2, weights += 16) {
      __m256i weight[2];
      for (int b = 0; b < blocks; b++)
        weight[b] = load(weights + b * whole);
      for (int n = 0; n < 4; n++) {
        // Two numbers, eight times.
        __m256i pair = _mm256_broadcastd_epi32(_mm_loadu_si32(segment + at[n] + k));
        for (int b = 0; b < blocks; b++)
          sum[b][n] = _mm256_add_epi32(sum[b][n], _mm256_madd_epi16(pair, weight[b]));
      }
    }
  }
  for (int b = 0; b < blocks; b++) {
    for (int n = 0; n < 4 && p + n < pixels; n++)
      _mm256_storeu_si256((__m256i *)(sums + (p + n) * outputs + 8 * b), sum[b][n]);
  }
}

static void multiply(int32_t *sums, const int16_t *const _Nonnull *_Nonnull segments,
                     int32_t segment_count, int32_t length, int32_t step, const int16_t *weights,
                     const int32_t *biases, int32_t pixels, int32_t outputs) {
  int32_t whole = segment_count * length, o = 0;
  for (; o + 16 <= outputs; o += 16) {
    for (int32_t p = 0; p < pixels; p += 4)
      multiply_four(sums + o, segments, segment_count, length, step, weights + o * whole,
                    biases + o, pixels, outputs, p, 2);
  }
  for (int32_t p = 0; p < pixels && o < outputs; p += 4)
    multiply_four(sums + o, segments, segment_count, length, step, weights + o * whole, biases + o,
                  pixels, outputs, p, 1);
}

/// Eight sums to eight bytes, in the low half of the result. What is negative becomes 0 anyway, so
/// that shifts without sign do.
static inline __m128i requantise_eight(__m256i sum, __m256i multiplier, __m256i side,
                                       __m256i side_multiplier, __m256i half, __m128i shift) {
  __m256i even =
      _mm256_add_epi64(_mm256_mul_epi32(sum, multiplier), _mm256_mul_epi32(side, side_multiplier));
  __m256i odd = _mm256_add_epi64(
      _mm256_mul_epi32(_mm256_srli_epi64(sum, 32), _mm256_srli_epi64(multiplier, 32)),
      _mm256_mul_epi32(_mm256_srli_epi64(side, 32), side_multiplier));
  even = _mm256_add_epi64(even, half);
  odd = _mm256_add_epi64(odd, half);
  const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi64x(255);
  even = _mm256_andnot_si256(_mm256_cmpgt_epi64(zero, even), _mm256_srl_epi64(even, shift));
  odd = _mm256_andnot_si256(_mm256_cmpgt_epi64(zero, odd), _mm256_srl_epi64(odd, shift));
  even = _mm256_blendv_epi8(even, most, _mm256_cmpgt_epi64(even, most));
  odd = _mm256_blendv_epi8(odd, most, _mm256_cmpgt_epi64(odd, most));
  __m256i all = _mm256_or_si256(even, _mm256_slli_epi64(odd, 32));
  __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(all, all), 0xd8);
  __m128i low = _mm256_castsi256_si128(words);
  return _mm_packus_epi16(low, low);
}

static void requantise(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                       const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                       int32_t pixels, int32_t channels) {
  const __m256i half = _mm256_set1_epi64x((int64_t)1 << (shift - 1));
  const __m256i factor = _mm256_set1_epi64x(side_multiplier);
  const __m128i count = _mm_cvtsi32_si128(shift);
  for (int32_t p = 0; p < pixels; p++) {
    int32_t at = p * channels, c = 0;
    for (; c + 8 <= channels; c += 8) {
      __m256i sum = _mm256_loadu_si256((const __m256i *)(sums + at + c));
      __m256i multiplier = _mm256_loadu_si256((const __m256i *)(multipliers + c));
      __m256i beside = side
                           ? _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(side + at + c)))
                           : _mm256_setzero_si256();
      _mm_storel_epi64((__m128i *)(result + at + c),
                       requantise_eight(sum, multiplier, beside, factor, half, count));
    }
    requantise_tail(result + at + c, sums + at + c, side ? side + at + c : side, multipliers + c,
                    side_multiplier, shift, channels - c);
  }
}

// What both sets share.
#define SHARED_ROWS                                                                                \
  .sum_rows = sum_rows, .take_apart = take_apart, .weigh_columns = weigh_columns,                  \
  .to_rgb = to_rgb, .to_channels = to_channels, .smooth_row = smooth_row,                          \
  .smooth_rows = smooth_rows, .halve_rows = halve_rows, .gradient_row = gradient_row,              \
  .mask_row = mask_row, .mask_limits = mask_limits, .mask_products = mask_products,                \
  .keep_peaks = keep_peaks, .depthwise_row = depthwise_row, .multiply = multiply

const eye_kernels eye_kernels_avx2 = {SHARED_ROWS, .take_patch = take_patch,
                                      .requantise = requantise};
const eye_kernels eye_kernels_avx512vnni = {
    SHARED_ROWS, .multiply_bytes = eye_multiply_avx512, .depthwise_bytes = eye_depthwise_avx512,
    .take_patch = eye_take_patch_avx512, .requantise = eye_requantise_avx512};

#pragma clang attribute pop
#endif
