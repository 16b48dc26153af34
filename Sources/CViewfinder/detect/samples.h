#ifndef VF_CORE_DETECT_SAMPLES_H
#define VF_CORE_DETECT_SAMPLES_H

#include "detect/fixed.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

/// One component of an image: where its samples lie in a plane.
typedef struct eye_part {
  uint32_t plane, offset, step, width, height, shift_x, shift_y;
} eye_part;

/// The components of an image of any uncompressed layout: red, green and blue; Y, Cb and Cr; or Y.
typedef struct eye_parts {
  eye_part parts[3];
  uint32_t count;
  bool is_rgb;
  /// The bytes of a row of each plane, and its rows.
  uint32_t row_bytes[3], rows[3];
} eye_parts;

eye_parts eye_lay_out(const vf_image *image);

/// Luma, red against green, and yellow against blue at a point between pixels; in 1/16 level.
typedef struct eye_sample {
  int32_t values[3];
} eye_sample;

/// The point is in 1/256 pixel of the image; whole coordinates are pixels' centres. What lies
/// outside repeats the border.
eye_sample eye_sample_at(const vf_image *image, const eye_parts *parts, eye_point at);

/// What became of a quadrilateral that was moved onto its edges.
typedef struct eye_refinement {
  int32_t moved;
  /// Of the profiles of each side (of `EYE_PROFILES`), how many show the edge on one line; and the
  /// step there from the outside to the inside, in 1/16 level.
  int32_t hits[4];
  eye_sample steps[4];
  /// The width of the edges, in 1/256 pixel; 0 when none was found.
  int32_t width;
} eye_refinement;

enum { EYE_PROFILES = 48 };

/// Moves the sides of a clockwise quadrilateral (1/256 pixel of the image) onto the steps of colour
/// within `reach` of them, to a fraction of a pixel. `scale` is how many of the image's pixels a
/// feature's width is worth, 1/256: profiles are sampled at a quarter of it. When the sides don't
/// meet near where they were, the quadrilateral stays, and `moved` is 0.
eye_refinement eye_refine(const vf_image *image, const eye_parts *parts, eye_quad *quad,
                          int32_t scale, int32_t reach);

#pragma clang assume_nonnull end

#endif
