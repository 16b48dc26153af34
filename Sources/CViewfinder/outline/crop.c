#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"
#include "vf_outline.h"

/// Whether an outline that has these bounds covers every one of their pixels wholly.
static bool is_whole(const vf_outline *outline, const vf_rectangle *bounds) {
  if (outline->kind != VF_OUTLINE_RECTANGLE)
    return false;
  // Edges that close to the grid count as on it; those outside the picture are out of sight.
  const double slack = 0.001;
  return outline->x <= bounds->x + slack && outline->y <= bounds->y + slack &&
         outline->x + outline->width >= (double)bounds->x + bounds->width - slack &&
         outline->y + outline->height >= (double)bounds->y + bounds->height - slack;
}

/// `a` × `b` where 255 stands for 1.
static inline uint8_t product(uint32_t a, uint32_t b) { return (uint8_t)((a * b + 127) / 255); }

static inline uint8_t blend(uint32_t coverage, uint32_t inside, uint32_t outside) {
  return (uint8_t)((coverage * inside + (255 - coverage) * outside + 127) / 255);
}

/// The part of the picture's own coverage that the mask leaves.
static void multiply(const vf_plane *result, const vf_plane *factor, const vf_image *image) {
  for (size_t y = 0; y < image->height; y++) {
    uint8_t *row = vf_row(result, y);
    const uint8_t *factors = vf_row(factor, y);
    for (size_t x = 0; x < image->width; x++)
      row[x] = product(row[x], factors[x]);
  }
}

/// The mean coverage of the pixels that one chroma sample stands for.
static uint32_t mean_coverage(const vf_plane *mask, const vf_image *image, const vf_layout *layout,
                              uint32_t x, uint32_t y) {
  uint32_t shift_x = layout->chroma_shift_x, shift_y = layout->chroma_shift_y;
  uint32_t sum = 0, count = 0;
  for (uint32_t j = y << shift_y; j < (y + 1) << shift_y && j < image->height; j++) {
    const uint8_t *row = vf_row(mask, j);
    for (uint32_t i = x << shift_x; i < (x + 1) << shift_x && i < image->width; i++) {
      sum += row[i];
      count++;
    }
  }
  return (sum + count / 2) / count;
}

/// Paints `color` where the mask doesn't cover the picture. A grey picture stays grey: it takes the
/// colour's luma.
static void paint(const vf_image *image, const vf_plane *mask, const vf_color *color) {
  const vf_layout *layout = vf_layout_find(image->fourcc);
  uint8_t outside[3] = {vf_luma(color->red, color->green, color->blue),
                        vf_cb(color->red, color->green, color->blue),
                        vf_cr(color->red, color->green, color->blue)};
  for (size_t y = 0; y < image->height; y++) {
    uint8_t *row = vf_row(&image->planes[0], y);
    const uint8_t *coverage = vf_row(mask, y);
    for (size_t x = 0; x < image->width; x++) {
      if (coverage[x] < 255)
        row[x] = blend(coverage[x], row[x], outside[0]);
    }
  }
  if (!image->planes[1].data || !layout)
    return;
  uint32_t width, height;
  vf_image_plane_size(image, 1, &width, &height);
  for (uint32_t y = 0; y < height; y++) {
    uint8_t *cb = vf_row(&image->planes[1], y), *cr = vf_row(&image->planes[2], y);
    for (uint32_t x = 0; x < width; x++) {
      uint32_t coverage = mean_coverage(mask, image, layout, x, y);
      cb[x] = blend(coverage, cb[x], outside[1]);
      cr[x] = blend(coverage, cr[x], outside[2]);
    }
  }
}

/// Rows that are masked at a time, which whole chroma samples have in every layout: the mask of a
/// large picture would take as much memory as a plane of it.
enum { STRIP_ROWS = 64 };

/// Masks a strip of a picture that has been cropped to `bounds`; `mask` has room for it.
static int mask_strip(const vf_image *strip, int had_alpha, const vf_outline *outline,
                      const vf_rectangle *bounds, const vf_plane *mask, const vf_color *background,
                      vf_failure *failure) {
  int code = vf_outline_mask(outline, bounds, mask, failure);
  if (code)
    return code;
  if (!background) {
    multiply(&strip->alpha, mask, strip);
    return 0;
  }
  // The background also shows through where the picture itself is transparent.
  if (had_alpha)
    multiply(mask, &strip->alpha, strip);
  paint(strip, mask, background);
  return 0;
}

