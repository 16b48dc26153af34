#ifndef VF_FUZZ_OUTLINE_H
#define VF_FUZZ_OUTLINE_H

#include "fuzz.h"

#pragma clang assume_nonnull begin

#define MOST_POINTS 64

/// Takes an outline of any kind for a picture of `width` × `height` pixels.
static inline vf_outline take_outline(input *settings, double width, double height,
                                      vf_point points[_Nonnull MOST_POINTS]) {
  vf_outline outline = {.kind = take8(settings) % 6};
  if (outline.kind < VF_OUTLINE_POLYGON) {
    outline.x = take_coordinate(settings, width);
    outline.y = take_coordinate(settings, height);
    outline.width = take_coordinate(settings, width);
    outline.height = take_coordinate(settings, height);
    outline.radius = take_coordinate(settings, width / 2);
    return outline;
  }
  outline.points = points;
  outline.point_count =
      outline.kind == VF_OUTLINE_QUADRILATERAL ? 4 : take8(settings) % (MOST_POINTS + 1);
  for (size_t i = 0; i < outline.point_count; i++) {
    points[i].x = take_coordinate(settings, width);
    points[i].y = take_coordinate(settings, height);
  }
  return outline;
}

/// Cuts an outline out of a picture, and pulls a quadrilateral straight.
static inline void cut(const vf_image *image, input *settings) {
  vf_point points[MOST_POINTS];
  vf_outline outline = take_outline(settings, image->width, image->height, points);
  vf_failure failure;
  vf_image result;
  vf_color background = {1, 2, 3};
  uint8_t choice = take8(settings);
  int code = vf_outline_crop(&result, image, NULL, image->width, image->height, &outline,
                             choice & 1 ? &background : NULL, &failure);
  if (code < 0) {
    require_failure(code, &failure);
  } else {
    REQUIRE(result.width <= image->width && result.height <= image->height);
    require_image(&result);
    require_encodes(&result, settings);
    vf_image_free(&result);
  }

  if (outline.kind != VF_OUTLINE_QUADRILATERAL)
    return;
  uint32_t width, height;
  vf_quadrilateral_size(points, &width, &height);
  if (choice & 2) {
    width = take8(settings);
    height = take8(settings);
  }
  if ((uint64_t)width * height > PIXEL_LIMIT)
    return;
  code = vf_rectify(&result, image, points, width, height,
                    choice & 4 ? VF_FILTER_BEST : VF_FILTER_FAST, &failure);
  if (code < 0) {
    require_failure(code, &failure);
  } else {
    REQUIRE(result.width == width && result.height == height);
    require_image(&result);
    vf_image_free(&result);
  }
}

#pragma clang assume_nonnull end

#endif
