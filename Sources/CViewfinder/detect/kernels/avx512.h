#ifndef VF_CORE_DETECT_KERNELS_AVX512_H
#define VF_CORE_DETECT_KERNELS_AVX512_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// What differs in the set with AVX-512.

void eye_multiply_avx512(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                         int32_t segment_count, int32_t length, int32_t step, const int8_t *weights,
                         const int32_t *biases, int32_t pixels, int32_t outputs);

void eye_requantise_avx512(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                           const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                           int32_t pixels, int32_t channels);

#pragma clang assume_nonnull end

#endif
