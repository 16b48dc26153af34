#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "dct.h"

// Both blocks of a pair side by side, one in each 128-bit lane.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

/// Eight rows, or columns, of both blocks.
typedef struct words {
  __m256i v[8];
} words;

/// Multiplies pairs of words, the first of each with `a`, the second with `b`.
static inline __m256i factors(int a, int b) {
  return _mm256_set1_epi32((int)((unsigned)a & 0xffff) | (int)((unsigned)b << 16));
}

/// Sums of two products each, in 32 bits: of the lower words of both lanes, and of the higher ones.
typedef struct sums {
  __m256i low, high;
} sums;

static inline sums multiply(sums pairs, __m256i by) {
  return (sums){_mm256_madd_epi16(pairs.low, by), _mm256_madd_epi16(pairs.high, by)};
}

static inline sums interleave(__m256i a, __m256i b) {
  return (sums){_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};
}

static inline sums add(sums a, sums b) {
  return (sums){_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}

static inline __m256i descale(sums a, int bits) {
  return _mm256_packs_epi32(_mm256_srai_epi32(a.low, bits), _mm256_srai_epi32(a.high, bits));
}

/// All transforms of one direction, in place.
static inline void pass(words *words, int is_first) {
  __m256i *v = words->v;
  int bits = is_first ? 11 : 15;
  __m256i half = _mm256_set1_epi32(1 << (bits - 1));
  sums rounding = {half, half};
  __m256i a0 = _mm256_add_epi16(v[0], v[7]), b0 = _mm256_sub_epi16(v[0], v[7]);
  __m256i a1 = _mm256_add_epi16(v[1], v[6]), b1 = _mm256_sub_epi16(v[1], v[6]);
  __m256i a2 = _mm256_add_epi16(v[2], v[5]), b2 = _mm256_sub_epi16(v[2], v[5]);
  __m256i a3 = _mm256_add_epi16(v[3], v[4]), b3 = _mm256_sub_epi16(v[3], v[4]);

  __m256i even0 = _mm256_add_epi16(a0, a3), even3 = _mm256_sub_epi16(a0, a3);
  __m256i even1 = _mm256_add_epi16(a1, a2), even2 = _mm256_sub_epi16(a1, a2);
  v[0] = _mm256_add_epi16(even0, even1);
  v[4] = _mm256_sub_epi16(even0, even1);
  if (is_first) {
    // Samples are around 128: that is in all of the eight.
    v[0] = _mm256_slli_epi16(_mm256_sub_epi16(v[0], _mm256_set1_epi16(8 * 128)), 2);
    v[4] = _mm256_slli_epi16(v[4], 2);
  } else {
    __m256i two = _mm256_set1_epi16(2);
    v[0] = _mm256_srai_epi16(_mm256_add_epi16(v[0], two), 2);
    v[4] = _mm256_srai_epi16(_mm256_add_epi16(v[4], two), 2);
  }
  sums even = interleave(even3, even2);
  v[2] = descale(
      add(multiply(even, factors(VF_0_541196100 + VF_0_765366865, VF_0_541196100)), rounding),
      bits);
  v[6] = descale(
      add(multiply(even, factors(VF_0_541196100, VF_0_541196100 - VF_1_847759065)), rounding),
      bits);

  sums outer = interleave(b3, b0), inner = interleave(b2, b1);
  sums both = interleave(_mm256_add_epi16(b3, b1), _mm256_add_epi16(b2, b0));
  sums s3 = add(multiply(both, factors(VF_1_175875602 - VF_1_961570560, VF_1_175875602)), rounding);
  sums s4 = add(multiply(both, factors(VF_1_175875602, VF_1_175875602 - VF_0_390180644)), rounding);
  v[7] = descale(
      add(multiply(outer, factors(VF_0_298631336 - VF_0_899976223, -VF_0_899976223)), s3), bits);
  v[1] = descale(
      add(multiply(outer, factors(-VF_0_899976223, VF_1_501321110 - VF_0_899976223)), s4), bits);
  v[5] = descale(
      add(multiply(inner, factors(VF_2_053119869 - VF_2_562915447, -VF_2_562915447)), s4), bits);
  v[3] = descale(
      add(multiply(inner, factors(-VF_2_562915447, VF_3_072711026 - VF_2_562915447)), s3), bits);
}

static inline __m256i load8(const uint8_t *first, const uint8_t *second) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)first)),
                                 _mm_loadl_epi64((const __m128i *)second), 1);
}

