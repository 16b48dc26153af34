#ifndef VF_CORE_KERNELS_H
#define VF_CORE_KERNELS_H

#include "vf_kernels.h"

#pragma clang assume_nonnull begin

/// Whether a set with vectors encodes: in builds without optimisation libjpeg, which has it, is
/// many times faster.
#ifdef __OPTIMIZE__
enum { VF_ENCODES = 1 };
#else
enum { VF_ENCODES = 0 };
#endif

/// The sets, each defined where its instruction set exists.
extern const vf_kernels vf_kernels_portable;
extern const vf_kernels vf_kernels_avx2;
extern const vf_kernels vf_kernels_avx512vnni;
extern const vf_kernels vf_kernels_neon;

/// The portable loops define the result of every set, and finish the vectors' tails.
void vf_portable_split_yuyv(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *yuyv,
                            size_t pairs);
void vf_portable_split_uyvy(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *uyvy,
                            size_t pairs);
void vf_portable_split_pairs(uint8_t *first, uint8_t *second, const uint8_t *pairs, size_t count);
void vf_portable_average_rows(uint8_t *result, const uint8_t *a, const uint8_t *b, size_t count);
void vf_portable_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t row_count,
                          size_t count);
size_t vf_portable_find_marker(const uint8_t *bytes, size_t count);
void vf_portable_place(int32_t *x, int32_t *y, const vf_trace *trace, size_t count);
void vf_portable_filter2(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                         const int32_t *y, size_t count);
void vf_portable_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                         const int32_t *y, const vf_weights *across, const vf_weights *down,
                         size_t count);
void vf_portable_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                         const int32_t *y, const vf_weights *across, const vf_weights *down,
                         size_t count);

/// The vector loops of warps, and AVX2's transform, in files of their own.
void vf_avx2_forward_dct(vf_block_pair *result, vf_block_source first, vf_block_source second,
                         const vf_quantizer *quantizer);
void vf_avx2_place(int32_t *x, int32_t *y, const vf_trace *trace, size_t count);
void vf_avx2_filter2(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, size_t count);
void vf_avx2_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count);
void vf_avx2_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count);
void vf_neon_place(int32_t *x, int32_t *y, const vf_trace *trace, size_t count);
void vf_neon_filter2(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, size_t count);
void vf_neon_filter4(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count);
void vf_neon_filter6(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, const vf_weights *across, const vf_weights *down,
                     size_t count);

#pragma clang assume_nonnull end

#endif
