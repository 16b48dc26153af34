#include "jpeg/quarter.h"

#include "pixels/kernels/dct.h"

void vf_inverse_dct_quarter(uint8_t *result, size_t stride, const int16_t *block,
                            const int16_t *quantization) {
  int32_t upper[8], lower[8];
  for (int x = 0; x < 8; x++) {
    int16_t in[8];
    for (int y = 0; y < 8; y++)
      in[y] = (int16_t)((uint32_t)block[8 * y + x] * (uint32_t)quantization[8 * y + x]);
    uint32_t even = (uint32_t)in[0] << 15;
    uint32_t odd = vf_quarter_odd(in[1], in[3], in[5], in[7]);
    upper[x] = vf_descaled(even + odd, 13);
    lower[x] = vf_descaled(even - odd, 13);
  }
  for (int y = 0; y < 2; y++) {
    const int32_t *in = y ? lower : upper;
    uint32_t even = (uint32_t)in[0] << 15;
    uint32_t odd = vf_quarter_odd(in[1], in[3], in[5], in[7]);
    result[(size_t)y * stride] = vf_sample(vf_descaled(even + odd, 20));
    result[(size_t)y * stride + 1] = vf_sample(vf_descaled(even - odd, 20));
  }
}
