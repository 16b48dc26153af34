#include "detect/samples.h"

#include "layouts/layout.h"
#include "pixels/colour.h"
#include "pixels/image.h"

eye_parts eye_lay_out(const vf_image *image) {
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  const vf_layout *layout = &detail->layout;
  const uint8_t *places = detail->places;
  uint32_t width = image->width, height = image->height;
  uint32_t shift_x = layout->chroma_shift_x, shift_y = layout->chroma_shift_y;
  uint32_t half_width = vf_subsampled(width, shift_x), half_height = vf_subsampled(height, shift_y);
  eye_parts parts = {.count = 3,
                     .row_bytes = {width * layout->bytes_per_pixel, half_width, half_width},
                     .rows = {height, half_height, half_height}};
  parts.parts[0] = (eye_part){0, 0, 1, width, height, 0, 0};
  for (uint32_t i = 1; i < 3; i++)
    parts.parts[i] = (eye_part){i, 0, 1, half_width, half_height, shift_x, shift_y};
  switch (layout->arrangement) {
  case VF_ARRANGEMENT_RGB:
    parts.is_rgb = true;
    for (uint32_t i = 0; i < 3; i++)
      parts.parts[i] = (eye_part){0, places[i], layout->bytes_per_pixel, width, height, 0, 0};
    break;
  case VF_ARRANGEMENT_PACKED:
    parts.row_bytes[0] = half_width * 4;
    parts.parts[0] = (eye_part){0, places[0], 2, width, height, 0, 0};
    parts.parts[1] = (eye_part){0, places[1], 4, half_width, height, 1, 0};
    parts.parts[2] = (eye_part){0, places[3], 4, half_width, height, 1, 0};
    break;
  case VF_ARRANGEMENT_SEMIPLANAR:
    parts.row_bytes[1] = half_width * 2;
    for (uint32_t i = 1; i < 3; i++)
      parts.parts[i] = (eye_part){1, places[i - 1], 2, half_width, half_height, shift_x, shift_y};
    break;
  case VF_ARRANGEMENT_PLANAR:
    break;
  default:
    parts.count = 1;
    parts.row_bytes[0] = width;
  }
  return parts;
}

/// Between four samples; in 1/16.
static int32_t between(const vf_image *image, const eye_part *part, eye_point at) {
  // Samples that several pixels share lie in their middle.
  int32_t x = ((at.x + 128) >> part->shift_x) - 128, y = ((at.y + 128) >> part->shift_y) - 128;
  x = eye_clamp(x, 0, (int32_t)(part->width - 1) * 256);
  y = eye_clamp(y, 0, (int32_t)(part->height - 1) * 256);
  const vf_plane *plane = &image->planes[part->plane];
  const uint8_t *a = vf_row(plane, (size_t)(y >> 8)) + part->offset;
  const uint8_t *b = (uint32_t)(y >> 8) + 1 < part->height ? a + plane->stride : a;
  uint32_t left = (uint32_t)(x >> 8) * part->step;
  uint32_t right = (uint32_t)(x >> 8) + 1 < part->width ? left + part->step : left;
  int32_t u = x & 255, v = y & 255;
  int32_t above = a[left] * (256 - u) + a[right] * u, below = b[left] * (256 - u) + b[right] * u;
  return (above * (256 - v) + below * v) >> 12;
}

eye_sample eye_sample_at(const vf_image *image, const eye_parts *parts, eye_point at) {
  int32_t a = between(image, &parts->parts[0], at);
  if (parts->count == 1)
    return (eye_sample){{a, 0, 0}};
  int32_t b = between(image, &parts->parts[1], at), c = between(image, &parts->parts[2], at);
  if (parts->is_rgb)
    return (eye_sample){
        {(77 * a + 150 * b + 29 * c) >> 8, (179 * (a - b)) >> 8, (64 * (a + b) - 128 * c) >> 8}};
  b -= 128 * 16;
  c -= 128 * 16;
  return (eye_sample){{a, (379 * c + 62 * b) >> 8, (44 * c - 249 * b) >> 8}};
}
