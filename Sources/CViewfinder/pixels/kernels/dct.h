// Inverse cosine transforms of a block, those of libjpeg (jidctint.c, jidctred.c) with the same
// rounding: after Loeffler, Ligtenberg and Moschytz (ICASSP 1989), in 13-bit fixed point. Each
// set's file includes this once: the compiler makes of its vectors what the file's instructions
// have.
//
// What is too large for any picture wraps around, alike in every set.

#ifndef VF_CORE_DCT_H
#define VF_CORE_DCT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

typedef uint16_t vf_words8 __attribute__((vector_size(16)));
typedef int16_t vf_signed8 __attribute__((vector_size(16)));
typedef uint32_t vf_numbers8 __attribute__((vector_size(32)));
typedef int32_t vf_integers8 __attribute__((vector_size(32)));
typedef uint8_t vf_bytes8 __attribute__((vector_size(8)));

/// Constants of the transforms, times 2^13.
enum {
  VF_0_211164243 = 1730,
  VF_0_298631336 = 2446,
  VF_0_390180644 = 3196,
  VF_0_509795579 = 4176,
  VF_0_541196100 = 4433,
  VF_0_601344887 = 4926,
  VF_0_720959822 = 5906,
  VF_0_765366865 = 6270,
  VF_0_850430095 = 6967,
  VF_0_899976223 = 7373,
  VF_1_061594337 = 8697,
  VF_1_175875602 = 9633,
  VF_1_272758580 = 10426,
  VF_1_451774981 = 11893,
  VF_1_501321110 = 12299,
  VF_1_847759065 = 15137,
  VF_1_961570560 = 16069,
  VF_2_053119869 = 16819,
  VF_2_172734803 = 17799,
  VF_2_562915447 = 20995,
  VF_3_072711026 = 25172,
  VF_3_624509785 = 29692,
};

/// Divides by 2^`bits`, rounded.
static inline int32_t vf_descaled(uint32_t value, int bits) {
  return (int32_t)(value + (1u << (bits - 1))) >> bits;
}

