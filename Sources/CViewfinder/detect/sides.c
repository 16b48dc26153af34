#include "detect/workspace.h"

// What is told of a quadrilateral by its edges and its shape. How strongly it stands out from its
// ground is left out on purpose.

enum { SAMPLES = 24, NEAR = 243, ALIGNED = 238 };

void eye_put_four(int16_t *features, int32_t a, int32_t b, int32_t c, int32_t d) {
  int32_t values[4] = {a, b, c, d};
  eye_sort(values, 4);
  features[0] = eye_int16(values[0]);
  features[1] = eye_int16(values[1]);
  features[2] = eye_int16((values[0] + values[1] + values[2] + values[3]) >> 2);
  features[3] = eye_int16(values[3]);
}

/// The colours' spread along a band `away` (1/256 pixel) to the inside of a side, in 1/8 level.
static int32_t band_texture(const eye_level *level, const eye_side *side, int32_t away) {
  int64_t sums[3] = {0}, squares = 0;
  int32_t nx = -(int32_t)((int64_t)side->dy * away / EYE_UNIT);
  int32_t ny = (int32_t)((int64_t)side->dx * away / EYE_UNIT);
  for (int32_t i = 0; i < SAMPLES; i++) {
    eye_point at =
        eye_between(side->a, side->b, EYE_U(80) + EYE_U(840) * (2 * i + 1) / (2 * SAMPLES));
    int32_t x = eye_clamp(eye_round(at.x + nx), 0, level->width - 1);
    int32_t y = eye_clamp(eye_round(at.y + ny), 0, level->height - 1);
    for (int c = 0; c < 3; c++) {
      int64_t value = level->channels[c][y * level->width + x] / 8;
      sums[c] += value;
      squares += value * value;
    }
  }
  int64_t means = sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2];
  return (int32_t)eye_root((uint64_t)eye_max64(squares - means / SAMPLES, 0) / SAMPLES);
}

/// The largest share of a side that a line beside it covers, outside and inside.
static void parallel_cover(const vf_eye *eye, const eye_side *side, int32_t size, int32_t *outside,
                           int32_t *inside) {
  *outside = *inside = 0;
  uint64_t alike[EYE_LINES / 64];
  eye_mask_alike(eye, alike, eye->directions, side, 16138, eye->line_count);
  for (int32_t word = 0; word * 64 < eye->line_count; word++) {
    for (uint64_t bits = alike[word]; bits; bits &= bits - 1) {
      const eye_line *found = &eye->lines[word * 64 + __builtin_ctzll(bits)];
      const eye_side *line = &found->side;
      eye_point middle = {(line->a.x + line->b.x) / 2, (line->a.y + line->b.y) / 2};
      int32_t away = eye_across(side, middle);
      if (eye_abs(away) < 768 || eye_abs(away) > size * 28 / 100)
        continue;
      int32_t t1 = eye_along(side, line->a), t2 = eye_along(side, line->b);
      int32_t low = eye_max(eye_min(t1, t2), 0), high = eye_min(eye_max(t1, t2), side->length);
      if (high <= low)
        continue;
      int32_t cover =
          (int32_t)((int64_t)(high - low) * 256 / side->length * found->hits / line->length);
      int32_t *most = away < 0 ? outside : inside;
      *most = eye_max(*most, cover);
    }
  }
}

typedef struct side_values {
  int32_t values[EYE_SIDE_FEATURES];
} side_values;

enum {
  SUPPORT,
  GAP,
  SCATTER,
  TEXTURE_IN,
  TEXTURE_OUT,
  BEYOND_MOST,
  BEYOND_LEAST,
  BESIDE_OUT,
  BESIDE_IN,
  LENGTH,
  HALF
};

static side_values look_at_side(const vf_eye *eye, const eye_side *side, int32_t size) {
  const eye_level *level = &eye->levels[0];
  side_values result;
  int32_t *values = result.values;
  eye_support support = eye_look_along(level, side, SAMPLES, EYE_U(80), EYE_U(920), NEAR);
  values[SUPPORT] = eye_share(support);
  values[GAP] = support.gap * 256 / SAMPLES;
  values[SCATTER] = support.scatter;
  values[TEXTURE_IN] = band_texture(level, side, 768);
  values[TEXTURE_OUT] = band_texture(level, side, -768);
  int32_t a = eye_share(eye_look_along(level, side, 8, EYE_U(-250), EYE_U(-30), NEAR));
  int32_t b = eye_share(eye_look_along(level, side, 8, EYE_U(1030), EYE_U(1250), NEAR));
  values[BEYOND_MOST] = eye_max(a, b);
  values[BEYOND_LEAST] = eye_min(a, b);
  parallel_cover(eye, side, size, &values[BESIDE_OUT], &values[BESIDE_IN]);
  values[LENGTH] = (int32_t)((int64_t)side->length * 256 / eye_max(size, 1));
  eye_point from = {(side->a.x - 128) / 2, (side->a.y - 128) / 2};
  eye_point to = {(side->b.x - 128) / 2, (side->b.y - 128) / 2};
  eye_side half = eye_side_make(from, to);
  values[HALF] =
      eye_share(eye_look_along(&eye->levels[1], &half, SAMPLES, EYE_U(80), EYE_U(920), ALIGNED));
  return result;
}

