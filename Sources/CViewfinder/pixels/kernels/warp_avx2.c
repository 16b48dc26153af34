#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// Every function below may use AVX2; those exported are entries of its set.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

void vf_avx2_place(int32_t *x, int32_t *y, const vf_trace *trace, size_t count) {
  const __m256 start_x = _mm256_set1_ps(trace->x), step_x = _mm256_set1_ps(trace->dx);
  const __m256 start_y = _mm256_set1_ps(trace->y), step_y = _mm256_set1_ps(trace->dy);
  const __m256 start_w = _mm256_set1_ps(trace->w), step_w = _mm256_set1_ps(trace->dw);
  const __m256 phases = _mm256_set1_ps(VF_PHASES), eight = _mm256_set1_ps(8);
  __m256 step = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
  for (size_t i = 0; i < count; i += 8, step = _mm256_add_ps(step, eight)) {
    __m256 w = _mm256_add_ps(_mm256_mul_ps(step, step_w), start_w);
    __m256 scale = _mm256_div_ps(phases, w);
    __m256 far_x = _mm256_add_ps(_mm256_mul_ps(step, step_x), start_x);
    __m256 far_y = _mm256_add_ps(_mm256_mul_ps(step, step_y), start_y);
    __m256i places_x = _mm256_cvtps_epi32(_mm256_mul_ps(far_x, scale));
    __m256i places_y = _mm256_cvtps_epi32(_mm256_mul_ps(far_y, scale));
    if (count - i >= 8) {
      _mm256_storeu_si256((__m256i *)(x + i), places_x);
      _mm256_storeu_si256((__m256i *)(y + i), places_y);
    } else {
      int32_t rest_x[8], rest_y[8];
      _mm256_storeu_si256((__m256i *)rest_x, places_x);
      _mm256_storeu_si256((__m256i *)rest_y, places_y);
      memcpy(x + i, rest_x, (count - i) * sizeof *x);
      memcpy(y + i, rest_y, (count - i) * sizeof *y);
    }
  }
}

static inline __m256i load256(const void *bytes) {
  return _mm256_loadu_si256((const __m256i *)bytes);
}

static inline uint32_t load32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline int16_t load16(const uint8_t *bytes) {
  int16_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

/// Eight places, as vectors.
typedef struct places {
  __m256i offset, phase_x, phase_y;
} places;

static inline places load_places(const int32_t *x, const int32_t *y, size_t stride) {
  const __m256i fraction = _mm256_set1_epi32(VF_PHASES - 1);
  __m256i place_x = load256(x), place_y = load256(y);
  __m256i rows = _mm256_mullo_epi32(_mm256_srai_epi32(place_y, VF_PHASE_BITS),
                                    _mm256_set1_epi32((int32_t)stride));
  return (places){
      .offset = _mm256_add_epi32(rows, _mm256_srai_epi32(place_x, VF_PHASE_BITS)),
      .phase_x = _mm256_and_si256(place_x, fraction),
      .phase_y = _mm256_and_si256(place_y, fraction),
  };
}

/// The 32-bit numbers of eight samples, in 16 bits.
static inline __m128i pack16(__m256i values) {
  return _mm_packus_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
}

void vf_avx2_filter2(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, size_t count) {
  const __m128i signs = _mm_set1_epi8(-128), half = _mm_set1_epi16(VF_PHASES / 2);
  const __m128i phases = _mm_set1_epi16(VF_PHASES);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    places places = load_places(x + i, y + i, stride);
    uint32_t offsets[8];
    _mm256_storeu_si256((__m256i *)offsets, places.offset);
    __asm__("" : "+m"(offsets));
#define PAIR(k) load16(source + offsets[k])
    __m128i upper =
        _mm_setr_epi16(PAIR(0), PAIR(1), PAIR(2), PAIR(3), PAIR(4), PAIR(5), PAIR(6), PAIR(7));
#undef PAIR
#define PAIR(k) load16(source + stride + offsets[k])
    __m128i lower =
        _mm_setr_epi16(PAIR(0), PAIR(1), PAIR(2), PAIR(3), PAIR(4), PAIR(5), PAIR(6), PAIR(7));
#undef PAIR
    // The left sample's weight below the right one's: 128 - phase and phase.
    __m128i phase_x = pack16(places.phase_x), phase_y = pack16(places.phase_y);
    __m128i weights = _mm_add_epi16(_mm_sub_epi16(_mm_slli_epi16(phase_x, 8), phase_x), phases);
    // Weights are unsigned here, so samples are signed.
    __m128i above = _mm_maddubs_epi16(weights, _mm_xor_si128(upper, signs));
    __m128i below = _mm_maddubs_epi16(weights, _mm_xor_si128(lower, signs));
    __m128i part = _mm_mulhrs_epi16(_mm_sub_epi16(below, above), _mm_slli_epi16(phase_y, 8));
    __m128i sum = _mm_add_epi16(_mm_add_epi16(above, part), half);
    __m128i samples = _mm_srai_epi16(sum, VF_PHASE_BITS);
    _mm_storel_epi64((__m128i *)(result + i),
                     _mm_xor_si128(_mm_packs_epi16(samples, samples), signs));
  }
  vf_portable_filter2(result + i, source, stride, x + i, y + i, count - i);
}

