#ifndef VF_CORE_WARP_H
#define VF_CORE_WARP_H

#include "outline/homography.h"

#pragma clang assume_nonnull begin

/// Fills a plane of `width` × `height` samples from `source`, where `map` says that their places
/// are. Past its edges the source repeats them.
void vf_warp(const vf_plane *result, uint32_t width, uint32_t height, const vf_plane *source,
             uint32_t source_width, uint32_t source_height, const vf_homography *map);

#pragma clang assume_nonnull end

#endif