/// Colours' spread (1/8 level) and mean gradient (1/128) of points inside, and in a ring around.
typedef struct area_values {
  int64_t luma_sums[3], squares, gradients;
  int32_t count;
} area_values;

static void add_point(const eye_level *level, eye_point at, area_values *values) {
  int32_t x = eye_round(at.x), y = eye_round(at.y);
  if (x < 0 || y < 0 || x >= level->width || y >= level->height)
    return;
  int32_t i = y * level->width + x;
  for (int c = 0; c < 3; c++) {
    int64_t value = level->channels[c][i] / 8;
    values->luma_sums[c] += value;
    values->squares += value * value;
  }
  values->gradients += level->magnitude[i];
  values->count++;
}

static int32_t spread(const area_values *values) {
  int64_t n = eye_max(values->count, 1), means = 0;
  for (int c = 0; c < 3; c++)
    means += values->luma_sums[c] * values->luma_sums[c] / n;
  return (int32_t)eye_root((uint64_t)(eye_max64(values->squares - means, 0) / n));
}

static void look_at_areas(const vf_eye *eye, const eye_quad *quad, const eye_side *sides,
                          int32_t size, int16_t *features) {
  enum { GRID = 12, ALONG = 14 };
  const eye_level *level = &eye->levels[0];
  area_values inside = {.count = 0}, ring = {.count = 0};
  for (int32_t y = 0; y < GRID; y++) {
    int32_t v = (2 * y + 1) * 65536 / (2 * GRID);
    eye_point left = eye_between(quad->p[0], quad->p[3], v);
    eye_point right = eye_between(quad->p[1], quad->p[2], v);
    for (int32_t x = 0; x < GRID; x++)
      add_point(level, eye_between(left, right, (2 * x + 1) * 65536 / (2 * GRID)), &inside);
  }
  for (int i = 0; i < 4; i++) {
    for (int32_t r = 0; r < 3; r++) {
      int64_t away = (int64_t)size * (4 + 6 * r) / 100 + 384;
      for (int32_t k = 0; k < ALONG; k++) {
        eye_point at = eye_between(sides[i].a, sides[i].b,
                                   EYE_U(-50) + EYE_U(1100) * (2 * k + 1) / (2 * ALONG));
        at.x += (int32_t)(away * sides[i].dy / EYE_UNIT);
        at.y -= (int32_t)(away * sides[i].dx / EYE_UNIT);
        add_point(level, at, &ring);
      }
    }
  }
  features[0] = eye_int16(ring.count * 256 / (4 * 3 * ALONG));
  features[1] = eye_int16(spread(&inside));
  features[2] = eye_int16(spread(&ring));
  features[3] = eye_int16(inside.gradients / eye_max(inside.count, 1));
  features[4] = eye_int16(ring.gradients / eye_max(ring.count, 1));
}

/// The line that crosses both neighbours of a side: how well it covers the way between them, and
/// how deep inside it lies.
static void find_crossing(const vf_eye *eye, const eye_quad *quad, int weakest, int32_t *cover,
                          int32_t *depth) {
  eye_side left = eye_side_make(quad->p[weakest], quad->p[(weakest + 3) & 3]);
  eye_side right = eye_side_make(quad->p[(weakest + 1) & 3], quad->p[(weakest + 2) & 3]);
  *cover = *depth = 0;
  for (int32_t i = 0; i < eye->line_count; i++) {
    const eye_side *line = &eye->lines[i].side;
    eye_point a, b;
    if (!eye_meet(line->a, line->b, left.a, left.b, &a))
      continue;
    int32_t ta = (int32_t)((int64_t)eye_along(&left, a) * 256 / left.length);
    if (ta < -13 || ta > 192 || !eye_meet(line->a, line->b, right.a, right.b, &b))
      continue;
    int32_t tb = (int32_t)((int64_t)eye_along(&right, b) * 256 / right.length);
    if (tb < -13 || tb > 192 || ta + tb < 26)
      continue;
    int32_t s1 = eye_along(line, a), s2 = eye_along(line, b);
    int32_t from = eye_min(s1, s2), to = eye_max(s1, s2);
    int32_t low = eye_max(from, 0), high = eye_min(to, line->length);
    if (high <= low || to - from < 768)
      continue;
    int32_t covered =
        (int32_t)((int64_t)(high - low) * 256 / (to - from) * eye->lines[i].hits / line->length);
    if (covered > *cover) {
      *cover = covered;
      *depth = (ta + tb) / 2;
    }
  }
}

