#include <string.h>

#include "detect/workspace.h"

// What the second network sees of a quadrilateral: the picture in it and around it, straightened
// and laid on its longer side, with its own light taken out; and what the first network's maps say
// there.

enum {
  /// The quadrilateral's own part of the patch.
  OWN_WIDTH = EYE_PATCH_WIDTH - 2 * EYE_PATCH_MARGIN_X,
  OWN_HEIGHT = EYE_PATCH_HEIGHT - 2 * EYE_PATCH_MARGIN_Y,
  /// A deviation of the light, in levels, that fills a patch's range well.
  SPREAD = 48,
};

static void halve(uint8_t *result, const uint8_t *plane, int32_t width, int32_t height) {
  int32_t half_width = eye_max(width / 2, 1), half_height = eye_max(height / 2, 1);
  int32_t right = width > 1, down = height > 1 ? width : 0;
  for (int32_t y = 0; y < half_height; y++) {
    const uint8_t *a = plane + 2 * y * width, *b = a + down;
    for (int32_t x = 0; x < half_width; x++)
      *result++ = (uint8_t)((a[2 * x] + a[2 * x + right] + b[2 * x] + b[2 * x + right] + 2) >> 2);
  }
}

void eye_make_pyramid(vf_eye *eye) {
  for (int c = 0; c < 3; c++)
    eye->pyramid[0].planes[c] = eye->planes[c];
  eye->pyramid[0].width = eye->width;
  eye->pyramid[0].height = eye->height;
  uint8_t *room = eye->pyramid_bytes;
  for (int l = 1; l < EYE_PYRAMID; l++) {
    const eye_pyramid *finer = &eye->pyramid[l - 1];
    eye_pyramid *level = &eye->pyramid[l];
    level->width = eye_max(finer->width / 2, 1);
    level->height = eye_max(finer->height / 2, 1);
    for (int c = 0; c < 3; c++, room += level->width * level->height) {
      level->planes[c] = room;
      halve(room, finer->planes[c], finer->width, finer->height);
    }
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
  int32_t step = eye_max(across / OWN_WIDTH, down / OWN_HEIGHT), level = 0;
  for (; step > 384 && level + 1 < EYE_PYRAMID; level++)
    step /= 2;
  return level;
}

/// The way to the nearest side, along and down, as shares of the quadrilateral's sides.
typedef struct frame {
  int64_t along_x, along_y, down_x, down_y, area;
} frame;

static frame frame_of(const eye_quad *quad) {
  const eye_point *p = quad->p;
  frame frame = {(p[1].x - p[0].x + p[2].x - p[3].x) / 2, (p[1].y - p[0].y + p[2].y - p[3].y) / 2,
                 (p[3].x - p[0].x + p[2].x - p[1].x) / 2, (p[3].y - p[0].y + p[2].y - p[1].y) / 2,
                 0};
  frame.area = eye_max64(frame.along_x * frame.down_y - frame.along_y * frame.down_x, 256);
  return frame;
}

static int32_t between(const uint8_t *a, const uint8_t *b, int32_t right, int32_t u, int32_t t) {
  return ((a[0] * (256 - u) + a[right] * u) * (256 - t) + (b[0] * (256 - u) + b[right] * u) * t +
          32768) >>
         16;
}

static int32_t between_vectors(const int16_t *a, const int16_t *b, int32_t right, int32_t u,
                               int32_t t) {
  return ((a[0] * (256 - u) + a[right] * u) * (256 - t) + (b[0] * (256 - u) + b[right] * u) * t) /
         65536;
}

/// Mask, border, corner, and the way to the nearest side: what the maps say at a point of the
/// picture.
static void sample_maps(const vf_eye *eye, const frame *frame, eye_point at, uint8_t *result) {
  // Both count from the pictures' corners.
  int32_t x = ((at.x + 128) * eye->small_width / eye->width - 512) / 4;
  int32_t y = ((at.y + 128) * eye->small_height / eye->height - 512) / 4;
  x = eye_clamp(x, 0, (eye->map_width - 1) * 256);
  y = eye_clamp(y, 0, (eye->map_height - 1) * 256);
  int32_t first = (y >> 8) * eye->map_width + (x >> 8), u = x & 255, t = y & 255;
  int32_t right = (x >> 8) + 1 < eye->map_width,
          down = (y >> 8) + 1 < eye->map_height ? eye->map_width : 0;
  for (int c = 0; c < 3; c++) {
    const uint8_t *a = eye->chances[c] + first;
    result[c] = (uint8_t)between(a, a + down, right, u, t);
  }
  // Cells to working pixels.
  int64_t way_x = between_vectors(eye->maps[3] + first, eye->maps[3] + first + down, right, u, t);
  int64_t way_y = between_vectors(eye->maps[4] + first, eye->maps[4] + first + down, right, u, t);
  way_x = way_x * 4 * eye->width / eye->small_width;
  way_y = way_y * 4 * eye->height / eye->small_height;
  int64_t along = (way_x * frame->down_y - way_y * frame->down_x) * 384 / frame->area;
  int64_t down_by = (way_y * frame->along_x - way_x * frame->along_y) * 384 / frame->area;
  result[3] = (uint8_t)(128 + eye_max64(eye_min64(along, 127), -127));
  result[4] = (uint8_t)(128 + eye_max64(eye_min64(down_by, 127), -127));
}

/// Numbers in turns; says of each pixel whether it lies in the picture.
static void sample(const vf_eye *eye, const eye_quad *quad, uint8_t *patch, bool *inside) {
  int32_t shift = choose_level(quad);
  const eye_pyramid *level = &eye->pyramid[shift];
  frame frame = frame_of(quad);
  int32_t last_x = (level->width - 1) * 256, last_y = (level->height - 1) * 256;
  for (int32_t j = 0; j < EYE_PATCH_HEIGHT; j++) {
    int32_t v = (2 * (j - EYE_PATCH_MARGIN_Y) + 1) * 65536 / (2 * OWN_HEIGHT);
    eye_point left = eye_between(quad->p[0], quad->p[3], v);
    eye_point right = eye_between(quad->p[1], quad->p[2], v);
    for (int32_t i = 0; i < EYE_PATCH_WIDTH; i++, patch += EYE_PATCH_DEPTH, inside++) {
      eye_point at =
          eye_between(left, right, (2 * (i - EYE_PATCH_MARGIN_X) + 1) * 65536 / (2 * OWN_WIDTH));
      int32_t x = ((at.x + 128) >> shift) - 128, y = ((at.y + 128) >> shift) - 128;
      *inside = x > -128 && y > -128 && x < last_x + 128 && y < last_y + 128;
      if (!*inside)
        continue;
      x = eye_clamp(x, 0, last_x);
      y = eye_clamp(y, 0, last_y);
      int32_t right_by = x < last_x, below = y < last_y ? level->width : 0;
      int32_t first = (y >> 8) * level->width + (x >> 8), u = x & 255, t = y & 255;
      for (int c = 0; c < 3; c++) {
        const uint8_t *a = level->planes[2 - c] + first, *b = a + below;
        patch[c] = (uint8_t)between(a, b, right_by, u, t);
      }
      sample_maps(eye, &frame, at, patch + 3);
    }
  }
}

/// Takes the mean of each colour out, and brings the light's deviation to `SPREAD`, within limits.
/// What lies outside of the picture becomes the mean.
static void even_out(uint8_t *patch, const bool *inside) {
  int32_t sums[3] = {0}, count = 0;
  for (int32_t i = 0; i < EYE_PATCH; i++) {
    for (int c = 0; c < 3 && inside[i]; c++)
      sums[c] += patch[EYE_PATCH_DEPTH * i + c];
    count += inside[i];
  }
  int32_t means[3];
  for (int c = 0; c < 3; c++)
    means[c] = count ? sums[c] / count : 0;
  int64_t squares = 0;
  for (int32_t i = 0; i < EYE_PATCH; i++) {
    for (int c = 0; c < 3 && inside[i]; c++) {
      int32_t off = patch[EYE_PATCH_DEPTH * i + c] - means[c];
      squares += off * off;
    }
  }
  // In 1/16 level.
  int32_t spread = (int32_t)eye_root((uint64_t)(squares * 256 / (3 * eye_max(count, 1))));
  int32_t gain = eye_clamp(SPREAD * 16 * 256 / eye_max(spread, 1), 192, 1280);
  for (int32_t i = 0; i < EYE_PATCH; i++) {
    for (int c = 0; c < 3; c++) {
      int32_t value = 128 + (patch[EYE_PATCH_DEPTH * i + c] - means[c]) * gain / 256;
      patch[EYE_PATCH_DEPTH * i + c] = (uint8_t)(inside[i] ? eye_clamp(value, 0, 255) : 128);
    }
  }
}

void eye_take_patch(const vf_eye *eye, const eye_quad *quad, uint8_t *patch) {
  bool inside[EYE_PATCH];
  memset(patch, 128, EYE_PATCH * EYE_PATCH_DEPTH);
  sample(eye, quad, patch, inside);
  even_out(patch, inside);
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
