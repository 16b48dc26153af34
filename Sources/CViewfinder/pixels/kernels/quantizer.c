#include "vf_kernels.h"

/// Coefficients come eight times as large as they are.
enum { SCALE = 8 };

void vf_quantizer_make(vf_quantizer *quantizer, const uint16_t *steps) {
  for (int i = 0; i < 64; i++) {
    uint32_t divisor = (uint32_t)SCALE * steps[i];
    unsigned bits = 31 - (unsigned)__builtin_clz(divisor);
    // A power of two's reciprocal would need a bit more than there are.
    int is_power = !(divisor & (divisor - 1));
    unsigned shift = is_power ? bits - 1 : bits;
    quantizer->half[i] = (uint16_t)(divisor / 2);
    quantizer->reciprocal[i] = (uint16_t)(((1u << 16 << shift) + divisor - 1) / divisor);
    quantizer->shift[i] = (uint16_t)(1u << (16 - shift));
  }
}
