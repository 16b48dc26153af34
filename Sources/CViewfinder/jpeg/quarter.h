#ifndef VF_JPEG_QUARTER_H
#define VF_JPEG_QUARTER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The 2 × 2 samples of a block of coefficients, in natural order as their quantization table, at a
/// quarter of its size: libjpeg's `jpeg_idct_2x2`.
void vf_inverse_dct_quarter(uint8_t *result, size_t stride, const int16_t *block,
                            const int16_t *quantization);

#pragma clang assume_nonnull end

#endif