/// The columns of the samples: bytes are turned, which are half as many registers as words.
static inline void load_columns(words *columns, const vf_block_source *first,
                                const vf_block_source *second) {
  __m256i rows[8], pairs[4], quads[4];
  for (int i = 0; i < 8; i++)
    rows[i] = load8(first->rows[i] + first->x, second->rows[i] + second->x);
  for (int i = 0; i < 4; i++)
    pairs[i] = _mm256_unpacklo_epi8(rows[2 * i], rows[2 * i + 1]);
  for (int i = 0; i < 2; i++) {
    quads[2 * i] = _mm256_unpacklo_epi16(pairs[2 * i], pairs[2 * i + 1]);
    quads[2 * i + 1] = _mm256_unpackhi_epi16(pairs[2 * i], pairs[2 * i + 1]);
  }
  __m256i zero = _mm256_setzero_si256();
  for (int i = 0; i < 2; i++) {
    __m256i low = _mm256_unpacklo_epi32(quads[i], quads[2 + i]);
    __m256i high = _mm256_unpackhi_epi32(quads[i], quads[2 + i]);
    columns->v[4 * i] = _mm256_unpacklo_epi8(low, zero);
    columns->v[4 * i + 1] = _mm256_unpackhi_epi8(low, zero);
    columns->v[4 * i + 2] = _mm256_unpacklo_epi8(high, zero);
    columns->v[4 * i + 3] = _mm256_unpackhi_epi8(high, zero);
  }
}

static inline void transpose(words *words) {
  __m256i *v = words->v, a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm256_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm256_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      b[4 * i + 2 * k] = _mm256_unpacklo_epi32(a[4 * i + k], a[4 * i + 2 + k]);
      b[4 * i + 2 * k + 1] = _mm256_unpackhi_epi32(a[4 * i + k], a[4 * i + 2 + k]);
    }
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = _mm256_unpacklo_epi64(b[i], b[4 + i]);
    v[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[4 + i]);
  }
}

/// The steps of a row, alike for both blocks.
static inline __m256i load_steps(const uint16_t *steps) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)steps));
}

static inline __m256i quantize(__m256i row, const vf_quantizer *quantizer, size_t at) {
  __m256i size = _mm256_add_epi16(_mm256_abs_epi16(row), load_steps(quantizer->half + at));
  size = _mm256_mulhi_epu16(size, load_steps(quantizer->reciprocal + at));
  size = _mm256_mulhi_epu16(size, load_steps(quantizer->shift + at));
  return _mm256_sign_epi16(size, row);
}

/// Where the bytes of a block in zigzag order come from, of two rows each; -1 where from others.
static const int8_t zigzag[4][4][16] = {
    {{0, 1, 8, -1, 9, 2, 3, 10, -1, -1, -1, -1, -1, 11, 4, 5},
     {-1, -1, -1, 0, -1, -1, -1, -1, 1, 8, -1, 9, 2, -1, -1, -1},
     {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1},
     {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {{12, -1, -1, -1, -1, -1, -1, -1, -1, -1, 13, 6, 7, 14, -1, -1},
     {-1, 3, 10, -1, -1, -1, -1, -1, 11, 4, -1, -1, -1, -1, 5, 12},
     {-1, -1, -1, 1, 8, -1, 9, 2, -1, -1, -1, -1, -1, -1, -1, -1},
     {-1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 15, -1, -1, -1, -1, -1},
     {-1, -1, -1, -1, -1, -1, -1, -1, 13, 6, -1, 7, 14, -1, -1, -1},
     {3, 10, -1, -1, -1, -1, 11, 4, -1, -1, -1, -1, -1, 5, 12, -1},
     {-1, -1, 1, 8, 9, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3}},
    {{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     {-1, -1, -1, -1, -1, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     {-1, -1, -1, 13, 6, -1, 7, 14, -1, -1, -1, -1, 15, -1, -1, -1},
     {10, 11, 4, -1, -1, -1, -1, -1, 5, 12, 13, 6, -1, 7, 14, 15}},
};

/// Sixteen flags of each block, from the bytes of its rows that aren't 0.
static inline __m256i choose(const __m256i *flags, int quarter) {
  __m256i chosen = _mm256_setzero_si256();
  for (int i = 0; i < 4; i++) {
    __m256i places =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)zigzag[quarter][i]));
    chosen = _mm256_or_si256(chosen, _mm256_shuffle_epi8(flags[i], places));
  }
  return chosen;
}

static inline void find_nonzero(vf_block_pair *result, const words *rows) {
  __m256i flags[4], zero = _mm256_setzero_si256();
  for (int i = 0; i < 4; i++)
    // Saturated, so that nothing else becomes 0.
    flags[i] = _mm256_packs_epi16(rows->v[2 * i], rows->v[2 * i + 1]);
  uint64_t first = 0, second = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t zeros = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(choose(flags, i), zero));
    first |= (uint64_t)(uint16_t)~zeros << 16 * i;
    second |= (uint64_t)(~zeros >> 16) << 16 * i;
  }
  result->nonzero[0] = first;
  result->nonzero[1] = second;
}

void vf_avx2_forward_dct(vf_block_pair *result, vf_block_source first, vf_block_source second,
                         const vf_quantizer *quantizer) {
  words words;
  load_columns(&words, &first, &second);
  pass(&words, 1);
  transpose(&words);
  pass(&words, 0);
  for (size_t i = 0; i < 8; i++) {
    words.v[i] = quantize(words.v[i], quantizer, 8 * i);
    _mm256_storeu2_m128i((__m128i *)(result->values[1] + 8 * i),
                         (__m128i *)(result->values[0] + 8 * i), words.v[i]);
  }
  find_nonzero(result, &words);
}

#pragma clang attribute pop
#endif
