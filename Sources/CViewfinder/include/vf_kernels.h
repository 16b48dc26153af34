#ifndef VF_KERNELS_H
#define VF_KERNELS_H

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// One implementation of every hot row loop, for one instruction set.
///
/// All sets give identical bytes for identical input. No alignment is asked for, nothing past the
/// named counts is read or written, and inputs and outputs must not overlap.
typedef struct vf_kernels {
  /// The instruction set, such as "portable", "avx2" or "neon". Static storage.
  const char *name;
  /// Splits `pairs` pixel pairs of YUYV into 2 × `pairs` luma, and `pairs` Cb and Cr samples.
  void (*split_yuyv)(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *yuyv, size_t pairs);
  /// The same of UYVY.
  void (*split_uyvy)(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *uyvy, size_t pairs);
  /// Splits `count` interleaved byte pairs (chroma of NV12) into their first and second bytes.
  void (*split_pairs)(uint8_t *first, uint8_t *second, const uint8_t *pairs, size_t count);
  /// The rounded mean of two rows: (a + b + 1) / 2.
  void (*average_rows)(uint8_t *result, const uint8_t *a, const uint8_t *b, size_t count);
  /// The 8 × 8 samples of a block of 64 coefficients, in rows `stride` bytes apart: libjpeg's
  /// `JDCT_ISLOW`. Coefficients and their quantization table are in natural order.
  void (*inverse_dct)(uint8_t *result, size_t stride, const int16_t *block,
                      const int16_t *quantization);
  /// Its 4 × 4 samples at half of the size: libjpeg's `jpeg_idct_4x4`.
  void (*inverse_dct_half)(uint8_t *result, size_t stride, const int16_t *block,
                           const int16_t *quantization);
} vf_kernels;

/// The fastest set this processor runs, chosen once.
///
/// `VIEWFINDER_SIMD` in the environment names another set, for tests and measurements.
const vf_kernels *vf_kernels_current(void);

/// The sets this processor runs, slowest first, or NULL past the last. Index 0 is always the
/// portable set.
const vf_kernels *_Nullable vf_kernels_at(size_t index);

#pragma clang assume_nonnull end

#endif
