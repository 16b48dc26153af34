#include <errno.h>

#include "detect/detector.h"
#include "detect/perspective.h"
#include "failure.h"
#include "pixels/image.h"

enum { GRID = 32, LEVELS = 256 };

/// Luma and glare over a grid inside the corners.
static void look_inside(vf_advice *advice, const vf_image *image, const eye_parts *parts,
                        const eye_quad *quad) {
  int32_t histogram[LEVELS] = {0}, count = 0, glaring = 0;
  int64_t sum = 0, glare_x = 0, glare_y = 0, middle_x = 0, middle_y = 0;
  int32_t low = image->limited_range && !parts->is_rgb ? 16 : 0;
  int32_t range = low ? 219 : 255;
  for (int32_t y = 0; y < GRID; y++) {
    int32_t v = (2 * y + 1) * 65536 / (2 * GRID);
    eye_point left = eye_between(quad->p[0], quad->p[3], v);
    eye_point right = eye_between(quad->p[1], quad->p[2], v);
    for (int32_t x = 0; x < GRID; x++) {
      eye_point at = eye_between(left, right, (2 * x + 1) * 65536 / (2 * GRID));
      middle_x += at.x;
      middle_y += at.y;
      if (at.x < 0 || at.y < 0 || at.x > (int32_t)image->width * 256 - 256 ||
          at.y > (int32_t)image->height * 256 - 256)
        continue;
      eye_sample sample = eye_sample_at(image, parts, at);
      int32_t luma = eye_clamp((sample.values[0] - low * 16) * 255 / (range * 16), 0, 255);
      histogram[luma]++;
      sum += luma;
      count++;
      if (luma >= 250) {
        glaring++;
        glare_x += at.x;
        glare_y += at.y;
      }
    }
  }
  int64_t points = glaring ? glaring : GRID * GRID;
  eye_point center = {(int32_t)((glaring ? glare_x : middle_x) / points),
                      (int32_t)((glaring ? glare_y : middle_y) / points)};
  advice->glare_center = eye_point_out(center);
  if (count == 0)
    return;
  advice->luminance = (double)sum / (255.0 * count);
  advice->glare = glaring / (double)count;
  int32_t dark = 0, bright = LEVELS - 1, seen = 0;
  while (dark < LEVELS - 1 && (seen += histogram[dark]) * 20 < count)
    dark++;
  seen = 0;
  while (bright > dark && (seen += histogram[bright]) * 20 < count)
    bright--;
  advice->contrast = (bright - dark) / 255.0;
}

int vf_advise(vf_advice *advice, const vf_image *image, const vf_point corners[4],
              vf_failure *failure) {
  int code = vf_image_check(image, "advice", failure);
  if (code)
    return code;
  eye_quad quad;
  double shorter = image->width < image->height ? image->width : image->height;
  double width = image->width, height = image->height, margin = width + height;
  for (int i = 0; i < 4; i++) {
    double x = corners[i].x, y = corners[i].y;
    // Also what isn't a number.
    if (!(x > -width && x < 2 * width && y > -height && y < 2 * height))
      return vf_fail(failure, EINVAL, "advice", "corner %d at (%g, %g)", i, x, y);
    quad.p[i] = eye_point_in(corners[i]);
    double across = x < width - x ? x : width - x, down = y < height - y ? y : height - y;
    margin = across < margin ? across : margin;
    margin = down < margin ? down : margin;
  }
  double area = 0;
  for (int i = 0; i < 4; i++) {
    const vf_point *a = &corners[i], *b = &corners[(i + 1) & 3];
    area += (a->x * b->y - b->x * a->y) / 2;
  }
  if (!(area >= 16))
    return vf_fail(failure, EINVAL, "advice", "corners that aren't clockwise, or too small");
  *advice = (vf_advice){.fill = area / (width * height),
                        .margin = margin / shorter,
                        .slant = eye_straighten(corners, image->width, image->height).slant};
  eye_parts parts = eye_lay_out(image);
  look_inside(advice, image, &parts, &quad);
  int32_t longest = (int32_t)(image->width > image->height ? image->width : image->height);
  int32_t scale = eye_max(256, longest / 2);
  eye_quad moved = quad;
  eye_refinement refinement = eye_refine(image, &parts, &moved, 2 * 256, 2 * scale);
  advice->edge_width = refinement.width / 256.0;
  return 0;
}
