#include "kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

void vf_neon_place(int32_t *x, int32_t *y, const vf_trace *trace, size_t count) {
  const float32x4_t start_x = vdupq_n_f32(trace->x), step_x = vdupq_n_f32(trace->dx);
  const float32x4_t start_y = vdupq_n_f32(trace->y), step_y = vdupq_n_f32(trace->dy);
  const float32x4_t start_w = vdupq_n_f32(trace->w), step_w = vdupq_n_f32(trace->dw);
  const float32x4_t phases = vdupq_n_f32(VF_PHASES), four = vdupq_n_f32(4);
  const float steps[] = {0, 1, 2, 3};
  float32x4_t step = vld1q_f32(steps);
  for (size_t i = 0; i < count; i += 4, step = vaddq_f32(step, four)) {
    float32x4_t w = vaddq_f32(vmulq_f32(step, step_w), start_w);
    float32x4_t scale = vdivq_f32(phases, w);
    float32x4_t far_x = vaddq_f32(vmulq_f32(step, step_x), start_x);
    float32x4_t far_y = vaddq_f32(vmulq_f32(step, step_y), start_y);
    int32x4_t places_x = vcvtnq_s32_f32(vmulq_f32(far_x, scale));
    int32x4_t places_y = vcvtnq_s32_f32(vmulq_f32(far_y, scale));
    if (count - i >= 4) {
      vst1q_s32(x + i, places_x);
      vst1q_s32(y + i, places_y);
    } else {
      memcpy(x + i, &places_x, (count - i) * sizeof *x);
      memcpy(y + i, &places_y, (count - i) * sizeof *y);
    }
  }
}

static inline int32_t phase(int32_t place) { return place & (VF_PHASES - 1); }

static inline const uint8_t *at(const uint8_t *source, size_t stride, int32_t x, int32_t y) {
  return source + (size_t)(y >> VF_PHASE_BITS) * stride + (size_t)(x >> VF_PHASE_BITS);
}

/// The fractions of eight places.
static inline int16x8_t phases8(const int32_t *places) {
  int16x8_t whole = vcombine_s16(vmovn_s32(vld1q_s32(places)), vmovn_s32(vld1q_s32(places + 4)));
  return vandq_s16(whole, vdupq_n_s16(VF_PHASES - 1));
}

/// Eight pairs of samples as interpolation across makes them, in 1/128, around 128.
static inline int16x8_t across8(const uint8_t pairs[16], uint8x8_t left, uint8x8_t right) {
  uint8x8x2_t samples = vld2_u8(pairs);
  uint16x8_t sum = vmlal_u8(vmull_u8(samples.val[0], left), samples.val[1], right);
  return vsubq_s16(vreinterpretq_s16_u16(sum), vdupq_n_s16(128 * VF_PHASES));
}

void vf_neon_filter2(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint8_t upper[16], lower[16];
    for (size_t k = 0; k < 8; k++) {
      const uint8_t *pair = at(source, stride, x[i + k], y[i + k]);
      memcpy(upper + 2 * k, pair, 2);
      memcpy(lower + 2 * k, pair + stride, 2);
    }
    uint8x8_t right = vmovn_u16(vreinterpretq_u16_s16(phases8(x + i)));
    uint8x8_t left = vsub_u8(vdup_n_u8(VF_PHASES), right);
    int16x8_t above = across8(upper, left, right), below = across8(lower, left, right);
    int16x8_t part = vqrdmulhq_s16(vsubq_s16(below, above), vshlq_n_s16(phases8(y + i), 8));
    int16x8_t samples = vrshrq_n_s16(vaddq_s16(above, part), VF_PHASE_BITS);
    vst1_u8(result + i, vqmovun_s16(vaddq_s16(samples, vdupq_n_s16(128))));
  }
  vf_portable_filter2(result + i, source, stride, x + i, y + i, count - i);
}

static inline uint8_t sample_of(uint32x4_t sum) {
  uint32_t half = 1 << (2 * VF_PHASE_BITS - 1);
  return (uint8_t)((vaddvq_u32(sum) + half) >> (2 * VF_PHASE_BITS));
}

void vf_neon_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *row = at(source, stride, x[i], y[i]);
    uint32_t weights, rows[4];
    memcpy(&weights, across->taps[phase(x[i])], 4);
    for (size_t v = 0; v < 4; v++)
      memcpy(&rows[v], row + v * stride, 4);
    uint8x16_t samples = vreinterpretq_u8_u32(vld1q_u32(rows));
    uint8x16_t each = vreinterpretq_u8_u32(vdupq_n_u32(weights));
    uint16x8_t pairs =
        vpaddq_u16(vmull_u8(vget_low_u8(samples), vget_low_u8(each)), vmull_high_u8(samples, each));
    // Each row has two sums of pairs.
    uint8x8_t shares = vld1_u8(down->taps[phase(y[i])]);
    uint16x8_t share = vmovl_u8(vzip1_u8(shares, shares));
    uint32x4_t sum = vmull_u16(vget_low_u16(pairs), vget_low_u16(share));
    result[i] = sample_of(vmlal_high_u16(sum, pairs, share));
  }
}

void vf_neon_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *row = at(source, stride, x[i], y[i]), *shares = down->taps[phase(y[i])];
    uint8x8_t weights = vld1_u8(across->taps[phase(x[i])]);
    uint32x4_t sum = vdupq_n_u32(0);
    for (size_t v = 0; v < 6; v++, row += stride) {
      uint16x8_t products = vmull_u8(vld1_u8(row), weights);
      sum = vmlal_n_u16(sum, vget_low_u16(products), shares[v]);
      sum = vmlal_high_n_u16(sum, products, shares[v]);
    }
    result[i] = sample_of(sum);
  }
}
#endif
