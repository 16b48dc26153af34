#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni"))), \
                             apply_to = function)

#include "detect/kernels/avx512.h"
#include "detect/kernels/patches.h"

// What AVX-512 does better: dot products (VNNI) multiply four bytes, add the products, and add them
// to the sum at once; sums become bytes by eights, and patches come two pixels at a time.

enum { PIXELS = 8 };

/// Weights of sixteen outputs, for four bytes each.
static inline __m512i load_weights(const int8_t *at, int32_t whole) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)at)),
                            _mm256_loadu_si256((const __m256i *)(at + whole)), 1);
}

/// `size` pixels (the last ones may be the same) by `blocks` of sixteen outputs: their sums stay in
/// registers.
static inline __attribute__((always_inline)) void
multiply_sixteens(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                  int32_t segment_count, int32_t length, int32_t step, const int8_t *weights,
                  const int32_t *biases, int32_t pixels, int32_t outputs, int32_t p, int size,
                  int blocks) {
  int32_t whole = segment_count * length * 8, at[PIXELS];
  __m512i sum[2][PIXELS];
  for (int n = 0; n < size; n++) {
    at[n] = (p + n < pixels ? p + n : pixels - 1) * step;
    for (int b = 0; b < blocks; b++)
      sum[b][n] = _mm512_loadu_si512(biases + 16 * b);
  }
  for (int32_t s = 0; s < segment_count; s++) {
    const uint8_t *segment = segments[s];
    for (int32_t k = 0; k < length; k += 4, weights += 32) {
      __m512i weight[2];
      for (int b = 0; b < blocks; b++)
        weight[b] = load_weights(weights + 2 * b * whole, whole);
      for (int n = 0; n < size; n++) {
        __m512i four = _mm512_broadcastd_epi32(_mm_loadu_si32(segment + at[n] + k));
        for (int b = 0; b < blocks; b++)
          sum[b][n] = _mm512_dpbusd_epi32(sum[b][n], four, weight[b]);
      }
    }
  }
  for (int b = 0; b < blocks; b++) {
    for (int n = 0; n < size && p + n < pixels; n++)
      _mm512_storeu_si512(sums + (p + n) * outputs + 16 * b, sum[b][n]);
  }
}

static inline void multiply_eight(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                                  int32_t segment_count, int32_t length, int32_t step,
                                  const int8_t *weights, const int32_t *biases, int32_t pixels,
                                  int32_t outputs, int32_t p) {
  int32_t at[PIXELS];
  __m256i sum[PIXELS];
  for (int n = 0; n < PIXELS; n++) {
    at[n] = (p + n < pixels ? p + n : pixels - 1) * step;
    sum[n] = _mm256_loadu_si256((const __m256i *)biases);
  }
  for (int32_t s = 0; s < segment_count; s++) {
    const uint8_t *segment = segments[s];
    for (int32_t k = 0; k < length; k += 4, weights += 32) {
      __m256i weight = _mm256_loadu_si256((const __m256i *)weights);
      for (int n = 0; n < PIXELS; n++) {
        __m256i four = _mm256_broadcastd_epi32(_mm_loadu_si32(segment + at[n] + k));
        sum[n] = _mm256_dpbusd_epi32(sum[n], four, weight);
      }
    }
  }
  for (int n = 0; n < PIXELS && p + n < pixels; n++)
    _mm256_storeu_si256((__m256i *)(sums + (p + n) * outputs), sum[n]);
}

