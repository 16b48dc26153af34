#include <errno.h>
#include <stdlib.h>

#include "failure.h"
#include "pixels/image.h"
#include "pixels/resample.h"
#include "pixels/subsample.h"

/// What an EXIF orientation asks for: the stored picture transposed (mirrored at the diagonal from
/// the top left), then its columns and rows reversed.
typedef struct turn {
  bool transposed, columns_reversed, rows_reversed;
} turn;

static const turn turns[9] = {
    [1] = {false, false, false}, [2] = {false, true, false}, [3] = {false, true, true},
    [4] = {false, false, true},  [5] = {true, false, false}, [6] = {true, true, false},
    [7] = {true, true, true},    [8] = {true, false, true},
};

/// Copies a plane with rows and columns exchanged: `width` × `height` is the result's size.
static void transpose(const vf_plane *result, const vf_plane *source, size_t width, size_t height) {
  // In tiles, because one of both planes is walked across its rows, a cache line per sample.
  const size_t tile = 32;
  for (size_t top = 0; top < height; top += tile) {
    size_t bottom = top + tile < height ? top + tile : height;
    for (size_t left = 0; left < width; left += tile) {
      size_t right = left + tile < width ? left + tile : width;
      for (size_t y = top; y < bottom; y++) {
        uint8_t *row = vf_row(result, y);
        const uint8_t *column = source->data + y;
        for (size_t x = left; x < right; x++)
          row[x] = column[x * source->stride];
      }
    }
  }
}

/// The layout of a planar picture with its sides exchanged. 4:1:1 has no counterpart.
static uint32_t transposed_fourcc(uint32_t fourcc) {
  return fourcc == VF_I422 ? VF_I440 : fourcc == VF_I440 ? VF_I422 : fourcc;
}

static int transpose_image(vf_image *result, const vf_image *planar, vf_failure *failure) {
  int code = vf_image_create(result, transposed_fourcc(planar->fourcc), planar->height,
                             planar->width, planar->alpha.data != NULL, failure);
  if (code)
    return code;
  for (uint32_t plane = 0; plane < 4; plane++) {
    vf_plane to = vf_image_plane(result, plane), from = vf_image_plane(planar, plane);
    if (!to.data || !from.data)
      continue;
    uint32_t width, height;
    vf_image_plane_size(result, plane, &width, &height);
    transpose(&to, &from, width, height);
  }
  return 0;
}

static int reverse_image(vf_image *result, const vf_image *planar, turn turn, vf_failure *failure) {
  int code = vf_image_create(result, planar->fourcc, planar->width, planar->height,
                             planar->alpha.data != NULL, failure);
  if (code)
    return code;
  const vf_layout *layout = vf_layout_find(planar->fourcc);
  for (uint32_t plane = 0; plane < 4 && layout; plane++) {
    vf_plane to = vf_image_plane(result, plane), from = vf_image_plane(planar, plane);
    if (!to.data || !from.data)
      continue;
    bool chroma = plane == 1 || plane == 2;
    uint32_t shift_x = chroma ? layout->chroma_shift_x : 0;
    uint32_t shift_y = chroma ? layout->chroma_shift_y : 0;
    uint32_t width, height;
    vf_image_plane_size(planar, plane, &width, &height);
    // Where the size is no multiple of the subsampling, the reversed chroma lies between samples.
    vf_plane_sample(&to, width, height,
                    turn.columns_reversed ? vf_axis_reversed(planar->width, shift_x)
                                          : vf_axis_offset(0, shift_x),
                    turn.rows_reversed ? vf_axis_reversed(planar->height, shift_y)
                                       : vf_axis_offset(0, shift_y),
                    &from, width, height);
  }
  return 0;
}

/// Replaces an image by a result, when making it succeeded.
static void replace(vf_image *image, const vf_image *result, int code) {
  if (code)
    return;
  vf_image_free(image);
  *image = *result;
}

int vf_image_orient(vf_image *result, const vf_image *source, uint32_t orientation,
                    vf_failure *failure) {
  if (orientation < 1 || orientation > 8) {
    return vf_fail(failure, EINVAL, "orientation", "%u", orientation);
  }
  turn turn = turns[orientation];
  bool reversed = turn.columns_reversed || turn.rows_reversed;
  if (!turn.transposed && !reversed)
    return vf_image_to_planar(result, source, failure);

  vf_image image, next;
  int code = vf_image_borrow_planar(&image, source, failure);
  if (code)
    return code;
  if (turn.transposed && image.fourcc == VF_I411) {
    code = vf_image_subsample(&next, VF_I444, &image, failure);
    replace(&image, &next, code);
  }
  if (!code && turn.transposed) {
    code = transpose_image(&next, &image, failure);
    replace(&image, &next, code);
  }
  if (!code && reversed) {
    code = reverse_image(&next, &image, turn, failure);
    replace(&image, &next, code);
  }
  if (code) {
    vf_image_free(&image);
    return code;
  }
  *result = image;
  return 0;
}