static inline __m128i load4x32(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                               const uint8_t *d) {
  return _mm_setr_epi32((int32_t)load32(a), (int32_t)load32(b), (int32_t)load32(c),
                        (int32_t)load32(d));
}

/// Four samples by a filter of 4 × 4, in 1/128².
static inline __m128i sums4(const uint8_t *source, size_t stride, const uint32_t *offsets,
                            const uint32_t *phase_x, const uint32_t *phase_y,
                            const vf_weights *across, const vf_weights *down) {
  __m128i weights = load4x32(across->taps[phase_x[0]], across->taps[phase_x[1]],
                             across->taps[phase_x[2]], across->taps[phase_x[3]]);
  __m128i shares = load4x32(down->taps[phase_y[0]], down->taps[phase_y[1]], down->taps[phase_y[2]],
                            down->taps[phase_y[3]]);
  // Byte v of each 32 bits, as both of their 16-bit numbers.
  const __m128i first = _mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
  __m128i sum = _mm_set1_epi32(1 << (2 * VF_PHASE_BITS - 1));
  const uint8_t *a = source + offsets[0], *b = source + offsets[1], *c = source + offsets[2],
                *d = source + offsets[3];
#pragma clang loop unroll(full)
  for (size_t v = 0; v < 4; v++) {
    __m128i samples = load4x32(a + v * stride, b + v * stride, c + v * stride, d + v * stride);
    __m128i share = _mm_add_epi8(first, _mm_set1_epi16((int16_t)v));
    __m128i pairs = _mm_maddubs_epi16(samples, weights);
    sum = _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_shuffle_epi8(shares, share)));
  }
  return _mm_srai_epi32(sum, 2 * VF_PHASE_BITS);
}

void vf_avx2_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    places places = load_places(x + i, y + i, stride);
    uint32_t offsets[8], phase_x[8], phase_y[8];
    _mm256_storeu_si256((__m256i *)offsets, places.offset);
    _mm256_storeu_si256((__m256i *)phase_x, places.phase_x);
    _mm256_storeu_si256((__m256i *)phase_y, places.phase_y);
    __asm__("" : "+m"(offsets), "+m"(phase_x), "+m"(phase_y));
    __m128i left = sums4(source, stride, offsets, phase_x, phase_y, across, down);
    __m128i right = sums4(source, stride, offsets + 4, phase_x + 4, phase_y + 4, across, down);
    __m128i samples = _mm_packs_epi32(left, right);
    _mm_storel_epi64((__m128i *)(result + i), _mm_packus_epi16(samples, samples));
  }
  vf_portable_filter4(result + i, source, stride, x + i, y + i, across, down, count - i);
}

/// The sums of four vectors' numbers.
static inline __m128i sum_each(__m128i a, __m128i b, __m128i c, __m128i d) {
  __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
  __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
  return _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
}

/// 8 bytes of each of two rows.
static inline __m128i load_rows(const uint8_t *row, size_t stride) {
  __m128i upper = _mm_loadl_epi64((const __m128i *)row);
  return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(upper), (const double *)(row + stride)));
}

/// The sum of one sample, in four parts.
static inline __m128i sum6(const uint8_t *row, size_t stride, const uint8_t *across,
                           const uint8_t *down) {
  const __m128i two = _mm_set1_epi16(2);
  __m128i share = _mm_setr_epi8(0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1, -1);
  __m128i weights = _mm_castpd_si128(_mm_loaddup_pd((const double *)across));
  __m128i shares = _mm_loadl_epi64((const __m128i *)down), sum = _mm_setzero_si128();
#pragma clang loop unroll(full)
  for (int v = 0; v < 6; v += 2, row += 2 * stride) {
    __m128i pairs = _mm_maddubs_epi16(load_rows(row, stride), weights);
    sum = _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_shuffle_epi8(shares, share)));
    share = _mm_add_epi8(share, two);
  }
  return sum;
}

void vf_avx2_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count) {
  const __m128i half = _mm_set1_epi32(1 << (2 * VF_PHASE_BITS - 1));
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    places places = load_places(x + i, y + i, stride);
    uint32_t offsets[8], phase_x[8], phase_y[8];
    _mm256_storeu_si256((__m256i *)offsets, places.offset);
    _mm256_storeu_si256((__m256i *)phase_x, places.phase_x);
    _mm256_storeu_si256((__m256i *)phase_y, places.phase_y);
    __asm__("" : "+m"(offsets), "+m"(phase_x), "+m"(phase_y));
    __m128i sums[8];
#pragma clang loop unroll(full)
    for (size_t k = 0; k < 8; k++)
      sums[k] = sum6(source + offsets[k], stride, across->taps[phase_x[k]], down->taps[phase_y[k]]);
    __m128i left = sum_each(sums[0], sums[1], sums[2], sums[3]);
    __m128i right = sum_each(sums[4], sums[5], sums[6], sums[7]);
    left = _mm_srai_epi32(_mm_add_epi32(left, half), 2 * VF_PHASE_BITS);
    right = _mm_srai_epi32(_mm_add_epi32(right, half), 2 * VF_PHASE_BITS);
    __m128i samples = _mm_packs_epi32(left, right);
    _mm_storel_epi64((__m128i *)(result + i), _mm_packus_epi16(samples, samples));
  }
  vf_portable_filter6(result + i, source, stride, x + i, y + i, across, down, count - i);
}

#pragma clang attribute pop
#endif
