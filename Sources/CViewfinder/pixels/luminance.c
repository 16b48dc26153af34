#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/image.h"

/// Samples of a cell across and down, at most.
enum { SAMPLES = 4 };

/// A direction of the small picture: its cells, the samples in each, and where these are.
typedef struct axis {
  uint32_t cells, samples;
  uint32_t *places;
} axis;

/// The middles of equal parts of `extent`. With four pixels in a cell or fewer these are all.
static bool lay_out(axis *axis, uint32_t cells, uint32_t extent) {
  uint32_t samples = extent / cells;
  *axis = (struct axis){.cells = cells, .samples = samples < SAMPLES ? samples : SAMPLES};
  uint64_t count = (uint64_t)cells * axis->samples;
  axis->places = malloc(count * sizeof *axis->places);
  if (!axis->places)
    return false;
  for (uint64_t i = 0; i < count; i++)
    axis->places[i] = (uint32_t)((2 * i + 1) * extent / (2 * count));
  return true;
}

/// Adds the samples of a row to the sums of their cells.
static void add_row(const vf_image *image, const vf_layout_detail *detail, uint32_t y,
                    const axis *across, uint32_t *sums) {
  const uint8_t *row = vf_row(&image->planes[0], y);
  const uint8_t *places = detail->places;
  size_t bytes = detail->layout.bytes_per_pixel;
  const uint32_t *x = across->places;
  for (uint32_t cell = 0; cell < across->cells; cell++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < across->samples; i++, x++) {
      if (detail->layout.arrangement == VF_ARRANGEMENT_RGB) {
        const uint8_t *pixel = row + *x * bytes;
        sum += vf_luma(pixel[places[0]], pixel[places[1]], pixel[places[2]]);
      } else {
        bool packed = detail->layout.arrangement == VF_ARRANGEMENT_PACKED;
        uint8_t luma = packed ? row[*x / 2 * 4 + places[*x % 2 ? 2 : 0]] : row[*x];
        sum += image->limited_range ? vf_full_luma(luma) : luma;
      }
    }
    sums[cell] += sum;
  }
}

int vf_image_luminance(uint8_t *pixels, uint32_t width, uint32_t height, const vf_image *image,
                       vf_failure *failure) {
  int code = vf_image_check(image, "luminance", failure);
  if (code)
    return code;
  if (!width || !height || width > image->width || height > image->height)
    return vf_fail(failure, EINVAL, "luminance", "%u × %u of a picture of %u × %u", width, height,
                   image->width, image->height);
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  axis across = {0}, down = {0};
  uint32_t *sums = malloc(width * sizeof *sums);
  if (sums && lay_out(&across, width, image->width) && lay_out(&down, height, image->height)) {
    uint32_t count = across.samples * down.samples;
    const uint32_t *y = down.places;
    for (uint32_t row = 0; row < height; row++, pixels += width) {
      memset(sums, 0, width * sizeof *sums);
      for (uint32_t i = 0; i < down.samples; i++, y++)
        add_row(image, detail, *y, &across, sums);
      for (uint32_t column = 0; column < width; column++)
        pixels[column] = (uint8_t)((sums[column] + count / 2) / count);
    }
  } else {
    code = vf_fail(failure, ENOMEM, "malloc", NULL);
  }
  free(sums);
  free(across.places);
  free(down.places);
  return code;
}