static inline uint8_t vf_sample(int32_t value) {
  value += 128;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// The odd part of a transform to two samples.
static inline uint32_t vf_quarter_odd(int32_t in1, int32_t in3, int32_t in5, int32_t in7) {
  return (uint32_t)in7 * (uint32_t)-VF_0_720959822 + (uint32_t)in5 * VF_0_850430095 +
         (uint32_t)in3 * (uint32_t)-VF_1_272758580 + (uint32_t)in1 * VF_3_624509785;
}

static inline void vf_descale8(vf_numbers8 *value, int bits) {
  *value = (vf_numbers8)((vf_integers8)(*value + (1u << (bits - 1))) >> bits);
}

/// Eight transforms side by side, in place.
static inline void vf_inverse_dct_pass(vf_numbers8 *v, int bits) {
  vf_numbers8 z1 = (v[2] + v[6]) * VF_0_541196100;
  vf_numbers8 even2 = z1 - v[6] * VF_1_847759065, even3 = z1 + v[2] * VF_0_765366865;
  vf_numbers8 even0 = (v[0] + v[4]) << 13, even1 = (v[0] - v[4]) << 13;
  vf_numbers8 a0 = even0 + even3, a3 = even0 - even3, a1 = even1 + even2, a2 = even1 - even2;

  vf_numbers8 s1 = v[7] + v[1], s2 = v[5] + v[3], s3 = v[7] + v[3], s4 = v[5] + v[1];
  vf_numbers8 z5 = (s3 + s4) * VF_1_175875602;
  s1 = -(s1 * VF_0_899976223);
  s2 = -(s2 * VF_2_562915447);
  s3 = z5 - s3 * VF_1_961570560;
  s4 = z5 - s4 * VF_0_390180644;
  vf_numbers8 b0 = v[7] * VF_0_298631336 + s1 + s3, b1 = v[5] * VF_2_053119869 + s2 + s4;
  vf_numbers8 b2 = v[3] * VF_3_072711026 + s2 + s3, b3 = v[1] * VF_1_501321110 + s1 + s4;

  v[0] = a0 + b3;
  v[7] = a0 - b3;
  v[1] = a1 + b2;
  v[6] = a1 - b2;
  v[2] = a2 + b1;
  v[5] = a2 - b1;
  v[3] = a3 + b0;
  v[4] = a3 - b0;
  for (int i = 0; i < 8; i++)
    vf_descale8(&v[i], bits);
}

/// The same to four samples, of which `v[0]` to `v[3]` are left.
static inline void vf_inverse_dct_half_pass(vf_numbers8 *v, int bits) {
  vf_numbers8 even0 = v[0] << 14, even2 = v[2] * VF_1_847759065 - v[6] * VF_0_765366865;
  vf_numbers8 a0 = even0 + even2, a1 = even0 - even2;
  vf_numbers8 b1 =
      v[5] * VF_1_451774981 - v[7] * VF_0_211164243 - v[3] * VF_2_172734803 + v[1] * VF_1_061594337;
  vf_numbers8 b0 =
      v[3] * VF_0_899976223 - v[7] * VF_0_509795579 - v[5] * VF_0_601344887 + v[1] * VF_2_562915447;
  v[0] = a0 + b0;
  v[3] = a0 - b0;
  v[1] = a1 + b1;
  v[2] = a1 - b1;
  for (int i = 0; i < 4; i++)
    vf_descale8(&v[i], bits);
}

#define VF_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

static inline void vf_transpose8(vf_numbers8 *v) {
  vf_numbers8 a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = VF_SHUFFLE(v[2 * i], v[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[2 * i + 1] = VF_SHUFFLE(v[2 * i], v[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 2; i++) {
    const vf_numbers8 *from = a + 4 * i;
    b[4 * i] = VF_SHUFFLE(from[0], from[2], 0, 1, 8, 9, 4, 5, 12, 13);
    b[4 * i + 1] = VF_SHUFFLE(from[0], from[2], 2, 3, 10, 11, 6, 7, 14, 15);
    b[4 * i + 2] = VF_SHUFFLE(from[1], from[3], 0, 1, 8, 9, 4, 5, 12, 13);
    b[4 * i + 3] = VF_SHUFFLE(from[1], from[3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) {
    v[i] = VF_SHUFFLE(b[i], b[4 + i], 0, 1, 2, 3, 8, 9, 10, 11);
    v[4 + i] = VF_SHUFFLE(b[i], b[4 + i], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

static inline void vf_load_block(vf_numbers8 *v, const int16_t *block,
                                 const int16_t *quantization) {
  for (int i = 0; i < 8; i++) {
    vf_words8 words, steps;
    memcpy(&words, block + 8 * i, sizeof words);
    memcpy(&steps, quantization + 8 * i, sizeof steps);
    v[i] = (vf_numbers8) __builtin_convertvector((vf_signed8)(words * steps), vf_integers8);
  }
}

static inline void vf_store_samples(uint8_t *result, const vf_numbers8 *row, size_t count) {
  vf_integers8 value = (vf_integers8)*row + 128;
  value = __builtin_elementwise_min(__builtin_elementwise_max(value, (vf_integers8){0}),
                                    (vf_integers8){255, 255, 255, 255, 255, 255, 255, 255});
  vf_bytes8 bytes = __builtin_convertvector(value, vf_bytes8);
  memcpy(result, &bytes, count);
}

static inline void inverse_dct(uint8_t *result, size_t stride, const int16_t *block,
                               const int16_t *quantization) {
  vf_numbers8 v[8];
  vf_load_block(v, block, quantization);
  vf_inverse_dct_pass(v, 11);
  vf_transpose8(v);
  vf_inverse_dct_pass(v, 18);
  vf_transpose8(v);
  for (size_t y = 0; y < 8; y++)
    vf_store_samples(result + y * stride, &v[y], 8);
}

static inline void inverse_dct_half(uint8_t *result, size_t stride, const int16_t *block,
                                    const int16_t *quantization) {
  vf_numbers8 v[8];
  vf_load_block(v, block, quantization);
  vf_inverse_dct_half_pass(v, 12);
  // Only four rows are left; the others are of no use.
  for (int i = 4; i < 8; i++)
    v[i] = (vf_numbers8){0};
  vf_transpose8(v);
  vf_inverse_dct_half_pass(v, 19);
  for (int i = 4; i < 8; i++)
    v[i] = (vf_numbers8){0};
  vf_transpose8(v);
  for (size_t y = 0; y < 4; y++)
    vf_store_samples(result + y * stride, &v[y], 4);
}

#pragma clang assume_nonnull end

#endif
