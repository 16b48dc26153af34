#ifndef VF_CORE_DETECT_KERNELS_AVX512_H
#define VF_CORE_DETECT_KERNELS_AVX512_H

#include <stdint.h>

#include "detect/kernels/kernels.h"

#pragma clang assume_nonnull begin

// What differs in the set with AVX-512.

void eye_multiply_avx512(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                         int32_t segment_count, int32_t length, int32_t step, const int8_t *weights,
                         const int32_t *biases, int32_t pixels, int32_t outputs);

void eye_depthwise_avx512(int32_t *sums, const uint8_t *const _Nonnull rows[_Nonnull 3],
                          const int8_t *weights, const int32_t *biases, int32_t pixels,
                          int32_t channels);

void eye_requantise_avx512(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                           const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                           int32_t pixels, int32_t channels);

void eye_take_patch_avx512(uint8_t *patch, const eye_patch_source *source);

#pragma clang assume_nonnull end

#endif
