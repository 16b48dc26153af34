#include <string.h>

#include "pixels/colour.h"
#include "pixels/image.h"
#include "vf_kernels.h"

static void split_packed(const vf_image *result, const vf_image *source, bool chroma_first) {
  const vf_kernels *kernels = vf_kernels_current();
  // The last pair of an odd row is whole in the source, and its second luma fits in the result's
  // row, whose stride is a multiple of 64.
  size_t pairs = (source->width + 1) / 2;
  for (size_t y = 0; y < source->height; y++) {
    uint8_t *luma = vf_row(&result->planes[0], y);
    uint8_t *cb = vf_row(&result->planes[1], y), *cr = vf_row(&result->planes[2], y);
    const uint8_t *row = vf_row(&source->planes[0], y);
    (chroma_first ? kernels->split_uyvy : kernels->split_yuyv)(luma, cb, cr, row, pairs);
  }
}

static void split_semiplanar(const vf_image *result, const vf_image *source, uint32_t cb_place) {
  const vf_kernels *kernels = vf_kernels_current();
  uint32_t width, height;
  vf_image_plane_size(result, 1, &width, &height);
  vf_plane_copy(&result->planes[0], &source->planes[0], source->width, source->height);
  for (size_t y = 0; y < height; y++) {
    uint8_t *first = vf_row(&result->planes[1 + cb_place], y);
    uint8_t *second = vf_row(&result->planes[2 - cb_place], y);
    kernels->split_pairs(first, second, vf_row(&source->planes[1], y), width);
  }
}

static void convert_rgb(const vf_image *result, const vf_image *source,
                        const vf_layout_detail *detail) {
  size_t bytes = detail->layout.bytes_per_pixel;
  const uint8_t *places = detail->places;
  for (size_t y = 0; y < source->height; y++) {
    uint8_t *luma = vf_row(&result->planes[0], y);
    uint8_t *cb = vf_row(&result->planes[1], y), *cr = vf_row(&result->planes[2], y);
    const uint8_t *pixel = vf_row(&source->planes[0], y);
    for (size_t x = 0; x < source->width; x++, pixel += bytes) {
      int32_t red = pixel[places[0]], green = pixel[places[1]], blue = pixel[places[2]];
      luma[x] = vf_luma(red, green, blue);
      cb[x] = vf_cb(red, green, blue);
      cr[x] = vf_cr(red, green, blue);
    }
  }
}

static void copy_planes(const vf_image *result, const vf_image *source) {
  for (uint32_t plane = 0; plane < 3 && result->planes[plane].data; plane++) {
    uint32_t width, height;
    vf_image_plane_size(result, plane, &width, &height);
    vf_plane_copy(&result->planes[plane], &source->planes[plane], width, height);
  }
}

static void copy_alpha(const vf_image *result, const vf_image *source,
                       const vf_layout_detail *detail) {
  if (source->alpha.data) {
    vf_plane_copy(&result->alpha, &source->alpha, source->width, source->height);
    return;
  }
  for (size_t y = 0; y < source->height; y++) {
    uint8_t *alpha = vf_row(&result->alpha, y);
    const uint8_t *pixels = vf_row(&source->planes[0], y);
    for (size_t x = 0; x < source->width; x++)
      alpha[x] = pixels[4 * x + detail->places[3]];
  }
}

/// Stretches limited range to the full one, in place.
static void expand_range(const vf_image *image) {
  uint8_t tables[2][256];
  for (int32_t i = 0; i < 256; i++) {
    tables[0][i] = vf_full_luma(i);
    tables[1][i] = vf_full_chroma(i);
  }
  for (uint32_t plane = 0; plane < 3 && image->planes[plane].data; plane++) {
    const uint8_t *table = tables[plane > 0];
    uint32_t width, height;
    vf_image_plane_size(image, plane, &width, &height);
    for (size_t y = 0; y < height; y++) {
      uint8_t *row = vf_row(&image->planes[plane], y);
      for (size_t x = 0; x < width; x++)
        row[x] = table[row[x]];
    }
  }
}

void vf_image_write_planar(const vf_image *planar, const vf_image *source) {
  const vf_layout_detail *detail = vf_layout_detail_find(source->fourcc);
  switch (detail->layout.arrangement) {
  case VF_ARRANGEMENT_PACKED:
    split_packed(planar, source, detail->places[0] == 1);
    break;
  case VF_ARRANGEMENT_RGB:
    convert_rgb(planar, source, detail);
    break;
  case VF_ARRANGEMENT_SEMIPLANAR:
    split_semiplanar(planar, source, detail->places[0]);
    break;
  default:
    copy_planes(planar, source);
    break;
  }
  if (planar->alpha.data)
    copy_alpha(planar, source, detail);
  if (source->limited_range && detail->layout.arrangement != VF_ARRANGEMENT_RGB)
    expand_range(planar);
}

int vf_image_to_planar(vf_image *result, const vf_image *source, vf_failure *failure) {
  int code = vf_image_check(source, "conversion to planes", failure);
  if (code)
    return code;
  const vf_layout_detail *detail = vf_layout_detail_find(source->fourcc);
  bool with_alpha = source->alpha.data || detail->layout.has_alpha;
  vf_image planar;
  code = vf_image_create(&planar, vf_layout_planar(detail), source->width, source->height,
                         with_alpha, failure);
  if (code)
    return code;
  vf_image_write_planar(&planar, source);
  *result = planar;
  return 0;
}

int vf_image_borrow_planar(vf_image *planar, const vf_image *source, vf_failure *failure) {
  int code = vf_image_check(source, "conversion to planes", failure);
  if (code)
    return code;
  const vf_layout_detail *detail = vf_layout_detail_find(source->fourcc);
  bool planes = detail->layout.arrangement == VF_ARRANGEMENT_PLANAR ||
                detail->layout.arrangement == VF_ARRANGEMENT_GREY;
  if (!planes || source->limited_range)
    return vf_image_to_planar(planar, source, failure);
  *planar = *source;
  planar->fourcc = vf_layout_planar(detail); // `VF_YV12` has the planes of `VF_I420`.
  planar->storage = NULL;
  return 0;
}
