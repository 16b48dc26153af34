#ifndef VF_CORE_DETECT_KERNELS_H
#define VF_CORE_DETECT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "detect/fixed.h"

#pragma clang assume_nonnull begin

/// What a patch is taken from.
typedef struct eye_patch_source {
  /// In 1/256 pixel of the working picture; its first side lies above.
  eye_quad quad;
  /// The picture at one of its sizes, smaller by a power of two: blue, green, red and 1 from the
  /// lowest byte up.
  const uint32_t *pixels;
  int32_t width, height, shift;
  /// The maps, cell by cell: mask, border, corner, 0, and the vector to the nearest side.
  const int16_t (*cells)[8];
  int32_t map_width, map_height;
  /// How many cells a pixel is (both count from the pictures' corners), and how vectors become
  /// shares of the quadrilateral's sides.
  float cells_x, cells_y, along_x, along_y, down_x, down_y;
} eye_patch_source;

/// The card eye's hot row loops, for one instruction set. All sets give identical bytes.
typedef struct eye_kernels {
  /// Sums rows of `count` bytes times a weight each (all together at most 256). With `odd`, those
  /// of the second, fourth, … byte go there, and the others close up.
  void (*sum_rows)(uint16_t *sums, uint16_t *_Nullable odd,
                   const uint8_t *const _Nonnull *_Nonnull rows, const uint8_t *weights,
                   int32_t row_count, size_t count);
  /// Every `step`th number.
  void (*take_apart)(int16_t *result, const uint16_t *sums, uint32_t step, size_t count);
  /// For each of `count` results, the samples from its `first` on, times its `taps` weights (4 or a
  /// multiple of 8), which add up to 256; / 32768, rounded. Reads all its weights' samples.
  void (*weigh_columns)(uint8_t *result, const int16_t *samples, const int32_t *first,
                        const int16_t *weights, int32_t taps, int32_t count);
  /// Y, Cb and Cr become red, green and blue, in place.
  void (*to_rgb)(uint8_t *first, uint8_t *second, uint8_t *third, size_t count);
  /// Luma, red against green and yellow against blue, in 1/64.
  void (*to_channels)(int16_t *luma, int16_t *red, int16_t *yellow, const uint8_t *r,
                      const uint8_t *g, const uint8_t *b, size_t count);
  /// 1-4-6-4-1 across one row, which repeats its ends, and down five rows.
  void (*smooth_row)(int16_t *result, const int16_t *row, int32_t width);
  void (*smooth_rows)(int16_t *result, const int16_t *const _Nonnull rows[_Nonnull 5],
                      int32_t width);
  /// Means of 2 × 2.
  void (*halve_rows)(int16_t *result, const int16_t *a, const int16_t *b, int32_t width);
  /// The steepest channel's central differences, and their length. Reads a row above and below,
  /// and a sample left and right.
  void (*gradient_row)(int16_t *gx, int16_t *gy, uint16_t *magnitude,
                       const int16_t *const _Nonnull channels[_Nonnull 3], int32_t stride,
                       int32_t count);
  /// One bit for each sample above `threshold`, the first the lowest; whole words of 64.
  void (*mask_row)(uint64_t *words, const int16_t *row, int16_t threshold, int32_t count);
  /// The same for samples of at least a limit each, at most 32767.
  void (*mask_limits)(uint64_t *words, const uint16_t *row, const uint16_t *limits, int32_t count);
  /// One bit for each of `count` pairs of numbers (of at most 16384) whose products with `x` and
  /// `y` add up to at most `low` or at least `high`; whole words of 64.
  void (*mask_products)(uint64_t *words, const int16_t *pairs, int16_t x, int16_t y, int32_t low,
                        int32_t high, int32_t count);
  /// Of the pixels that the bits name, keeps those whose gradient is the largest across the edge:
  /// more than behind, no less than ahead, between two neighbours each. Reads a row above and
  /// below, `stride` apart, and bits only inside.
  void (*keep_peaks)(uint64_t *words, const uint16_t *magnitude, const int16_t *gx,
                     const int16_t *gy, int32_t stride, int32_t count);
  /// A row of a dense layer: for each of `pixels` (`step` numbers apart) and each of `outputs` (a
  /// multiple of 8), the products of `segments` pieces of `length` numbers (even) with that
  /// output's weights, and its bias. Weights of eight outputs lie together, for two numbers at a
  /// time.
  void (*multiply)(int32_t *sums, const int16_t *const _Nonnull *_Nonnull segments,
                   int32_t segment_count, int32_t length, int32_t step, const int16_t *weights,
                   const int32_t *biases, int32_t pixels, int32_t outputs);
  /// The same of bytes, whose `length` is a multiple of 4, with weights for four at a time; the
  /// sums are of bytes as they are. Without it, numbers are multiplied.
  void (*_Nullable multiply_bytes)(int32_t *sums, const uint8_t *const _Nonnull *_Nonnull segments,
                                   int32_t segment_count, int32_t length, int32_t step,
                                   const int8_t *weights, const int32_t *biases, int32_t pixels,
                                   int32_t outputs);
  /// A row of a depthwise 3 × 3 layer. Rows start one pixel left of the result.
  void (*depthwise_row)(int32_t *sums, const int16_t *const _Nonnull rows[_Nonnull 3],
                        const int16_t *weights, const int32_t *biases, int32_t pixels,
                        int32_t channels);
  /// The same of bytes; a set has both of these, or neither. Weights of a column lie together: for
  /// each channel those of the three rows, and 0.
  void (*_Nullable depthwise_bytes)(int32_t *sums, const uint8_t *const _Nonnull rows[_Nonnull 3],
                                    const int8_t *weights, const int32_t *biases, int32_t pixels,
                                    int32_t channels);
  /// What the second or the third network sees of a quadrilateral: EYE_PATCH pixels of
  /// EYE_PATCH_DEPTH numbers.
  void (*take_patch)(uint8_t *patch, const eye_patch_source *source);
  /// Sums to bytes: (sum × multiplier + side × side_multiplier + half) >> shift, clamped.
  void (*requantise)(uint8_t *result, const int32_t *sums, const uint8_t *_Nullable side,
                     const int32_t *multipliers, int32_t side_multiplier, int32_t shift,
                     int32_t pixels, int32_t channels);
} eye_kernels;

/// The set that the processor runs, or that `VIEWFINDER_SIMD` names.
const eye_kernels *eye_kernels_current(void);

extern const eye_kernels eye_kernels_portable;
extern const eye_kernels eye_kernels_avx2;
extern const eye_kernels eye_kernels_avx512vnni;
extern const eye_kernels eye_kernels_neon;

#pragma clang assume_nonnull end

#endif
