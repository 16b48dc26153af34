#include "kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#include "dct.h"

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

const vf_kernels vf_kernels_neon = {
    .name = "neon",
    .split_yuyv = split_yuyv,
    .split_uyvy = split_uyvy,
    .split_pairs = split_pairs,
    .inverse_dct = inverse_dct,
    .inverse_dct_half = inverse_dct_half,
    .average_rows = average_rows,
    .place = vf_neon_place,
    .filter2 = vf_neon_filter2,
    .filter4 = vf_neon_filter4,
    .filter6 = vf_neon_filter6,
};
#endif
