#include <string.h>

#include "pixels/colour.h"
#include "pixels/image.h"

/// Samples across and down, at most.
enum { COLUMNS = 320, ROWS = 240 };

/// Where sample `index` of `count` lies: in the middle of its part of `extent`.
static inline uint32_t place(uint32_t index, uint32_t count, uint32_t extent) {
  return (uint32_t)((2 * (uint64_t)index + 1) * extent / (2 * (uint64_t)count));
}

/// Luma, Cb and Cr of a pixel that has no red, green and blue; grey has chroma of 128.
static void read_ycbcr(const vf_image *image, const vf_layout_detail *detail, uint32_t x,
                       uint32_t y, uint8_t ycbcr[3]) {
  const vf_layout *layout = &detail->layout;
  const uint8_t *places = detail->places;
  const uint8_t *row = vf_row(&image->planes[0], y);
  uint32_t chroma_x = x >> layout->chroma_shift_x, chroma_y = y >> layout->chroma_shift_y;
  ycbcr[1] = ycbcr[2] = 128;
  switch (layout->arrangement) {
  case VF_ARRANGEMENT_PACKED: {
    const uint8_t *pair = row + (size_t)(x / 2) * 4;
    ycbcr[0] = pair[places[x % 2 ? 2 : 0]];
    ycbcr[1] = pair[places[1]];
    ycbcr[2] = pair[places[3]];
    break;
  }
  case VF_ARRANGEMENT_SEMIPLANAR: {
    const uint8_t *pair = vf_row(&image->planes[1], chroma_y) + 2 * (size_t)chroma_x;
    ycbcr[0] = row[x];
    ycbcr[1] = pair[places[0]];
    ycbcr[2] = pair[places[1]];
    break;
  }
  case VF_ARRANGEMENT_PLANAR:
    ycbcr[0] = row[x];
    ycbcr[1] = vf_row(&image->planes[1], chroma_y)[chroma_x];
    ycbcr[2] = vf_row(&image->planes[2], chroma_y)[chroma_x];
    break;
  default:
    ycbcr[0] = row[x];
  }
  if (image->limited_range) {
    ycbcr[0] = vf_full_luma(ycbcr[0]);
    ycbcr[1] = vf_full_chroma(ycbcr[1]);
    ycbcr[2] = vf_full_chroma(ycbcr[2]);
  }
}

int vf_image_histogram(uint32_t *counts, const vf_image *image, vf_failure *failure) {
  int code = vf_image_check(image, "histogram", failure);
  if (code)
    return code;
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  uint32_t columns = image->width < COLUMNS ? image->width : COLUMNS;
  uint32_t rows = image->height < ROWS ? image->height : ROWS;
  uint32_t *luma = counts, *red = counts + 256, *green = counts + 512, *blue = counts + 768;
  memset(counts, 0, 4 * 256 * sizeof *counts);
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t y = place(row, rows, image->height);
    for (uint32_t column = 0; column < columns; column++) {
      uint32_t x = place(column, columns, image->width);
      if (detail->layout.arrangement == VF_ARRANGEMENT_RGB) {
        const uint8_t *pixel =
            vf_row(&image->planes[0], y) + (size_t)x * detail->layout.bytes_per_pixel;
        uint8_t r = pixel[detail->places[0]], g = pixel[detail->places[1]],
                b = pixel[detail->places[2]];
        luma[vf_luma(r, g, b)]++;
        red[r]++;
        green[g]++;
        blue[b]++;
      } else {
        uint8_t ycbcr[3];
        read_ycbcr(image, detail, x, y, ycbcr);
        luma[ycbcr[0]]++;
        red[vf_red(ycbcr[0], ycbcr[2])]++;
        green[vf_green(ycbcr[0], ycbcr[1], ycbcr[2])]++;
        blue[vf_blue(ycbcr[0], ycbcr[1])]++;
      }
    }
  }
  return 0;
}
