#ifndef VF_CORE_DETECT_DETECTOR_H
#define VF_CORE_DETECT_DETECTOR_H

#include "detect/eye.h"
#include "detect/samples.h"
#include "vf_detect.h"

#pragma clang assume_nonnull begin

struct vf_detector {
  vf_eye *eye;
};

/// Between the pixels of `vf_point` (corners of pixels, doubles) and 1/256 (centres).
vf_point eye_point_out(eye_point point);
eye_point eye_point_in(vf_point point);

/// A candidate of what lies at `quad` (1/256 pixel of the image).
vf_candidate eye_describe(const vf_image *image, const eye_quad *quad,
                          const eye_refinement *refinement, double confidence);

/// Whether the ground shows where the sides of a quadrilateral (1/256 pixel) meet.
bool eye_has_round_corners(const vf_image *image, const eye_parts *parts, const eye_quad *quad);

#pragma clang assume_nonnull end

#endif
