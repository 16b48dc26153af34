#include "jpeg/colour.h"

#include "pixels/colour.h"

void vf_row_from_ycc(const vf_image *image, size_t y, const uint8_t *pixels) {
  for (size_t c = 0; c < 3; c++) {
    uint8_t *row = image->planes[c].data + y * image->planes[c].stride;
    for (size_t x = 0; x < image->width; x++)
      row[x] = pixels[3 * x + c];
  }
}

static void put(const vf_image *image, size_t x, size_t y, int red, int green, int blue) {
  const vf_plane *planes = image->planes;
  planes[0].data[y * planes[0].stride + x] = vf_luma(red, green, blue);
  planes[1].data[y * planes[1].stride + x] = vf_cb(red, green, blue);
  planes[2].data[y * planes[2].stride + x] = vf_cr(red, green, blue);
}

void vf_row_from_rgb(const vf_image *image, size_t y, const uint8_t *pixels) {
  for (size_t x = 0; x < image->width; x++, pixels += 3)
    put(image, x, y, pixels[0], pixels[1], pixels[2]);
}

void vf_row_from_cmyk(const vf_image *image, size_t y, const uint8_t *pixels, int inverted) {
  int flip = inverted ? 0 : 255;
  for (size_t x = 0; x < image->width; x++, pixels += 4) {
    int rgb[3], key = pixels[3] ^ flip;
    for (size_t c = 0; c < 3; c++)
      rgb[c] = ((pixels[c] ^ flip) * key + 127) / 255;
    put(image, x, y, rgb[0], rgb[1], rgb[2]);
  }
}
