#ifndef VF_CORE_HOMOGRAPHY_H
#define VF_CORE_HOMOGRAPHY_H

#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// The projective map (u, v) → ((a·u + b·v + c) / w, (d·u + e·v + f) / w), w = g·u + h·v + 1.
typedef struct vf_homography {
  double a, b, c, d, e, f, g, h;
} vf_homography;

/// The map that takes the corners of a `width` × `height` rectangle, clockwise from (0, 0), to the
/// corners of a quadrilateral. The corners must be convex.
vf_homography vf_homography_to(const vf_point corners[_Nonnull 4], double width, double height);

/// The same map between planes whose samples are 2^`shift_x` × 2^`shift_y` pixels large.
vf_homography vf_homography_subsampled(const vf_homography *map, uint32_t shift_x,
                                       uint32_t shift_y);

/// How a place moves with a step right (u) and down (v).
typedef struct vf_derivative {
  double u_x, u_y, v_x, v_y;
} vf_derivative;

/// The map's derivative at (u, v).
vf_derivative vf_homography_derivative(const vf_homography *map, double u, double v);

/// The shortest and the longest that the map makes a step of one pixel at (u, v), in any direction.
void vf_homography_scales(const vf_homography *map, double u, double v, double *least,
                          double *most);

#pragma clang assume_nonnull end

#endif