void eye_multiply_avx512(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                         int32_t segment_count, int32_t length, int32_t step, const int8_t *weights,
                         const int32_t *biases, int32_t pixels, int32_t outputs) {
  int32_t whole = segment_count * length, o = 0;
#define SIXTEENS(size, blocks)                                                                     \
  for (; o + 16 * (blocks) <= outputs; o += 16 * (blocks)) {                                       \
    for (int32_t p = 0; p < pixels; p += size)                                                     \
      multiply_sixteens(sums + o, segments, segment_count, length, step, weights + o * whole,      \
                        biases + o, pixels, outputs, p, size, blocks);                             \
  }
  if (pixels == 1) {
    SIXTEENS(1, 2)
  } else {
    SIXTEENS(PIXELS, 2)
  }
  SIXTEENS(PIXELS, 1)
#undef SIXTEENS
  for (int32_t p = 0; p < pixels && o < outputs; p += PIXELS)
    multiply_eight(sums + o, segments, segment_count, length, step, weights + o * whole, biases + o,
                   pixels, outputs, p);
}

/// A column of three rows: for each of sixteen channels their bytes, and 0.
static inline __m512i load_column(const uint8_t *const _Nonnull rows[_Nonnull 3], int32_t at,
                                  __mmask16 mask) {
  __m512i row[3];
  for (int k = 0; k < 3; k++)
    row[k] = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, rows[k] + at));
  return _mm512_or_si512(
      row[0], _mm512_or_si512(_mm512_slli_epi32(row[1], 8), _mm512_slli_epi32(row[2], 16)));
}

void eye_depthwise_avx512(int32_t *sums, const uint8_t *const _Nonnull rows[_Nonnull 3],
                          const int8_t *weights, const int32_t *biases, int32_t pixels,
                          int32_t channels) {
  for (int32_t c = 0; c < channels; c += 16) {
    __mmask16 mask = (__mmask16)(channels - c < 16 ? (1 << (channels - c)) - 1 : 0xffff);
    __m512i bias = _mm512_maskz_loadu_epi32(mask, biases + c), weight[3];
    for (int k = 0; k < 3; k++)
      weight[k] = _mm512_maskz_loadu_epi32(mask, weights + 4 * (k * channels + c));
    __m512i left = load_column(rows, c, mask), middle = load_column(rows, channels + c, mask);
    for (int32_t x = 0; x < pixels; x++) {
      __m512i right = load_column(rows, (x + 2) * channels + c, mask);
      __m512i sum = _mm512_dpbusd_epi32(bias, left, weight[0]);
      sum = _mm512_dpbusd_epi32(sum, middle, weight[1]);
      sum = _mm512_dpbusd_epi32(sum, right, weight[2]);
      _mm512_mask_storeu_epi32(sums + x * channels + c, mask, sum);
      left = middle;
      middle = right;
    }
  }
}

void eye_requantise_avx512(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                           const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                           int32_t pixels, int32_t channels) {
  const __m512i half = _mm512_set1_epi64((int64_t)1 << (shift - 1));
  const __m512i factor = _mm512_set1_epi64(side_multiplier), zero = _mm512_setzero_si512();
  const __m128i count = _mm_cvtsi32_si128(shift);
  for (int32_t c = 0; c < channels; c += 8) {
    __mmask8 mask = (__mmask8)(channels - c < 8 ? (1 << (channels - c)) - 1 : 255);
    __m512i multiplier = _mm512_cvtepi32_epi64(_mm256_maskz_loadu_epi32(mask, multipliers + c));
    for (int32_t p = 0; p < pixels; p++) {
      int32_t at = p * channels + c;
      __m512i sum = _mm512_cvtepi32_epi64(_mm256_maskz_loadu_epi32(mask, sums + at));
      __m512i value = _mm512_add_epi64(_mm512_mul_epi32(sum, multiplier), half);
      if (side) {
        __m512i beside = _mm512_cvtepu8_epi64(_mm_maskz_loadu_epi8(mask, side + at));
        value = _mm512_add_epi64(value, _mm512_mul_epi32(beside, factor));
      }
      value = _mm512_srl_epi64(_mm512_max_epi64(value, zero), count);
      _mm_mask_storeu_epi8(result + at, mask, _mm512_cvtusepi64_epi8(value));
    }
  }
}

void eye_take_patch_avx512(uint8_t *patch, const eye_patch_source *source) {
  take_patch(patch, source);
}

#pragma clang attribute pop
#endif
