#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

// Every function below may use AVX2, also those of rows.h; the only exported symbol is the table.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "detect/kernels/rows.h"

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

static void weigh_columns(uint8_t *result, const int16_t *samples, const int32_t *first,
                          const int16_t *weights, int32_t taps, int32_t count) {
  const __m128i half = _mm_set1_epi32(1 << 14);
  int32_t i = 0;
  for (; i + 4 <= count; i += 4, weights += 4 * taps) {
    __m128i sums[4];
    for (int32_t n = 0; n < 4; n++) {
      const int16_t *at = samples + first[i + n], *weight = weights + n * taps;
      sums[n] = _mm_setzero_si128();
      for (int32_t k = 0; k < taps; k += 8)
        sums[n] =
            _mm_add_epi32(sums[n], _mm_madd_epi16(_mm_loadu_si128((const __m128i *)(at + k)),
                                                  _mm_loadu_si128((const __m128i *)(weight + k))));
    }
    __m128i all =
        _mm_hadd_epi32(_mm_hadd_epi32(sums[0], sums[1]), _mm_hadd_epi32(sums[2], sums[3]));
    all = _mm_srai_epi32(_mm_add_epi32(all, half), 15);
    __m128i words = _mm_packus_epi32(all, all);
    _mm_storeu_si32(result + i, _mm_packus_epi16(words, words));
  }
  for (; i < count; i++, weights += taps) {
    const int16_t *at = samples + first[i];
    int32_t sum = 1 << 14;
    for (int32_t k = 0; k < taps; k++)
      sum += at[k] * weights[k];
    result[i] = (uint8_t)(sum >> 15);
  }
}

static inline __m128i sum_four(__m256i a, __m256i b, __m256i c, __m256i d) {
  __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
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
      __m256i sum[8];
      for (int i = 0; i < 8; i++)
        sum[i] = _mm256_setzero_si256();
      for (int32_t s = 0; s < segment_count; s++, weight += length) {
        const int16_t *segment = segments[s];
        for (int32_t k = 0; k < length; k += 16) {
          __m256i x = _mm256_loadu_si256((const __m256i *)(segment + first + k));
          __m256i y = _mm256_loadu_si256((const __m256i *)(segment + second + k));
          for (int i = 0; i < 4; i++) {
            __m256i w = _mm256_loadu_si256((const __m256i *)(weight + i * whole + k));
            sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(x, w));
            sum[4 + i] = _mm256_add_epi32(sum[4 + i], _mm256_madd_epi16(y, w));
          }
        }
      }
      __m128i bias = _mm_loadu_si128((const __m128i *)(biases + o));
      _mm_storeu_si128((__m128i *)(sums + p * outputs + o),
                       _mm_add_epi32(sum_four(sum[0], sum[1], sum[2], sum[3]), bias));
      if (p + 1 < pixels)
        _mm_storeu_si128((__m128i *)(sums + (p + 1) * outputs + o),
                         _mm_add_epi32(sum_four(sum[4], sum[5], sum[6], sum[7]), bias));
    }
  }
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

const eye_kernels eye_kernels_avx2 = {
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

#pragma clang attribute pop
#endif
