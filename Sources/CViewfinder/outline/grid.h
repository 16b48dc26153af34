#ifndef VF_CORE_GRID_H
#define VF_CORE_GRID_H

#include "outline/homography.h"

#pragma clang assume_nonnull begin

/// Samples that `vf_grid_run` makes at once, at most.
#define VF_GRID_RUN 16

/// Up to 16 samples of a warped plane's row, from result sample (x, y) on, each the mean of a grid
/// of places in the parallelogram that it covers: slower than the filters of `vf_kernels`, but for
/// parallelograms of any shape and size.
void vf_grid_run(uint8_t *result, uint32_t count, uint32_t x, uint32_t y, const vf_plane *source,
                 uint32_t source_width, uint32_t source_height, const vf_homography *map);

#pragma clang assume_nonnull end

#endif
