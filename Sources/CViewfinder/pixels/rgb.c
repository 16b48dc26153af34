#include "pixels/rgb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/resample.h"

/// Reorders the bytes of each pixel: between RGB layouts nothing is lost.
static void reorder(const vf_image *result, const vf_layout_detail *to, const vf_image *source,
                    const vf_layout_detail *from) {
  size_t read = from->layout.bytes_per_pixel, written = to->layout.bytes_per_pixel;
  for (size_t y = 0; y < source->height; y++) {
    const uint8_t *in = vf_row(&source->planes[0], y);
    uint8_t *out = vf_row(&result->planes[0], y);
    for (size_t x = 0; x < source->width; x++, in += read, out += written) {
      for (size_t i = 0; i < 3; i++)
        out[to->places[i]] = in[from->places[i]];
    }
  }
}

static inline __attribute__((always_inline)) void
convert_pixels(uint8_t *restrict out, size_t bytes, size_t red, size_t blue,
               const uint8_t *restrict luma, const uint8_t *restrict cb, const uint8_t *restrict cr,
               size_t width) {
  for (size_t x = 0; x < width; x++, out += bytes) {
    out[red] = vf_red(luma[x], cr[x]);
    out[1] = vf_green(luma[x], cb[x], cr[x]);
    out[blue] = vf_blue(luma[x], cb[x]);
  }
}

/// Converts a row of planes whose chroma has been interpolated to one sample per pixel.
static void convert_row(uint8_t *out, const vf_layout_detail *to, const uint8_t *luma,
                        const uint8_t *cb, const uint8_t *cr, size_t width) {
  // Constants let the compiler vectorise.
  bool red_first = to->places[0] == 0, wide = to->layout.bytes_per_pixel == 4;
  if (red_first && !wide)
    convert_pixels(out, 3, 0, 2, luma, cb, cr, width);
  if (red_first && wide)
    convert_pixels(out, 4, 0, 2, luma, cb, cr, width);
  if (!red_first && !wide)
    convert_pixels(out, 3, 2, 0, luma, cb, cr, width);
  if (!red_first && wide)
    convert_pixels(out, 4, 2, 0, luma, cb, cr, width);
}

static int convert(const vf_image *result, const vf_layout_detail *to, const vf_image *planar,
                   vf_failure *failure) {
  const vf_layout *layout = vf_layout_find(planar->fourcc);
  uint32_t width = planar->width, chroma_width, chroma_height;
  vf_image_plane_size(planar, 1, &chroma_width, &chroma_height);
  uint8_t *chroma = malloc((size_t)width * 2);
  if (!layout || !chroma) {
    free(chroma);
    return vf_fail(failure, ENOMEM, "conversion to RGB", NULL);
  }
  memset(chroma, 128, (size_t)width * 2); // Grey has no chroma.
  vf_axis across = vf_axis_upsampling(layout->chroma_shift_x);
  vf_axis down = vf_axis_upsampling(layout->chroma_shift_y);
  for (uint32_t y = 0; y < planar->height; y++) {
    uint32_t rows[2];
    uint32_t eighths = vf_axis_rows(down, y, chroma_height, rows);
    for (uint32_t plane = 1; plane < 3 && planar->planes[plane].data; plane++) {
      const vf_plane *source = &planar->planes[plane];
      vf_row_sample(chroma + (plane - 1) * width, width, across, vf_row(source, rows[0]),
                    vf_row(source, rows[1]), eighths, chroma_width);
    }
    convert_row(vf_row(&result->planes[0], y), to, vf_row(&planar->planes[0], y), chroma,
                chroma + width, width);
  }
  free(chroma);
  return 0;
}

/// Fills the fourth byte, where the layout has one: coverage, or 255.
static void fill_fourth(const vf_image *result, const vf_layout_detail *to, const vf_image *source,
                        const vf_layout_detail *from) {
  if (to->layout.bytes_per_pixel != 4)
    return;
  for (size_t y = 0; y < source->height; y++) {
    uint8_t *out = vf_row(&result->planes[0], y) + to->places[3];
    const uint8_t *alpha = NULL;
    size_t step = 1;
    if (to->layout.has_alpha && source->alpha.data) {
      alpha = vf_row(&source->alpha, y);
    } else if (to->layout.has_alpha && from->layout.has_alpha) {
      alpha = vf_row(&source->planes[0], y) + from->places[3];
      step = 4;
    }
    for (size_t x = 0; x < source->width; x++)
      out[4 * x] = alpha ? alpha[x * step] : 255;
  }
}

int vf_image_to_rgb_layout(vf_image *result, uint32_t fourcc, const vf_image *source,
                           vf_failure *failure) {
  int code = vf_image_check(source, "conversion to RGB", failure);
  if (code)
    return code;
  const vf_layout_detail *from = vf_layout_detail_find(source->fourcc);
  const vf_layout_detail *to = vf_layout_detail_find(fourcc);
  vf_image rgb;
  code = vf_image_create(&rgb, fourcc, source->width, source->height, 0, failure);
  if (code)
    return code;
  if (from->layout.arrangement == VF_ARRANGEMENT_RGB) {
    reorder(&rgb, to, source, from);
  } else {
    vf_image planar;
    code = vf_image_borrow_planar(&planar, source, failure);
    if (!code) {
      code = convert(&rgb, to, &planar, failure);
      vf_image_free(&planar);
    }
  }
  if (code) {
    vf_image_free(&rgb);
    return code;
  }
  fill_fourth(&rgb, to, source, from);
  *result = rgb;
  return 0;
}

int vf_image_to_rgb(vf_image *result, const vf_image *source, vf_failure *failure) {
  const vf_layout_detail *from = vf_layout_detail_find(source->fourcc);
  bool alpha = source->alpha.data || (from && from->layout.has_alpha);
  return vf_image_to_rgb_layout(result, alpha ? VF_RGBA32 : VF_RGB24, source, failure);
}
