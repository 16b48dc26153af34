#include "pixels/colour.h"
#include "pixels/image.h"

static int32_t luma_at(const vf_image *image, const vf_layout_detail *detail, size_t x, size_t y) {
  const uint8_t *row = vf_row(&image->planes[0], y);
  const uint8_t *places = detail->places;
  if (detail->layout.arrangement == VF_ARRANGEMENT_RGB) {
    const uint8_t *pixel = row + x * detail->layout.bytes_per_pixel;
    return vf_luma(pixel[places[0]], pixel[places[1]], pixel[places[2]]);
  }
  bool packed = detail->layout.arrangement == VF_ARRANGEMENT_PACKED;
  int32_t luma = packed ? row[x / 2 * 4 + places[x % 2 ? 2 : 0]] : row[x];
  return image->limited_range ? vf_full_luma(luma) : luma;
}

double vf_image_mean_luma(const vf_image *image) {
  vf_failure failure;
  if (vf_image_check(image, "mean luma", &failure))
    return 0;
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  // The middles of a grid of equal cells.
  size_t columns = image->width < 64 ? image->width : 64;
  size_t rows = image->height < 64 ? image->height : 64;
  int64_t sum = 0;
  for (size_t j = 0; j < rows; j++) {
    size_t y = (2 * j + 1) * image->height / (2 * rows);
    for (size_t i = 0; i < columns; i++) {
      sum += luma_at(image, detail, (2 * i + 1) * image->width / (2 * columns), y);
    }
  }
  return (double)sum / (double)(rows * columns);
}
