#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/image.h"
#include "pixels/resample.h"

/// Copies the picture from pixel (x, y) of `planar` on, as large as `result`.
static void copy_from(const vf_image *result, const vf_image *planar, uint32_t x, uint32_t y) {
  const vf_layout *layout = vf_layout_find(planar->fourcc);
  for (uint32_t plane = 0; plane < 4; plane++) {
    vf_plane to = vf_image_plane(result, plane), from = vf_image_plane(planar, plane);
    if (!to.data || !from.data || !layout)
      continue;
    bool chroma = plane == 1 || plane == 2;
    uint32_t width, height, source_width, source_height;
    vf_image_plane_size(result, plane, &width, &height);
    vf_image_plane_size(planar, plane, &source_width, &source_height);
    vf_plane_sample(&to, width, height, vf_axis_offset(x, chroma ? layout->chroma_shift_x : 0),
                    vf_axis_offset(y, chroma ? layout->chroma_shift_y : 0), &from, source_width,
                    source_height);
  }
}

/// Widens a span of pixels to whole chroma samples, and by one more that interpolation may ask for.
/// Returns its new start.
static uint32_t widen(uint32_t start, uint32_t *size, uint32_t limit, uint32_t shift) {
  uint32_t end = (vf_subsampled(start + *size, shift) + 1) << shift;
  uint32_t widened = start >> shift << shift;
  *size = (end < limit ? end : limit) - widened;
  return widened;
}

int vf_image_crop_with_alpha(vf_image *result, const vf_image *source, uint32_t x, uint32_t y,
                             uint32_t width, uint32_t height, int with_alpha, vf_failure *failure) {
  const char *step = "crop";
  int code = vf_image_check(source, step, failure);
  if (code)
    return code;
  if (width == 0 || height == 0 || x >= source->width || width > source->width - x ||
      y >= source->height || height > source->height - y) {
    return vf_fail(failure, EINVAL, step, "%u x %u at (%u, %u) of %u x %u", width, height, x, y,
                   source->width, source->height);
  }

  // Only what the result needs is converted.
  const vf_layout *layout = vf_layout_find(source->fourcc);
  uint32_t part_width = width, part_height = height;
  uint32_t left = widen(x, &part_width, source->width, layout->chroma_shift_x);
  uint32_t top = widen(y, &part_height, source->height, layout->chroma_shift_y);
  vf_image part = vf_image_part(source, left, top, part_width, part_height);
  vf_image planar, cropped;
  code = vf_image_borrow_planar(&planar, &part, failure);
  if (code)
    return code;
  code = vf_image_create(&cropped, planar.fourcc, width, height, with_alpha || planar.alpha.data,
                         failure);
  if (!code) {
    copy_from(&cropped, &planar, x - left, y - top);
    *result = cropped;
  }
  vf_image_free(&planar);
  return code;
}

int vf_image_crop(vf_image *result, const vf_image *source, uint32_t x, uint32_t y, uint32_t width,
                  uint32_t height, vf_failure *failure) {
  return vf_image_crop_with_alpha(result, source, x, y, width, height, 0, failure);
}

/// Moves a plane's start to sample (x, y).
static void move_start(vf_plane *plane, uint32_t x, uint32_t y) {
  plane->data += (size_t)y * plane->stride + x;
}

int vf_image_cut(vf_image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                 vf_failure *failure) {
  const vf_layout *layout = vf_layout_find(image->fourcc);
  uint32_t shift_x = layout->chroma_shift_x, shift_y = layout->chroma_shift_y;
  vf_axis across = vf_axis_offset(x, shift_x), down = vf_axis_offset(y, shift_y);
  vf_image whole = *image;
  image->width = width;
  image->height = height;
  bool is_aligned = (x >> shift_x << shift_x) == x && (y >> shift_y << shift_y) == y;
  uint8_t *row = is_aligned ? NULL : malloc(width);
  if (!is_aligned && !row)
    return vf_fail(failure, ENOMEM, "crop", NULL);
  for (uint32_t i = 1; i < 3 && image->planes[i].data; i++) {
    vf_plane *plane = &image->planes[i];
    if (is_aligned) {
      move_start(plane, x >> shift_x, y >> shift_y);
      continue;
    }
    uint32_t columns, rows, source_columns, source_rows;
    vf_image_plane_size(image, i, &columns, &rows);
    vf_image_plane_size(&whole, i, &source_columns, &source_rows);
    for (uint32_t j = 0; j < rows; j++) {
      // No row before this one is read any more.
      uint32_t pair[2];
      uint32_t eighths = vf_axis_rows(down, j, source_rows, pair);
      vf_row_sample(row, columns, across, vf_row(plane, pair[0]), vf_row(plane, pair[1]), eighths,
                    source_columns);
      memcpy(vf_row(plane, j), row, columns);
    }
  }
  free(row);
  move_start(&image->planes[0], x, y);
  if (image->alpha.data)
    move_start(&image->alpha, x, y);
  return 0;
}
