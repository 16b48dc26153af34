#include "pixels/subsample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/resample.h"

static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/// Resamples one chroma plane between two subsamplings of the same picture.
static int resample(const vf_image *result, const vf_layout *to, const vf_image *planar,
                    const vf_layout *from, uint32_t plane, vf_failure *failure) {
  uint32_t width, height, source_width, source_height;
  vf_image_plane_size(result, plane, &width, &height);
  vf_image_plane_size(planar, plane, &source_width, &source_height);

  // First averaged to the coarser of both along each axis, then interpolated to the finer.
  uint32_t shift_x = larger(to->chroma_shift_x, from->chroma_shift_x);
  uint32_t shift_y = larger(to->chroma_shift_y, from->chroma_shift_y);
  uint32_t coarse_width = vf_subsampled(planar->width, shift_x);
  uint32_t coarse_height = vf_subsampled(planar->height, shift_y);
  vf_plane coarse = {.data = malloc((size_t)coarse_width * coarse_height), .stride = coarse_width};
  if (!coarse.data)
    return vf_fail(failure, ENOMEM, "chroma", NULL);
  vf_plane_average(&coarse, coarse_width, coarse_height, shift_x - from->chroma_shift_x,
                   shift_y - from->chroma_shift_y, &planar->planes[plane], source_width,
                   source_height);
  vf_plane_sample(
      &result->planes[plane], width, height, vf_axis_upsampling(shift_x - to->chroma_shift_x),
      vf_axis_upsampling(shift_y - to->chroma_shift_y), &coarse, coarse_width, coarse_height);
  free(coarse.data);
  return 0;
}

int vf_image_subsample(vf_image *result, uint32_t fourcc, const vf_image *planar,
                       vf_failure *failure) {
  const vf_layout *to = vf_layout_find(fourcc);
  const vf_layout *from = vf_layout_find(planar->fourcc);
  if (!to || !from)
    return vf_fail(failure, ENOTSUP, "chroma", NULL);
  vf_image subsampled;
  int code = vf_image_create(&subsampled, fourcc, planar->width, planar->height,
                             planar->alpha.data != NULL, failure);
  if (code)
    return code;
  vf_plane_copy(&subsampled.planes[0], &planar->planes[0], planar->width, planar->height);
  if (planar->alpha.data) {
    vf_plane_copy(&subsampled.alpha, &planar->alpha, planar->width, planar->height);
  }
  for (uint32_t plane = 1; plane < 3 && subsampled.planes[plane].data && !code; plane++) {
    if (planar->planes[plane].data) {
      code = resample(&subsampled, to, planar, from, plane, failure);
    } else {
      uint32_t width, height;
      vf_image_plane_size(&subsampled, plane, &width, &height);
      memset(subsampled.planes[plane].data, 128, subsampled.planes[plane].stride * height);
    }
  }
  if (code) {
    vf_image_free(&subsampled);
    return code;
  }
  *result = subsampled;
  return 0;
}
