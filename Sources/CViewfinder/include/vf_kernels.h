#ifndef VF_KERNELS_H
#define VF_KERNELS_H

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// Where a row of a warped picture takes its samples: sample i at (x + i·dx, y + i·dy) / (w +
/// i·dw), in samples of the source.
typedef struct vf_trace {
  float x, y, w, dx, dy, dw;
} vf_trace;

/// Fractions of a sample that `place` tells apart, as a power of two.
#define VF_PHASE_BITS 7
#define VF_PHASES (1 << VF_PHASE_BITS)

/// A filter's weights for each fraction of a sample: in 1/128, at most 127, with a sum of 128 in
/// the taps that a kernel uses, and 0 in the rest.
typedef struct vf_weights {
  uint8_t taps[VF_PHASES][8];
} vf_weights;

/// Where the coefficients of a block lie that come in zigzag order (T.81, figure A.6). A run
/// that leads beyond the block ends at the last one.
extern const uint8_t vf_natural_order[64 + 16];

/// What the coefficients of a block are divided by, in natural order: a division by `d` with half
/// of it added first is a multiplication by 2^(16 + n) / `d`, of which the upper 16 bits are
/// shifted by n, as a product's upper half, too.
typedef struct vf_quantizer {
  uint16_t half[64], reciprocal[64], shift[64];
} vf_quantizer;

/// Makes a quantizer of 64 steps from 1 to 255, in natural order.
void vf_quantizer_make(vf_quantizer *quantizer, const uint16_t *steps);

/// The coefficients of two blocks, in natural order.
typedef struct vf_block_pair {
  int16_t values[2][64];
  /// Which aren't 0, in zigzag order from the lowest bit up.
  uint64_t nonzero[2];
} vf_block_pair;

/// Where the 8 × 8 samples of a block are: in eight rows, from `x` on.
typedef struct vf_block_source {
  uint8_t *_Nonnull const *_Nonnull rows;
  size_t x;
} vf_block_source;

/// One implementation of every hot row loop, for one instruction set.
///
/// All sets give identical bytes for identical input. No alignment is asked for, nothing past the
/// named counts is read or written, and inputs and outputs must not overlap.
typedef struct vf_kernels {
  /// The instruction set, such as "portable", "avx2" or "neon". Static storage.
  const char *name;
  /// Whether `forward_dct` is as fast as libjpeg's own, in this build.
  uint8_t encodes;
  /// Splits `pairs` pixel pairs of YUYV into 2 × `pairs` luma, and `pairs` Cb and Cr samples.
  void (*split_yuyv)(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *yuyv, size_t pairs);
  /// The same of UYVY.
  void (*split_uyvy)(uint8_t *luma, uint8_t *cb, uint8_t *cr, const uint8_t *uyvy, size_t pairs);
  /// Splits `count` interleaved byte pairs (chroma of NV12) into their first and second bytes.
  void (*split_pairs)(uint8_t *first, uint8_t *second, const uint8_t *pairs, size_t count);
  /// The rounded mean of two rows: (a + b + 1) / 2.
  void (*average_rows)(uint8_t *result, const uint8_t *a, const uint8_t *b, size_t count);
  /// The sums of `row_count` rows' samples (at most 257), which lie `stride` bytes apart.
  void (*sum_rows)(uint16_t *sums, const uint8_t *rows, size_t stride, size_t row_count,
                   size_t count);
  /// The first place where a byte 0xFF is followed by one that isn't 0, as a JPEG's markers are;
  /// `count` where there is none.
  size_t (*find_marker)(const uint8_t *bytes, size_t count);
  /// The 8 × 8 samples of a block of 64 coefficients, in rows `stride` bytes apart: libjpeg's
  /// `JDCT_ISLOW`. Coefficients and their quantization table are in natural order.
  void (*inverse_dct)(uint8_t *result, size_t stride, const int16_t *block,
                      const int16_t *quantization);
  /// Its 4 × 4 samples at half of the size: libjpeg's `jpeg_idct_4x4`.
  void (*inverse_dct_half)(uint8_t *result, size_t stride, const int16_t *block,
                           const int16_t *quantization);
  /// The quantized coefficients of two blocks: libjpeg's `JDCT_ISLOW`, forward.
  void (*forward_dct)(vf_block_pair *result, vf_block_source first, vf_block_source second,
                      const vf_quantizer *quantizer);
  /// The first `count` places of a trace, rounded to 1/128 of a sample. They must be less than 2^24
  /// samples either way.
  void (*place)(int32_t *x, int32_t *y, const vf_trace *trace, size_t count);
  /// Samples of a plane between its own, at places that `place` gave: bilinear. Reads the 2 × 2
  /// samples from the whole part of each place on. In this and the filters below, no place is
  /// negative, and all samples are within 2^31 bytes from `source` on.
  void (*filter2)(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                  const int32_t *y, size_t count);
  /// The same by a separable filter of 4 × 4 samples, with the weights across and down. Reads 4 × 4
  /// samples.
  void (*filter4)(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                  const int32_t *y, const vf_weights *across, const vf_weights *down, size_t count);
  /// The same of 6 × 6 samples. Reads 8 × 6, of which the last two of each row have no weight.
  void (*filter6)(uint8_t *result, const uint8_t *source, size_t stride, const int32_t *x,
                  const int32_t *y, const vf_weights *across, const vf_weights *down, size_t count);
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
