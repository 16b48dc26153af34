#include <math.h>

#include "kernels.h"

// Every set rounds each product and sum by itself, as vectors without fused operations do.
#pragma STDC FP_CONTRACT OFF

void vf_portable_place(int32_t *restrict x, int32_t *restrict y, const vf_trace *trace,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    float step = (float)i, scale = VF_PHASES / (step * trace->dw + trace->w);
    x[i] = (int32_t)lrintf((step * trace->dx + trace->x) * scale);
    y[i] = (int32_t)lrintf((step * trace->dy + trace->y) * scale);
  }
}

/// Fractions of places, 0 to 127.
static inline int32_t phase(int32_t place) { return place & (VF_PHASES - 1); }

static inline const uint8_t *at(const uint8_t *source, size_t stride, int32_t x, int32_t y) {
  return source + (size_t)(y >> VF_PHASE_BITS) * stride + (size_t)(x >> VF_PHASE_BITS);
}

void vf_portable_filter2(uint8_t *restrict result, const uint8_t *restrict source, size_t stride,
                         const int32_t *restrict x, const int32_t *restrict y, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *upper = at(source, stride, x[i], y[i]), *lower = upper + stride;
    int32_t right = phase(x[i]), left = VF_PHASES - right;
    // Around 128, so that vectors can hold it in 16 bits.
    int32_t above = upper[0] * left + upper[1] * right - 128 * VF_PHASES;
    int32_t below = lower[0] * left + lower[1] * right - 128 * VF_PHASES;
    int32_t part = ((below - above) * phase(y[i]) + VF_PHASES / 2) >> VF_PHASE_BITS;
    result[i] = (uint8_t)(((above + part + VF_PHASES / 2) >> VF_PHASE_BITS) + 128);
  }
}

/// The filters of `size` × `size` samples.
static inline __attribute__((always_inline)) void
filter(uint8_t *restrict result, const uint8_t *restrict source, size_t stride, const int32_t *x,
       const int32_t *y, const vf_weights *across, const vf_weights *down, size_t count,
       size_t size) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *row = at(source, stride, x[i], y[i]);
    const uint8_t *weights = across->taps[phase(x[i])], *shares = down->taps[phase(y[i])];
    int32_t sum = 1 << (2 * VF_PHASE_BITS - 1);
    for (size_t v = 0; v < size; v++, row += stride) {
      int32_t row_sum = 0;
      for (size_t u = 0; u < size; u++)
        row_sum += row[u] * weights[u];
      sum += row_sum * shares[v];
    }
    result[i] = (uint8_t)(sum >> (2 * VF_PHASE_BITS));
  }
}

void vf_portable_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                         const int32_t *y, const vf_weights *across, const vf_weights *down,
                         size_t count) {
  filter(result, source, stride, x, y, across, down, count, 4);
}

void vf_portable_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                         const int32_t *y, const vf_weights *across, const vf_weights *down,
                         size_t count) {
  filter(result, source, stride, x, y, across, down, count, 6);
}
