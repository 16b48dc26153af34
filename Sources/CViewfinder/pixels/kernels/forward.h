// The forward cosine transform of a block, that of libjpeg (jfdctint.c) with the same rounding, and
// what libjpeg does to quantize. Each set's file that has no better includes this once, as it does
// dct.h.

#ifndef VF_CORE_FORWARD_H
#define VF_CORE_FORWARD_H

#include "dct.h"
#include "vf_kernels.h"

#pragma clang assume_nonnull begin

static inline void vf_widen_words(vf_integers8 *result, const vf_signed8 *words) {
  *result = __builtin_convertvector(*words, vf_integers8);
}

/// Adds two products to what is in `result` already, one after the other, as NEON does it.
static inline void vf_add_products(vf_integers8 *result, const vf_signed8 *a, int by_a,
                                   const vf_signed8 *b, int by_b) {
  vf_integers8 wide_a, wide_b;
  vf_widen_words(&wide_a, a);
  vf_widen_words(&wide_b, b);
  *result += wide_a * by_a;
  *result += wide_b * by_b;
}

static inline void vf_narrow_words(vf_signed8 *result, const vf_integers8 *wide, int bits) {
  *result = __builtin_convertvector(*wide >> bits, vf_signed8);
}

/// Eight transforms side by side, in place. What isn't multiplied is shifted to the left in the
/// first pass, and descaled in the second.
static inline void vf_forward_pass(vf_signed8 *v, int is_first) {
  vf_signed8 a0 = v[0] + v[7], b0 = v[0] - v[7], a1 = v[1] + v[6], b1 = v[1] - v[6];
  vf_signed8 a2 = v[2] + v[5], b2 = v[2] - v[5], a3 = v[3] + v[4], b3 = v[3] - v[4];
  vf_signed8 even0 = a0 + a3, even3 = a0 - a3, even1 = a1 + a2, even2 = a1 - a2;
  v[0] = even0 + even1;
  v[4] = even0 - even1;
  v[0] = is_first ? v[0] << 2 : (v[0] + 2) >> 2;
  v[4] = is_first ? v[4] << 2 : (v[4] + 2) >> 2;

  int bits = is_first ? 11 : 15;
  vf_integers8 half = (vf_integers8){0} + (1 << (bits - 1)), sum = half;
  vf_add_products(&sum, &even3, VF_0_541196100 + VF_0_765366865, &even2, VF_0_541196100);
  vf_narrow_words(&v[2], &sum, bits);
  sum = half;
  vf_add_products(&sum, &even3, VF_0_541196100, &even2, VF_0_541196100 - VF_1_847759065);
  vf_narrow_words(&v[6], &sum, bits);

  vf_signed8 s3 = b3 + b1, s4 = b2 + b0;
  vf_integers8 odd3 = half, odd4 = half;
  vf_add_products(&odd3, &s3, VF_1_175875602 - VF_1_961570560, &s4, VF_1_175875602);
  vf_add_products(&odd4, &s3, VF_1_175875602, &s4, VF_1_175875602 - VF_0_390180644);
  sum = odd3;
  vf_add_products(&sum, &b3, VF_0_298631336 - VF_0_899976223, &b0, -VF_0_899976223);
  vf_narrow_words(&v[7], &sum, bits);
  sum = odd4;
  vf_add_products(&sum, &b3, -VF_0_899976223, &b0, VF_1_501321110 - VF_0_899976223);
  vf_narrow_words(&v[1], &sum, bits);
  sum = odd4;
  vf_add_products(&sum, &b2, VF_2_053119869 - VF_2_562915447, &b1, -VF_2_562915447);
  vf_narrow_words(&v[5], &sum, bits);
  sum = odd3;
  vf_add_products(&sum, &b2, -VF_2_562915447, &b1, VF_3_072711026 - VF_2_562915447);
  vf_narrow_words(&v[3], &sum, bits);
}

static inline void vf_transpose_words(vf_signed8 *v) {
  vf_signed8 a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[i] = VF_SHUFFLE(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    a[4 + i] = VF_SHUFFLE(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      b[4 * k + i] = VF_SHUFFLE(a[4 * k + i], a[4 * k + i + 2], 0, 8, 1, 9, 2, 10, 3, 11);
      b[4 * k + 2 + i] = VF_SHUFFLE(a[4 * k + i], a[4 * k + i + 2], 4, 12, 5, 13, 6, 14, 7, 15);
    }
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = VF_SHUFFLE(b[2 * i], b[2 * i + 1], 0, 8, 1, 9, 2, 10, 3, 11);
    v[2 * i + 1] = VF_SHUFFLE(b[2 * i], b[2 * i + 1], 4, 12, 5, 13, 6, 14, 7, 15);
  }
}

/// The upper halves of products.
static inline void vf_multiply_words(vf_words8 *words, const uint16_t *by) {
  vf_words8 factors;
  memcpy(&factors, by, sizeof factors);
  vf_numbers8 a = __builtin_convertvector(*words, vf_numbers8);
  vf_numbers8 b = __builtin_convertvector(factors, vf_numbers8);
  *words = __builtin_convertvector(a * b >> 16, vf_words8);
}

/// Divides a row and rounds; halves away from 0.
static inline void vf_quantize_row(int16_t *result, const vf_signed8 *row,
                                   const vf_quantizer *quantizer, size_t at) {
  vf_signed8 sign = *row >> 15;
  vf_words8 size = (vf_words8)((*row ^ sign) - sign), half;
  memcpy(&half, quantizer->half + at, sizeof half);
  size += half;
  vf_multiply_words(&size, quantizer->reciprocal + at);
  vf_multiply_words(&size, quantizer->shift + at);
  vf_signed8 quantized = ((vf_signed8)size ^ sign) - sign;
  memcpy(result, &quantized, sizeof quantized);
}

static inline void vf_forward_block(int16_t *result, const vf_block_source *source,
                                    const vf_quantizer *quantizer) {
  vf_signed8 v[8];
  for (int i = 0; i < 8; i++) {
    vf_bytes8 bytes;
    memcpy(&bytes, source->rows[i] + source->x, sizeof bytes);
    v[i] = __builtin_convertvector(bytes, vf_signed8) - 128;
  }
  vf_transpose_words(v);
  vf_forward_pass(v, 1);
  vf_transpose_words(v);
  vf_forward_pass(v, 0);
  for (size_t i = 0; i < 8; i++)
    vf_quantize_row(result + 8 * i, &v[i], quantizer, 8 * i);
}

#pragma clang assume_nonnull end

#endif
