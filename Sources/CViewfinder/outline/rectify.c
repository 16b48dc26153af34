#include <errno.h>
#include <math.h>

#include "failure.h"
#include "outline/path.h"
#include "outline/warp.h"
#include "pixels/image.h"

/// The length of the side that leaves a corner.
static double side(const vf_point corners[4], int corner) {
  vf_point a = corners[corner], b = corners[(corner + 1) % 4];
  return hypot(b.x - a.x, b.y - a.y);
}

/// What keeps the corners from spanning a picture, or NULL.
static const char *flaw(const vf_point corners[4], uint32_t width, uint32_t height) {
  for (int i = 0; i < 4; i++) {
    double x = corners[i].x, y = corners[i].y;
    if (!isfinite(x) || !isfinite(y))
      return "a corner isn't finite";
    // Farther out there is nothing but the repeated edge, at a cost without bounds.
    if (x < -(double)width || x > 2.0 * width || y < -(double)height || y > 2.0 * height) {
      return "a corner is too far outside";
    }
  }
  for (int i = 0; i < 4; i++) {
    if (side(corners, i) < 1)
      return "a side is shorter than a pixel";
  }
  for (int i = 0; i < 4; i++) {
    vf_point before = corners[(i + 3) % 4], at = corners[i], after = corners[(i + 1) % 4];
    double cross = (at.x - before.x) * (after.y - at.y) - (at.y - before.y) * (after.x - at.x);
    // The sine of the turn: half a degree is straight, and an angle of half a degree none.
    if (cross < 0.01 * side(corners, (i + 3) % 4) * side(corners, i)) {
      return "the corners aren't convex and clockwise";
    }
  }
  return NULL;
}

int vf_rectify(vf_image *result, const vf_image *source, const vf_point corners[4], uint32_t width,
               uint32_t height, vf_failure *failure) {
  const char *step = "rectify";
  int code = vf_image_check(source, step, failure);
  if (code)
    return code;
  const char *words = flaw(corners, source->width, source->height);
  if (words)
    return vf_fail(failure, EINVAL, step, "%s", words);

  vf_image planar, straight;
  code = vf_image_borrow_planar(&planar, source, failure);
  if (code)
    return code;
  code =
      vf_image_create(&straight, planar.fourcc, width, height, planar.alpha.data != NULL, failure);
  if (!code) {
    vf_homography map = vf_homography_to(corners, width, height);
    const vf_layout *layout = vf_layout_find(planar.fourcc);
    for (uint32_t plane = 0; plane < 4; plane++) {
      vf_plane to = vf_image_plane(&straight, plane), from = vf_image_plane(&planar, plane);
      if (!to.data || !from.data || !layout)
        continue;
      bool chroma = plane == 1 || plane == 2;
      vf_homography plane_map = vf_homography_subsampled(&map, chroma ? layout->chroma_shift_x : 0,
                                                         chroma ? layout->chroma_shift_y : 0);
      uint32_t to_width, to_height, from_width, from_height;
      vf_image_plane_size(&straight, plane, &to_width, &to_height);
      vf_image_plane_size(&planar, plane, &from_width, &from_height);
      vf_warp(&to, to_width, to_height, &from, from_width, from_height, &plane_map);
    }
    *result = straight;
  }
  vf_image_free(&planar);
  return code;
}

/// A length as a whole number of pixels in range; 0 when it isn't finite.
static uint32_t whole_pixels(double length) {
  if (!isfinite(length))
    return 0;
  return (uint32_t)fmin(fmax(round(length), 1), VF_SIZE_LIMIT);
}

void vf_quadrilateral_size(const vf_point corners[4], uint32_t *width, uint32_t *height) {
  *width = whole_pixels(fmax(side(corners, 0), side(corners, 2)));
  *height = whole_pixels(fmax(side(corners, 1), side(corners, 3)));
}
