#include <string.h>

#include "detect/workspace.h"

// What the second network sees of a quadrilateral, and the third of a strip: the picture in it and
// around it, straightened, with its own light taken out; and what the first network's maps say
// there.

/// The means of 2 × 2 pixels, two of a pixel's bytes at a time.
static void halve(uint32_t *result, const eye_pyramid *finer, int32_t width, int32_t height) {
  const uint32_t every_other = 0x00ff00ff, half = 0x00020002;
  int32_t right = finer->width > 1, down = finer->height > 1 ? finer->width : 0;
  for (int32_t y = 0; y < height; y++) {
    const uint32_t *a = finer->pixels + 2 * y * finer->width, *b = a + down;
    for (int32_t x = 0; x < width; x++, a += 2, b += 2) {
      uint32_t low = (a[0] & every_other) + (a[right] & every_other) + (b[0] & every_other) +
                     (b[right] & every_other) + half;
      uint32_t high = (a[0] >> 8 & every_other) + (a[right] >> 8 & every_other) +
                      (b[0] >> 8 & every_other) + (b[right] >> 8 & every_other) + half;
      *result++ = (low >> 2 & every_other) | (high >> 2 & every_other) << 8;
    }
  }
}

void eye_make_pyramid(vf_eye *eye) {
  uint32_t *room = eye->pyramid_pixels;
  int32_t width = eye->width, height = eye->height;
  const uint8_t *red = eye->planes[0], *green = eye->planes[1], *blue = eye->planes[2];
  for (int32_t i = 0; i < width * height; i++)
    room[i] = blue[i] | (uint32_t)green[i] << 8 | (uint32_t)red[i] << 16 | 1u << 24;
  for (int l = 0;; l++) {
    eye->pyramid[l] = (eye_pyramid){width, height, room};
    if (l + 1 == EYE_PYRAMID)
      break;
    room += width * height;
    width = eye_max(width / 2, 1);
    height = eye_max(height / 2, 1);
    halve(room, &eye->pyramid[l], width, height);
  }
}

eye_quad eye_lay_down(const eye_quad *quad) {
  int32_t lengths[4];
  for (int i = 0; i < 4; i++)
    lengths[i] = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]).length;
  if (lengths[0] + lengths[2] >= lengths[1] + lengths[3])
    return *quad;
  return (eye_quad){{quad->p[1], quad->p[2], quad->p[3], quad->p[0]}};
}

/// The coarsest size of the picture that has a pixel for two thirds of a patch's pixel.
static int32_t choose_level(const eye_quad *quad) {
  int32_t across = eye_max(eye_side_make(quad->p[0], quad->p[1]).length,
                           eye_side_make(quad->p[3], quad->p[2]).length);
  int32_t down = eye_max(eye_side_make(quad->p[1], quad->p[2]).length,
                         eye_side_make(quad->p[0], quad->p[3]).length);
  int32_t step = eye_max(across / EYE_PATCH_OWN_WIDTH, down / EYE_PATCH_OWN_HEIGHT), level = 0;
  for (; step > 384 && level + 1 < EYE_PYRAMID; level++)
    step /= 2;
  return level;
}

void eye_take_patch(const vf_eye *eye, const eye_quad *quad, uint8_t *patch) {
  int32_t shift = choose_level(quad);
  const eye_pyramid *level = &eye->pyramid[shift];
  const eye_point *p = quad->p;
  int64_t along_x = (p[1].x - p[0].x + p[2].x - p[3].x) / 2,
          along_y = (p[1].y - p[0].y + p[2].y - p[3].y) / 2,
          down_x = (p[3].x - p[0].x + p[2].x - p[1].x) / 2,
          down_y = (p[3].y - p[0].y + p[2].y - p[1].y) / 2;
  float area = (float)eye_max64(along_x * down_y - along_y * down_x, 256);
  // A cell is four pixels of the network's picture; a third of a side becomes 128.
  float x = 384 * 4 * (float)eye->width / ((float)eye->small_width * area);
  float y = 384 * 4 * (float)eye->height / ((float)eye->small_height * area);
  eye_patch_source source = {
      .quad = *quad,
      .pixels = level->pixels,
      .width = level->width,
      .height = level->height,
      .shift = shift,
      .cells = eye->cells,
      .map_width = eye->map_width,
      .map_height = eye->map_height,
      .cells_x = (float)eye->small_width / (float)(4 * eye->width),
      .cells_y = (float)eye->small_height / (float)(4 * eye->height),
      .along_x = x * (float)down_y,
      .along_y = -y * (float)down_x,
      .down_x = -x * (float)along_y,
      .down_y = y * (float)along_x,
  };
  eye->kernels->take_patch(patch, &source);
}

void vf_eye_patches(const vf_eye *eye, int32_t *quads, int32_t count, uint8_t *patches) {
  for (int32_t i = 0; i < count; i++, quads += 8, patches += EYE_PATCH * EYE_PATCH_DEPTH) {
    eye_quad quad;
    memcpy(&quad, quads, sizeof quad);
    quad = eye_lay_down(&quad);
    memcpy(quads, &quad, sizeof quad);
    eye_take_patch(eye, &quad, patches);
  }
}
