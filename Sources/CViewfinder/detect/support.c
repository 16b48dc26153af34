#include "detect/workspace.h"

eye_support eye_look_along(const eye_level *level, const eye_side *side, int32_t samples,
                           int32_t from, int32_t to, int32_t cosine) {
  eye_support support = {.samples = samples};
  int32_t run = 0, found = 0;
  int64_t sum = 0, squares = 0;
  // A pixel to either side, in 1/256.
  int32_t nx = -side->dy / 64, ny = side->dx / 64, dx = side->dx, dy = side->dy;
  int32_t width = level->width, height = level->height;
  bool is_inside = eye_keeps_inside(level, side, from, to, 2 * EYE_PIXEL);
  eye_shares shares = eye_shares_make(to - from, samples);
  for (int32_t i = 0; i < samples; i++) {
    eye_point at = eye_between(side->a, side->b, from + eye_shares_next(&shares));
    bool is_found = false;
    for (int32_t k = 0; k < 3 && !is_found; k++) {
      int32_t step = k == 0 ? 0 : k == 1 ? 1 : -1;
      int32_t x = eye_round(at.x + step * nx), y = eye_round(at.y + step * ny);
      if (!is_inside && (x < 1 || y < 1 || x >= width - 1 || y >= height - 1))
        continue;
      int32_t j = y * width + x;
      eye_edge edge = level->edges[j];
      if (edge.x == EYE_NO_EDGE)
        continue;
      int32_t gx = level->gx[j], gy = level->gy[j];
      int64_t dot = (gy * dx - gx * dy) / EYE_UNIT, length = gx * gx + gy * gy;
      if (dot * dot * 65536 <= length * cosine * cosine)
        continue;
      is_found = true;
      eye_point off = {x * 256 + 2 * edge.x - at.x, y * 256 + 2 * edge.y - at.y};
      int64_t offset = ((int64_t)off.y * dx - (int64_t)off.x * dy) / EYE_UNIT;
      sum += offset;
      squares += offset * offset;
      found++;
    }
    run = is_found ? 0 : run + 1;
    support.gap = eye_max(support.gap, run);
  }
  support.hits = found;
  support.scatter = 384;
  if (found > 2) {
    int64_t variance = squares / found - sum * sum / ((int64_t)found * found);
    support.scatter = (int32_t)eye_root((uint64_t)eye_max64(variance, 0));
  }
  return support;
}

int32_t eye_quick_support(const eye_level *level, const eye_quad *quad) {
  int32_t sum = 0, least = 256, beyond = 0;
  for (int i = 0; i < 4; i++) {
    eye_side side = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    eye_support support = eye_look_along(level, &side, 20, EYE_U(70), EYE_U(930), 238);
    int32_t share = (support.hits * 10 - support.gap * 3) * 256 / 200;
    sum += share;
    least = eye_min(least, share);
    beyond += eye_share(eye_look_along(level, &side, 6, EYE_U(-200), EYE_U(-40), 238));
    beyond += eye_share(eye_look_along(level, &side, 6, EYE_U(1040), EYE_U(1200), 238));
  }
  int64_t area = eye_abs64(eye_area2(quad)) >> 17;
  int32_t share =
      eye_log2((uint64_t)area) - eye_log2((uint64_t)level->width * (uint64_t)level->height);
  // 0.15 of what goes on beyond the corners, and of the natural logarithm of the area's share.
  return sum + least - beyond * 3 / 20 + share * 104 / 1000;
}
