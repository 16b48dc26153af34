#ifndef VF_CORE_WARP_H
#define VF_CORE_WARP_H

#include "outline/homography.h"
#include "outline/weights.h"

#pragma clang assume_nonnull begin

/// Planes of one size that a map warps alike.
typedef struct vf_warp {
  /// Where the result's places are in the source.
  vf_homography map;
  /// The size of the results, and of the sources, in samples.
  uint32_t width, height, source_width, source_height;
  /// `VF_FILTER_FAST` or `VF_FILTER_BEST`.
  uint32_t filter;
  uint32_t plane_count;
  vf_plane results[4], sources[4];
} vf_warp;

/// Fills the results from the sources. Past its edges a source repeats them. `tables` may come from
/// another warp, or be zeroed.
void vf_warp_planes(const vf_warp *warp, vf_weight_tables *tables);

#pragma clang assume_nonnull end

#endif
