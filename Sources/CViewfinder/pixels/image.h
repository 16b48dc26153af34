#ifndef VF_CORE_IMAGE_H
#define VF_CORE_IMAGE_H

#include "layouts/layout.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

/// Fails unless the image has a known layout, a size in range, its planes, and strides that hold
/// a row.
int vf_image_check(const vf_image *image, const char *step, vf_failure *failure);

/// The image itself as a view when it is planar and full range already; else a planar copy of it.
/// `vf_image_free` suits both.
int vf_image_borrow_planar(vf_image *planar, const vf_image *source, vf_failure *failure);

/// A view of the `width` × `height` pixels at (x, y). The offsets must be multiples of the chroma
/// subsampling, and the rectangle inside the image.
vf_image vf_image_part(const vf_image *image, uint32_t x, uint32_t y, uint32_t width,
                       uint32_t height);

/// `vf_image_crop`, where the result has an alpha plane also when the source has none and
/// `with_alpha` isn't 0. That plane's contents are then undefined.
int vf_image_crop_with_alpha(vf_image *result, const vf_image *source, uint32_t x, uint32_t y,
                             uint32_t width, uint32_t height, int with_alpha, vf_failure *failure);

/// `vf_image_crop` of a planar, full-range image that owns its memory, in that memory. The
/// rectangle must lie inside the image. Fails with `ENOMEM` only; the image is then of no use.
int vf_image_cut(vf_image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                 vf_failure *failure);

/// Writes the picture of `source` into a planar image of the same size, with the layout and the
/// alpha plane that `vf_image_to_planar` would give it.
void vf_image_write_planar(const vf_image *planar, const vf_image *source);

/// The samples across and down of a plane of a planar or grey image; plane 3 stands for alpha.
void vf_image_plane_size(const vf_image *image, uint32_t plane, uint32_t *width, uint32_t *height);

/// The plane itself; plane 3 stands for alpha. Its data is NULL when the image has no such plane.
static inline vf_plane vf_image_plane(const vf_image *image, uint32_t plane) {
  return plane < 3 ? image->planes[plane] : image->alpha;
}

/// Copies `height` rows of `bytes` bytes.
void vf_plane_copy(const vf_plane *result, const vf_plane *source, size_t bytes, size_t height);

/// The address of a row.
static inline uint8_t *vf_row(const vf_plane *plane, size_t y) {
  return plane->data + y * plane->stride;
}

#pragma clang assume_nonnull end

#endif
