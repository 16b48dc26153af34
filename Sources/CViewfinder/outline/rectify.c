#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/// The least that the map shrinks at a corner, which stands for all places between: the scale of a
/// homography grows towards one side.
static double least_scale(const vf_homography *map, double width, double height) {
  double least = INFINITY;
  for (uint32_t i = 0; i < 4; i++) {
    double at_corner, most;
    vf_homography_scales(map, i & 1 ? width : 0, i & 2 ? height : 0, &at_corner, &most);
    least = fmin(least, at_corner);
  }
  return least;
}

/// Averages squares of four samples.
static void halve_plane(const vf_plane *result, uint32_t width, uint32_t height,
                        const vf_plane *source, uint32_t source_width, uint32_t source_height) {
  for (uint32_t y = 0; y < height; y++) {
    uint8_t *restrict out = vf_row(result, y);
    const uint8_t *upper = vf_row(source, 2 * (size_t)y);
    const uint8_t *lower = 2 * y + 1 < source_height ? upper + source->stride : upper;
    for (uint32_t x = 0; x < source_width / 2; x++) {
      uint32_t left = (uint32_t)upper[2 * x] + lower[2 * x];
      uint32_t right = (uint32_t)upper[2 * x + 1] + lower[2 * x + 1];
      out[x] = (uint8_t)((left + right + 2) >> 2);
    }
    if (source_width % 2) {
      out[width - 1] = (uint8_t)((upper[source_width - 1] + lower[source_width - 1] + 1) >> 1);
    }
  }
}

/// Replaces a planar image by one of half the size.
static int halve(vf_image *image, vf_failure *failure) {
  vf_image half;
  int code = vf_image_create(&half, image->fourcc, vf_subsampled(image->width, 1),
                             vf_subsampled(image->height, 1), image->alpha.data != NULL, failure);
  if (code)
    return code;
  for (uint32_t plane = 0; plane < 4; plane++) {
    vf_plane to = vf_image_plane(&half, plane), from = vf_image_plane(image, plane);
    if (!to.data || !from.data)
      continue;
    uint32_t width, height, source_width, source_height;
    vf_image_plane_size(&half, plane, &width, &height);
    vf_image_plane_size(image, plane, &source_width, &source_height);
    halve_plane(&to, width, height, &from, source_width, source_height);
  }
  vf_image_free(image);
  *image = half;
  return 0;
}

/// Warps a plane, and those of the same size that follow in `planes`.
static void warp_alike(const vf_image *result, const vf_image *planar, const vf_homography *map,
                       uint32_t filter, const uint32_t *planes, uint32_t count,
                       vf_weight_tables *tables) {
  vf_warp warp = {.map = *map, .filter = filter};
  for (uint32_t i = 0; i < count; i++) {
    vf_plane to = vf_image_plane(result, planes[i]), from = vf_image_plane(planar, planes[i]);
    if (!to.data || !from.data)
      continue;
    vf_image_plane_size(result, planes[i], &warp.width, &warp.height);
    vf_image_plane_size(planar, planes[i], &warp.source_width, &warp.source_height);
    warp.results[warp.plane_count] = to;
    warp.sources[warp.plane_count++] = from;
  }
  if (warp.plane_count)
    vf_warp_planes(&warp, tables);
}

static void warp_planes(const vf_image *result, const vf_image *planar, const vf_homography *map,
                        uint32_t filter, vf_weight_tables *tables) {
  const vf_layout *layout = vf_layout_find(planar->fourcc);
  const uint32_t planes[] = {0, 3, 1, 2};
  uint32_t shift_x = layout ? layout->chroma_shift_x : 0;
  uint32_t shift_y = layout ? layout->chroma_shift_y : 0;
  if (!shift_x && !shift_y) {
    warp_alike(result, planar, map, filter, planes, 4, tables);
    return;
  }
  warp_alike(result, planar, map, filter, planes, 2, tables);
  vf_homography chroma_map = vf_homography_subsampled(map, shift_x, shift_y);
  warp_alike(result, planar, &chroma_map, filter, planes + 2, 2, tables);
}

int vf_rectify(vf_image *result, const vf_image *source, const vf_point corners[4], uint32_t width,
               uint32_t height, uint32_t filter, vf_failure *failure) {
  const char *step = "rectify";
  int code = vf_image_check(source, step, failure);
  if (code)
    return code;
  const char *words = flaw(corners, source->width, source->height);
  if (words)
    return vf_fail(failure, EINVAL, step, "%s", words);
  if (filter > VF_FILTER_BEST)
    return vf_fail(failure, EINVAL, step, "there is no such filter");

  vf_image planar, straight;
  code = vf_image_borrow_planar(&planar, source, failure);
  if (code)
    return code;
  code =
      vf_image_create(&straight, planar.fourcc, width, height, planar.alpha.data != NULL, failure);
  if (code) {
    vf_image_free(&planar);
    return code;
  }
  vf_weight_tables *tables = calloc(1, sizeof *tables);
  if (!tables)
    code = vf_fail(failure, ENOMEM, step, "no memory for the filter");
  // Where everything shrinks a lot, most of the work is plain averaging, which is much cheaper
  // before the warp than within. What remains is shrunk by 1.75 or more in the warp itself.
  vf_point points[4] = {corners[0], corners[1], corners[2], corners[3]};
  vf_homography map = vf_homography_to(points, width, height);
  while (!code && least_scale(&map, width, height) >= 3.5) {
    code = halve(&planar, failure);
    for (int i = 0; i < 4; i++)
      points[i] = (vf_point){points[i].x / 2, points[i].y / 2};
    map = vf_homography_to(points, width, height);
  }
  if (code) {
    vf_image_free(&straight);
  } else {
    warp_planes(&straight, &planar, &map, filter, tables);
    *result = straight;
  }
  free(tables);
  vf_image_free(&planar);
  return code;
}

/// The longer of two sides as a number of pixels in range.
static uint32_t whole_pixels(double a, double b) {
  return (uint32_t)fmin(fmax(round(fmax(a, b)), 1), VF_SIZE_LIMIT);
}

void vf_quadrilateral_size(const vf_point corners[4], uint32_t *width, uint32_t *height) {
  double sides[4] = {side(corners, 0), side(corners, 1), side(corners, 2), side(corners, 3)};
  // Corners that aren't finite have no size.
  bool finite =
      isfinite(sides[0]) && isfinite(sides[1]) && isfinite(sides[2]) && isfinite(sides[3]);
  *width = finite ? whole_pixels(sides[0], sides[2]) : 0;
  *height = finite ? whole_pixels(sides[1], sides[3]) : 0;
}
