#include "kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#include "dct.h"
#include "forward.h"

static void split_yuyv(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *yuyv, size_t pairs) {
  size_t i = 0;
  for (; i + 16 <= pairs; i += 16) {
    uint8x16x4_t split = vld4q_u8(yuyv + 4 * i);
    vst2q_u8(luma + 2 * i, ((uint8x16x2_t){{split.val[0], split.val[2]}}));
    vst1q_u8(cb + i, split.val[1]);
    vst1q_u8(cr + i, split.val[3]);
  }
  vf_portable_split_yuyv(luma + 2 * i, cb + i, cr + i, yuyv + 4 * i, pairs - i);
}

static void split_uyvy(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *uyvy, size_t pairs) {
  size_t i = 0;
  for (; i + 16 <= pairs; i += 16) {
    uint8x16x4_t split = vld4q_u8(uyvy + 4 * i);
    vst2q_u8(luma + 2 * i, ((uint8x16x2_t){{split.val[1], split.val[3]}}));
    vst1q_u8(cb + i, split.val[0]);
    vst1q_u8(cr + i, split.val[2]);
  }
  vf_portable_split_uyvy(luma + 2 * i, cb + i, cr + i, uyvy + 4 * i, pairs - i);
}

static void split_pairs(uint8_t *first, uint8_t *second, const uint8_t *pairs, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    uint8x16x2_t split = vld2q_u8(pairs + 2 * i);
    vst1q_u8(first + i, split.val[0]);
    vst1q_u8(second + i, split.val[1]);
  }
  vf_portable_split_pairs(first + i, second + i, pairs + 2 * i, count - i);
}

static void average_rows(uint8_t *result, const uint8_t *a, const uint8_t *b, size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    vst1q_u8(result + i, vrhaddq_u8(vld1q_u8(a + i), vld1q_u8(b + i)));
  }
  vf_portable_average_rows(result + i, a + i, b + i, count - i);
}

static void sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t row_count,
                     size_t count) {
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    uint16x8_t all[4] = {vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0)};
    for (size_t n = 0; n < row_count; n++) {
      for (int k = 0; k < 4; k++)
        all[k] = vaddw_u8(all[k], vld1_u8(rows + n * stride + i + 8 * k));
    }
    for (int k = 0; k < 4; k++)
      vst1q_u16(sums + i + 8 * k, all[k]);
  }
  vf_portable_sum_rows(sums + i, rows + i, stride, row_count, count - i);
}

static uint64_t find_nonzero(const int16_t *values) {
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16x4_t flags;
  for (int i = 0; i < 4; i++) {
    int16x8_t a = vld1q_s16(values + 16 * i), b = vld1q_s16(values + 16 * i + 8);
    flags.val[i] = vcombine_u8(vmovn_u16(vtstq_s16(a, a)), vmovn_u16(vtstq_s16(b, b)));
  }
  uint64_t nonzero = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint8x16_t chosen = vqtbl4q_u8(flags, vld1q_u8(vf_natural_order + 16 * i));
    uint8x16_t bits = vandq_u8(chosen, vld1q_u8(weights));
    nonzero |= (uint64_t)vaddv_u8(vget_low_u8(bits)) << 16 * i;
    nonzero |= (uint64_t)vaddv_u8(vget_high_u8(bits)) << (16 * i + 8);
  }
  return nonzero;
}

static void forward_dct(vf_block_pair *result, vf_block_source first, vf_block_source second,
                        const vf_quantizer *quantizer) {
  vf_forward_block(result->values[0], &first, quantizer);
  vf_forward_block(result->values[1], &second, quantizer);
  for (unsigned i = 0; i < 2; i++)
    result->nonzero[i] = find_nonzero(result->values[i]);
}

const vf_kernels vf_kernels_neon = {
    .name = "neon",
    .split_yuyv = split_yuyv,
    .split_uyvy = split_uyvy,
    .split_pairs = split_pairs,
    .inverse_dct = inverse_dct,
    .inverse_dct_half = inverse_dct_half,
    .encodes = VF_ENCODES,
    .forward_dct = forward_dct,
    .average_rows = average_rows,
    .sum_rows = sum_rows,
    .find_marker = vf_portable_find_marker,
    .place = vf_neon_place,
    .filter2 = vf_neon_filter2,
    .filter4 = vf_neon_filter4,
    .filter6 = vf_neon_filter6,
};
#endif
