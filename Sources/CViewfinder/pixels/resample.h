#ifndef VF_CORE_RESAMPLE_H
#define VF_CORE_RESAMPLE_H

#include "pixels/image.h"

#pragma clang assume_nonnull begin

/// Where the samples of a result lie along one axis of a source: sample i at `start` + i × `step`,
/// in eighths of a source sample. Multiples of 8 are the sources' own samples; eighths express
/// every place that subsampling by 2 or 4 leads to, without rounding.
typedef struct vf_axis {
  int32_t start, step;
} vf_axis;

/// Of a chroma plane, at the centre of each pixel: `shift` is log2 of its subsampling. Chroma
/// samples lie in the middle of the pixels they stand for, as in JPEG.
vf_axis vf_axis_upsampling(uint32_t shift);

/// Of a chroma plane, from pixel `offset` on, at its own resolution.
vf_axis vf_axis_offset(uint32_t offset, uint32_t shift);

/// Of a chroma plane, backwards from the end of `size` pixels.
vf_axis vf_axis_reversed(uint32_t size, uint32_t shift);

/// Interpolates one row linearly along both axes: `count` samples along `across`, between `row` and
/// `next`, `eighths` of the way to the latter. Past its ends a row repeats its outermost samples.
void vf_row_sample(uint8_t *result, uint32_t count, vf_axis across, const uint8_t *row,
                   const uint8_t *next, uint32_t eighths, uint32_t source_width);

/// The pair of rows that row `y` of a result lies between; returns the eighths to the second.
uint32_t vf_axis_rows(vf_axis down, uint32_t y, uint32_t source_height, uint32_t rows[_Nonnull 2]);

/// Interpolates a plane of `width` × `height` samples along both axes.
void vf_plane_sample(const vf_plane *result, uint32_t width, uint32_t height, vf_axis across,
                     vf_axis down, const vf_plane *source, uint32_t source_width,
                     uint32_t source_height);

/// Averages blocks of 2^`shift_x` × 2^`shift_y` samples, those past the edges repeating it.
void vf_plane_average(const vf_plane *result, uint32_t width, uint32_t height, uint32_t shift_x,
                      uint32_t shift_y, const vf_plane *source, uint32_t source_width,
                      uint32_t source_height);

#pragma clang assume_nonnull end

#endif
