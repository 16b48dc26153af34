#ifndef VF_CORE_DETECT_PERSPECTIVE_H
#define VF_CORE_DETECT_PERSPECTIVE_H

#include <stdint.h>

#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// What a rectangle seen as four corners really is.
typedef struct eye_rectangle {
  /// The longer side over the shorter.
  double aspect;
  /// The angle between it and the picture's plane, in degrees.
  double slant;
} eye_rectangle;

/// Takes the perspective out of four corners of a picture of `width` × `height` pixels, which the
/// camera sees straight ahead.
eye_rectangle eye_straighten(const vf_point corners[_Nonnull 4], uint32_t width, uint32_t height);

/// The `VF_KIND_…` of proportions.
uint32_t eye_kind_of(double aspect);

#pragma clang assume_nonnull end

#endif