static int32_t ratio_of(int32_t a, int32_t b) {
  return (int32_t)((int64_t)eye_max(a, b) * 256 / eye_max(eye_min(a, b), 1));
}

void eye_side_features(const vf_eye *eye, const eye_quad *quad, int16_t *features) {
  const eye_level *level = &eye->levels[0];
  int32_t size = eye_size(quad), width = level->width * 256, height = level->height * 256;
  eye_side sides[4];
  side_values values[4];
  for (int i = 0; i < 4; i++) {
    sides[i] = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    values[i] = look_at_side(eye, &sides[i], size);
  }
  for (int k = 0; k < EYE_SIDE_FEATURES; k++, features += 4)
    eye_put_four(features, values[0].values[k], values[1].values[k], values[2].values[k],
                 values[3].values[k]);

  int64_t pixels = (int64_t)level->width * level->height;
  *features++ = eye_int16((int64_t)size * 16 / eye_root((uint64_t)pixels));
  int32_t a = sides[0].length, b = sides[1].length, c = sides[2].length, d = sides[3].length;
  *features++ = eye_int16(ratio_of(a + c, b + d));
  int32_t opposite[2] = {ratio_of(a, c), ratio_of(b, d)};
  *features++ = eye_int16(eye_min(opposite[0], opposite[1]));
  *features++ = eye_int16(eye_max(opposite[0], opposite[1]));
  int32_t cosine = 0, border = INT32_MAX, outside = 0;
  for (int i = 0; i < 4; i++) {
    const eye_side *s = &sides[i], *t = &sides[(i + 1) & 3];
    cosine = eye_max(cosine,
                     eye_abs((int32_t)(((int64_t)s->dx * t->dx + (int64_t)s->dy * t->dy) >> 14)));
    int32_t x = quad->p[i].x, y = quad->p[i].y;
    int32_t away = eye_min(eye_min(x, y), eye_min(width - 256 - x, height - 256 - y));
    border = eye_min(border, away);
    outside += away < 0;
  }
  *features++ = eye_int16(cosine / 64);
  *features++ = eye_int16(eye_clamp((int32_t)((int64_t)border * 256 / eye_max(size, 1)), -51, 128));
  *features++ = eye_int16(outside);
  look_at_areas(eye, quad, sides, size, features);
  features += 5;

  int32_t corners[4];
  for (int i = 0; i < 4; i++) {
    int32_t after = eye_share(eye_look_along(level, &sides[i], 6, EYE_U(40), EYE_U(200), ALIGNED));
    int32_t before =
        eye_share(eye_look_along(level, &sides[(i + 3) & 3], 6, EYE_U(800), EYE_U(960), ALIGNED));
    corners[i] = eye_min(after, before);
  }
  eye_sort(corners, 4);
  for (int i = 0; i < 4; i++)
    *features++ = eye_int16(corners[i]);
  *features++ = eye_int16(eye->mean_gradients[0]);
  *features++ = eye_int16(eye->line_count);

  int weakest = 0;
  for (int i = 1; i < 4; i++) {
    if (values[i].values[SUPPORT] * 10 - values[i].values[GAP] * 3 <
        values[weakest].values[SUPPORT] * 10 - values[weakest].values[GAP] * 3)
      weakest = i;
  }
  eye_side right = sides[(weakest + 1) & 3];
  eye_side left = eye_side_make(quad->p[weakest], quad->p[(weakest + 3) & 3]);
  int32_t near[2], far[2], cover, depth;
  const eye_side *neighbours[2] = {&left, &right};
  for (int i = 0; i < 2; i++) {
    near[i] = eye_share(eye_look_along(level, neighbours[i], 12, EYE_U(50), EYE_U(500), NEAR));
    far[i] = eye_share(eye_look_along(level, neighbours[i], 12, EYE_U(500), EYE_U(950), NEAR));
  }
  find_crossing(eye, quad, weakest, &cover, &depth);
  *features++ = eye_int16(values[weakest].values[LENGTH]);
  *features++ = eye_int16(eye_min(near[0], near[1]));
  *features++ = eye_int16(eye_max(near[0], near[1]));
  *features++ = eye_int16(eye_min(far[0], far[1]));
  *features++ = eye_int16(eye_max(far[0], far[1]));
  *features++ = eye_int16(cover);
  *features++ = eye_int16(depth);
  *features++ = eye_int16(values[weakest].values[HALF]);
  *features = eye_int16(values[(weakest + 2) & 3].values[SUPPORT]);
}
