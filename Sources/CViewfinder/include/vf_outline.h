#ifndef VF_OUTLINE_H
#define VF_OUTLINE_H

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// A point in pixels: x to the right, y down, (0, 0) at the top left corner of the top left pixel,
/// whose centre is (0.5, 0.5).
typedef struct vf_point {
  double x, y;
} vf_point;

/// The kinds of outline.
#define VF_OUTLINE_RECTANGLE 0u         ///< x, y, width, height.
#define VF_OUTLINE_ROUNDED_RECTANGLE 1u ///< And radius, in pixels.
#define VF_OUTLINE_ELLIPSE 2u           ///< Inscribed in the rectangle.
#define VF_OUTLINE_POLYGON 3u           ///< 3 to 4096 points; crossing edges by the even-odd rule.
#define VF_OUTLINE_QUADRILATERAL 4u     ///< 4 points, clockwise from the top left.

/// The ID-1 card of ISO/IEC 7810, in millimetres.
#define VF_CARD_WIDTH_MM 85.60
#define VF_CARD_HEIGHT_MM 53.98
#define VF_CARD_CORNER_RADIUS_MM 3.18

/// An outline, in pixels of the upright picture.
typedef struct vf_outline {
  uint32_t kind;
  double x, y, width, height, radius;
  /// The points of a polygon or quadrilateral; borrowed.
  const vf_point *_Nullable points;
  size_t point_count;
} vf_outline;

/// The smallest rectangle of whole pixels that holds the part of the outline inside a `width` ×
/// `height` picture (edges within 1/1000 of a pixel of the grid count as on it). Fails with
/// `EINVAL` when the outline is malformed (not finite, no area, too few points) or lies outside the
/// picture.
int vf_outline_bounds(const vf_outline *outline, uint32_t width, uint32_t height,
                      vf_rectangle *bounds, vf_failure *failure);

/// Writes the coverage (0 to 255, anti-aliased by area) of each pixel of `region` by the outline to
/// `mask`, which has `region`'s size.
int vf_outline_mask(const vf_outline *outline, const vf_rectangle *region, const vf_plane *mask,
                    vf_failure *failure);

/// The colour outside an outline: RGB, 0 to 255.
typedef struct vf_color {
  uint8_t red, green, blue;
} vf_color;

/// A new planar image: the picture inside the outline, as large as its bounds.
///
/// What lies outside the outline becomes transparent (an alpha plane is added) when `background` is
/// NULL, else it is painted with it, blended along the edge (a grey picture takes its luma). A
/// plain rectangle on whole pixels needs neither. `origin` says where `source`'s top left pixel
/// lies in the picture whose pixels the outline is in, because only a part may have been decoded:
/// NULL for (0, 0); the part must hold the bounds. `picture_width` and `picture_height` are those
/// of the whole picture.
int vf_outline_crop(vf_image *result, const vf_image *source, const vf_rectangle *_Nullable origin,
                    uint32_t picture_width, uint32_t picture_height, const vf_outline *outline,
                    const vf_color *_Nullable background, vf_failure *failure);

/// `vf_outline_crop` of an image that nobody needs any more: it becomes the result, in its own
/// memory where that suffices, so that a large picture isn't there twice. Of what fails only
/// `vf_image_free` is of use.
int vf_outline_cut(vf_image *image, const vf_rectangle *_Nullable origin, uint32_t picture_width,
                   uint32_t picture_height, const vf_outline *outline,
                   const vf_color *_Nullable background, vf_failure *failure);

/// How a picture is filtered when it is warped.
#define VF_FILTER_FAST                                                                             \
  0u ///< As fast as can be: interpolates where a picture shrinks to half at most.
#define VF_FILTER_BEST 1u ///< As sharp as can be without aliasing.

/// A new planar image of `width` × `height` pixels with the picture inside a quadrilateral pulled
/// straight by the homography that takes its corners (clockwise from the top left) to the result's
/// corners.
///
/// Doesn't alias when it shrinks (each result pixel averages the source area it covers, also where
/// perspective makes the scale vary) and doesn't ring when it grows (no overshoot beyond the
/// neighbouring samples). What lies outside the source repeats its edge. The result has the
/// source's chroma subsampling. Fails with `EINVAL` when the corners are not convex and clockwise,
/// too small, not finite, or farther outside the source than it is large.
int vf_rectify(vf_image *result, const vf_image *source, const vf_point corners[_Nonnull 4],
               uint32_t width, uint32_t height, uint32_t filter, vf_failure *failure);

/// The width and height that show a quadrilateral at its own resolution: the longer of each pair of
/// opposite sides, rounded. 0 when the corners aren't finite.
void vf_quadrilateral_size(const vf_point corners[_Nonnull 4], uint32_t *width, uint32_t *height);

/// Where `point` of a picture stored as `width` × `height` pixels lies once EXIF `orientation` (1
/// to 8) has turned it upright.
vf_point vf_orient_point(vf_point point, uint32_t width, uint32_t height, uint32_t orientation);

/// The rectangle of the stored `width` × `height` picture that becomes `upright` when EXIF
/// `orientation` turns it.
vf_rectangle vf_stored_rectangle(vf_rectangle upright, uint32_t width, uint32_t height,
                                 uint32_t orientation);

#pragma clang assume_nonnull end

#endif
