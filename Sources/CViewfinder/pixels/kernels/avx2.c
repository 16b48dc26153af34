#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Every function below may use AVX2; the file's only exported symbol is the table.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "dct.h"

/// The bytes at even places of 64 bytes, in order, and those at odd places.
typedef struct halves {
  __m256i even, odd;
} halves;

static inline halves split64(__m256i a, __m256i b) {
  const __m256i low = _mm256_set1_epi16(0x00ff);
  __m256i even = _mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
  __m256i odd = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
  // Packing works within 128-bit lanes: put the quarters back in order.
  return (halves){_mm256_permute4x64_epi64(even, 0xd8), _mm256_permute4x64_epi64(odd, 0xd8)};
}

static inline halves load_split64(const uint8_t *bytes) {
  return split64(_mm256_loadu_si256((const __m256i *)bytes),
                 _mm256_loadu_si256((const __m256i *)(bytes + 32)));
}

static inline void store32(uint8_t *bytes, __m256i value) {
  _mm256_storeu_si256((__m256i *)bytes, value);
}

static void split_yuyv(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *yuyv, size_t pairs) {
  size_t i = 0;
  for (; i + 32 <= pairs; i += 32) {
    halves a = load_split64(yuyv + 4 * i);
    halves b = load_split64(yuyv + 4 * i + 64);
    halves chroma = split64(a.odd, b.odd);
    store32(luma + 2 * i, a.even);
    store32(luma + 2 * i + 32, b.even);
    store32(cb + i, chroma.even);
    store32(cr + i, chroma.odd);
  }
  vf_portable_split_yuyv(luma + 2 * i, cb + i, cr + i, yuyv + 4 * i, pairs - i);
}

static void split_uyvy(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *uyvy, size_t pairs) {
  size_t i = 0;
  for (; i + 32 <= pairs; i += 32) {
    halves a = load_split64(uyvy + 4 * i);
    halves b = load_split64(uyvy + 4 * i + 64);
    halves chroma = split64(a.even, b.even);
    store32(luma + 2 * i, a.odd);
    store32(luma + 2 * i + 32, b.odd);
    store32(cb + i, chroma.even);
    store32(cr + i, chroma.odd);
  }
  vf_portable_split_uyvy(luma + 2 * i, cb + i, cr + i, uyvy + 4 * i, pairs - i);
}

static void split_pairs(uint8_t *first, uint8_t *second, const uint8_t *pairs, size_t count) {
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    halves split = load_split64(pairs + 2 * i);
    store32(first + i, split.even);
    store32(second + i, split.odd);
  }
  vf_portable_split_pairs(first + i, second + i, pairs + 2 * i, count - i);
}

static void average_rows(uint8_t *result, const uint8_t *a, const uint8_t *b, size_t count) {
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    store32(result + i, _mm256_avg_epu8(_mm256_loadu_si256((const __m256i *)(a + i)),
                                        _mm256_loadu_si256((const __m256i *)(b + i))));
  }
  vf_portable_average_rows(result + i, a + i, b + i, count - i);
}

/// Stores the sums of 32 samples, of which those at even and odd places were added up apart.
static inline void store_sums(uint16_t *sums, __m256i even, __m256i odd) {
  __m256i a = _mm256_unpacklo_epi16(even, odd), b = _mm256_unpackhi_epi16(even, odd);
  // Unpacking works within 128-bit lanes.
  _mm256_storeu_si256((__m256i *)sums, _mm256_permute2x128_si256(a, b, 0x20));
  _mm256_storeu_si256((__m256i *)(sums + 16), _mm256_permute2x128_si256(a, b, 0x31));
}

static void sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t row_count,
                     size_t count) {
  const __m256i low = _mm256_set1_epi16(0x00ff);
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    __m256i even[2] = {0}, odd[2] = {0};
    for (size_t n = 0; n < row_count; n++) {
      const uint8_t *at = rows + n * stride + i;
      for (int k = 0; k < 2; k++) {
        __m256i samples = _mm256_loadu_si256((const __m256i *)(at + 32 * k));
        even[k] = _mm256_add_epi16(even[k], _mm256_and_si256(samples, low));
        odd[k] = _mm256_add_epi16(odd[k], _mm256_srli_epi16(samples, 8));
      }
    }
    for (int k = 0; k < 2; k++)
      store_sums(sums + i + 32 * k, even[k], odd[k]);
  }
  vf_portable_sum_rows(sums + i, rows + i, stride, row_count, count - i);
}

/// Bytes that are looked at together.
enum { LOOKED_AT = 256 };

/// Whether one of these bytes is 0xFF and the one after it isn't 0; reads one more.
static inline int has_marker(const uint8_t *bytes) {
  const __m256i ones = _mm256_set1_epi8(-1);
  __m256i found = _mm256_setzero_si256();
  for (size_t i = 0; i < LOOKED_AT; i += 32) {
    __m256i these = _mm256_loadu_si256((const __m256i *)(bytes + i));
    __m256i next = _mm256_loadu_si256((const __m256i *)(bytes + i + 1));
    found = _mm256_or_si256(found, _mm256_and_si256(_mm256_cmpeq_epi8(these, ones), next));
  }
  return !_mm256_testz_si256(found, found);
}

static size_t find_marker(const uint8_t *bytes, size_t count) {
  size_t at = 0;
  while (count - at > LOOKED_AT && !has_marker(bytes + at))
    at += LOOKED_AT;
  return at + vf_portable_find_marker(bytes + at, count - at);
}

#pragma clang attribute pop

const vf_kernels vf_kernels_avx2 = {
    .name = "avx2",
    .split_yuyv = split_yuyv,
    .split_uyvy = split_uyvy,
    .split_pairs = split_pairs,
    .inverse_dct = inverse_dct,
    .inverse_dct_half = inverse_dct_half,
    .encodes = VF_ENCODES,
    .forward_dct = vf_avx2_forward_dct,
    .average_rows = average_rows,
    .sum_rows = sum_rows,
    .find_marker = find_marker,
    .place = vf_avx2_place,
    .filter2 = vf_avx2_filter2,
    .filter4 = vf_avx2_filter4,
    .filter6 = vf_avx2_filter6,
};

// These loops gain nothing by it; the card eye's networks do.
const vf_kernels vf_kernels_avx512vnni = {
    .name = "avx512vnni",
    .split_yuyv = split_yuyv,
    .split_uyvy = split_uyvy,
    .split_pairs = split_pairs,
    .inverse_dct = inverse_dct,
    .inverse_dct_half = inverse_dct_half,
    .encodes = VF_ENCODES,
    .forward_dct = vf_avx2_forward_dct,
    .average_rows = average_rows,
    .sum_rows = sum_rows,
    .find_marker = find_marker,
    .place = vf_avx2_place,
    .filter2 = vf_avx2_filter2,
    .filter4 = vf_avx2_filter4,
    .filter6 = vf_avx2_filter6,
};
#endif