/// Masks what lies outside the outline of a picture that has been cropped to `bounds`.
static int mask_outside(vf_image *image, int had_alpha, const vf_outline *outline,
                        const vf_rectangle *bounds, const vf_color *background,
                        vf_failure *failure) {
  // Transparency that nothing else contributes to is the mask itself.
  if (!background && !had_alpha)
    return vf_outline_mask(outline, bounds, &image->alpha, failure);

  vf_plane mask = {.stride = image->width};
  mask.data = malloc((size_t)image->width * STRIP_ROWS);
  if (!mask.data)
    return vf_fail(failure, ENOMEM, "outline crop", NULL);
  int code = 0;
  for (uint32_t y = 0; y < image->height && !code; y += STRIP_ROWS) {
    uint32_t rows = image->height - y < STRIP_ROWS ? image->height - y : STRIP_ROWS;
    vf_image strip = vf_image_part(image, 0, y, image->width, rows);
    vf_rectangle part = {bounds->x, bounds->y + y, bounds->width, rows};
    code = mask_strip(&strip, had_alpha, outline, &part, &mask, background, failure);
  }
  if (!code && background)
    image->alpha = (vf_plane){0};
  free(mask.data);
  return code;
}

/// How a picture is to be cropped.
typedef struct cut {
  vf_rectangle bounds;
  /// Where they lie in the source.
  uint32_t left, top;
  bool is_whole, has_alpha, needs_alpha;
} cut;

static int plan(cut *cut, const vf_image *source, const vf_rectangle *origin,
                uint32_t picture_width, uint32_t picture_height, const vf_outline *outline,
                const vf_color *background, vf_failure *failure) {
  const char *step = "outline crop";
  int code = vf_image_check(source, step, failure);
  if (!code)
    code = vf_outline_bounds(outline, picture_width, picture_height, &cut->bounds, failure);
  if (code)
    return code;
  uint32_t x = origin ? origin->x : 0, y = origin ? origin->y : 0;
  if (cut->bounds.x < x || cut->bounds.y < y)
    return vf_fail(failure, EINVAL, step, "the part at (%u, %u) misses (%u, %u)", x, y,
                   cut->bounds.x, cut->bounds.y);
  cut->left = cut->bounds.x - x;
  cut->top = cut->bounds.y - y;
  cut->is_whole = is_whole(outline, &cut->bounds);
  cut->has_alpha = source->alpha.data || vf_layout_find(source->fourcc)->has_alpha;
  cut->needs_alpha = !cut->is_whole && !background;
  return 0;
}

static int copy_out(vf_image *result, const vf_image *source, const cut *cut,
                    const vf_outline *outline, const vf_color *background, vf_failure *failure) {
  const vf_rectangle *bounds = &cut->bounds;
  int code = vf_image_crop_with_alpha(result, source, cut->left, cut->top, bounds->width,
                                      bounds->height, cut->needs_alpha, failure);
  if (code || cut->is_whole)
    return code;
  code = mask_outside(result, cut->has_alpha, outline, bounds, background, failure);
  if (code)
    vf_image_free(result);
  return code;
}

int vf_outline_crop(vf_image *result, const vf_image *source, const vf_rectangle *origin,
                    uint32_t picture_width, uint32_t picture_height, const vf_outline *outline,
                    const vf_color *background, vf_failure *failure) {
  cut cut;
  int code =
      plan(&cut, source, origin, picture_width, picture_height, outline, background, failure);
  if (code)
    return code;
  vf_image cropped;
  code = copy_out(&cropped, source, &cut, outline, background, failure);
  if (!code)
    *result = cropped;
  return code;
}

int vf_outline_cut(vf_image *image, const vf_rectangle *origin, uint32_t picture_width,
                   uint32_t picture_height, const vf_outline *outline, const vf_color *background,
                   vf_failure *failure) {
  cut cut;
  int code = plan(&cut, image, origin, picture_width, picture_height, outline, background, failure);
  if (code)
    return code;
  vf_image planar;
  code = vf_image_borrow_planar(&planar, image, failure);
  if (code)
    return code;
  if (planar.storage) {
    vf_image_free(image);
    *image = planar;
  }
  image->fourcc = planar.fourcc;
  const vf_rectangle *bounds = &cut.bounds;
  if (image->alpha.data || !cut.needs_alpha) {
    code = vf_image_cut(image, cut.left, cut.top, bounds->width, bounds->height, failure);
    if (!code && !cut.is_whole)
      code = mask_outside(image, cut.has_alpha, outline, bounds, background, failure);
    return code;
  }
  vf_image cropped;
  code = copy_out(&cropped, image, &cut, outline, background, failure);
  if (code)
    return code;
  vf_image_free(image);
  *image = cropped;
  return 0;
}
