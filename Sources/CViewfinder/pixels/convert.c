#include <errno.h>

#include "failure.h"
#include "pixels/image.h"
#include "pixels/rgb.h"
#include "pixels/subsample.h"

/// Interleaves planes of 4:2:2. An odd row's last luma is repeated to fill the pair.
static void pack_pairs(const vf_image *result, const vf_layout_detail *to, const vf_image *planar) {
  uint32_t width = planar->width;
  for (size_t y = 0; y < planar->height; y++) {
    uint8_t *out = vf_row(&result->planes[0], y);
    const uint8_t *luma = vf_row(&planar->planes[0], y);
    const uint8_t *cb = vf_row(&planar->planes[1], y), *cr = vf_row(&planar->planes[2], y);
    for (size_t x = 0; x < width; x += 2, out += 4) {
      out[to->places[0]] = luma[x];
      out[to->places[1]] = cb[x / 2];
      out[to->places[2]] = luma[x + 1 < width ? x + 1 : x];
      out[to->places[3]] = cr[x / 2];
    }
  }
}

/// Interleaves the chroma planes of 4:2:0.
static void pack_chroma(const vf_image *result, const vf_layout_detail *to,
                        const vf_image *planar) {
  uint32_t width, height;
  vf_image_plane_size(planar, 1, &width, &height);
  vf_plane_copy(&result->planes[0], &planar->planes[0], planar->width, planar->height);
  for (size_t y = 0; y < height; y++) {
    uint8_t *out = vf_row(&result->planes[1], y);
    const uint8_t *cb = vf_row(&planar->planes[1], y), *cr = vf_row(&planar->planes[2], y);
    for (size_t x = 0; x < width; x++) {
      out[2 * x + to->places[0]] = cb[x];
      out[2 * x + to->places[1]] = cr[x];
    }
  }
}

/// Turns planes that already have the subsampling of `to` into its arrangement.
static int pack(vf_image *result, const vf_layout_detail *to, const vf_image *planar,
                vf_failure *failure) {
  int code = vf_image_create(result, to->layout.fourcc, planar->width, planar->height,
                             planar->alpha.data != NULL, failure);
  if (code)
    return code;
  if (to->layout.arrangement == VF_ARRANGEMENT_PACKED) {
    pack_pairs(result, to, planar);
  } else {
    pack_chroma(result, to, planar);
  }
  if (planar->alpha.data) {
    vf_plane_copy(&result->alpha, &planar->alpha, planar->width, planar->height);
  }
  return 0;
}

int vf_image_convert(vf_image *result, uint32_t fourcc, const vf_image *source,
                     vf_failure *failure) {
  const vf_layout_detail *to = vf_layout_detail_find(fourcc);
  if (!to)
    return vf_fail(failure, ENOTSUP, "conversion", "pixel layout 0x%08x", fourcc);
  if (to->layout.arrangement == VF_ARRANGEMENT_RGB) {
    return vf_image_to_rgb_layout(result, fourcc, source, failure);
  }

  vf_image planar, subsampled;
  int code = vf_image_borrow_planar(&planar, source, failure);
  if (code)
    return code;
  bool planes = to->layout.arrangement == VF_ARRANGEMENT_PLANAR ||
                to->layout.arrangement == VF_ARRANGEMENT_GREY;
  code = vf_image_subsample(&subsampled, planes ? fourcc : vf_layout_planar(to), &planar, failure);
  vf_image_free(&planar);
  if (code)
    return code;
  if (planes) {
    *result = subsampled;
    return 0;
  }
  vf_image packed;
  code = pack(&packed, to, &subsampled, failure);
  vf_image_free(&subsampled);
  if (!code)
    *result = packed;
  return code;
}
