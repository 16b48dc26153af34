#include "detect/workspace.h"

enum { MOST_POINTS = 64 };

/// 1 / (1 + r²)² × 256, for r in steps of 1/8.
static const uint8_t weights[] = {255, 248, 227, 197, 164, 132, 105, 82, 64, 50, 39,
                                  31,  24,  19,  16,  13,  10,  8,   7,  6,  5,  4,
                                  3,   3,   3,   2,   2,   2,   1,   1,  1,  1};

enum { WIDE = 384, NARROW = 179, MOST_STEPS = 8 };

static int32_t weight_of(int32_t residual, bool is_wide) {
  uint32_t eighths = (uint32_t)eye_abs(residual) * 8;
  // Divisions by numbers that the compiler knows are quick.
  uint32_t step = is_wide ? eighths / WIDE : eighths / NARROW;
  return step < sizeof weights ? weights[step] : 0;
}

/// How much an edge pixel counts for a sample at `at`, and its place. 0 when it doesn't.
static inline int64_t judge(const eye_level *level, const eye_side *side, eye_point at, int32_t x,
                            int32_t y, int32_t reach, int32_t cosine, eye_point *point) {
  int32_t j = y * level->width + x, gx = level->gx[j], gy = level->gy[j];
  int64_t dot = (gy * side->dx - gx * side->dy) / EYE_UNIT, length = gx * gx + gy * gy;
  if (dot * dot * 65536 < length * cosine * cosine)
    return 0;
  eye_edge edge = level->edges[j];
  *point = (eye_point){x * 256 + 2 * edge.x, y * 256 + 2 * edge.y};
  eye_point off = eye_minus(*point, at);
  int32_t away =
      eye_abs((int32_t)(((int64_t)off.y * side->dx - (int64_t)off.x * side->dy) / EYE_UNIT));
  if (away > reach)
    return 0;
  // The square of √gradient × cosine × what is left of the distance.
  int64_t nearness = 256 - 128 * away / reach;
  return dot * dot / level->magnitude[j] * nearness * nearness;
}

/// The edges beside a side, one for each of up to 64 samples along it: the strongest and nearest.
static int32_t collect(const eye_level *level, const eye_side *side, int32_t samples, int32_t reach,
                       int32_t cosine, eye_point *points) {
  int32_t count = 0, steps = eye_min((reach + 255) / 256, MOST_STEPS), width = level->width;
  uint32_t columns = (uint32_t)(width - 2), rows = (uint32_t)(level->height - 2);
  eye_point away_from[2 * MOST_STEPS + 1];
  // Half a pixel more, so that shifting rounds.
  for (int32_t step = -steps; step <= steps; step++)
    away_from[step + steps] =
        (eye_point){-(step * side->dy / 64) + 128, step * side->dx / 64 + 128};
  bool is_inside = eye_keeps_inside(level, side, EYE_U(60), EYE_U(940), (steps + 1) * 256);
  eye_shares shares = eye_shares_make(EYE_U(880), samples);
  for (int32_t i = 0; i < samples; i++) {
    eye_point at = eye_between(side->a, side->b, EYE_U(60) + eye_shares_next(&shares));
    // First which steps meet an edge at all, without branches. Pixel 0 has none.
    uint32_t seen = 0;
    for (int32_t step = 0; step <= 2 * steps; step++) {
      int32_t x = (at.x + away_from[step].x) >> 8, y = (at.y + away_from[step].y) >> 8;
      int32_t j = y * width + x;
      if (!is_inside)
        j = ((uint32_t)(x - 1) < columns && (uint32_t)(y - 1) < rows) ? j : 0;
      seen |= (uint32_t)(level->edges[j].x != EYE_NO_EDGE) << step;
    }
    int64_t best = 0;
    for (; seen; seen &= seen - 1) {
      eye_point away = away_from[__builtin_ctz(seen)], point;
      int64_t score =
          judge(level, side, at, (at.x + away.x) >> 8, (at.y + away.y) >> 8, reach, cosine, &point);
      if (score > best) {
        best = score;
        points[count] = point;
      }
    }
    count += best > 0;
  }
  return count;
}

/// The line that most of the points lie on. False when too few do, or it turned too far.
static bool fit_robustly(const eye_side *side, const eye_point *points, int32_t count,
                         int32_t samples, eye_point *middle, int32_t *dx, int32_t *dy) {
  int32_t offsets[MOST_POINTS];
  for (int32_t i = 0; i < count; i++)
    offsets[i] = eye_across(side, points[i]);
  int64_t median = eye_median(offsets, count);
  // Around the side's middle, so that sums stay small.
  eye_point origin = eye_between(side->a, side->b, 32768);
  *dx = side->dx;
  *dy = side->dy;
  *middle = (eye_point){(int32_t)(-median * side->dy / EYE_UNIT),
                        (int32_t)(median * side->dx / EYE_UNIT)};
  bool is_good = false;
  for (int round = 0; round < 5; round++) {
    bool is_wide = round < 2;
    int32_t spread = is_wide ? WIDE : NARROW, inside = 0;
    eye_fit fit = {0};
    for (int32_t i = 0; i < count; i++) {
      eye_point at = eye_minus(points[i], origin), d = eye_minus(at, *middle);
      int32_t off = (int32_t)(((int64_t)d.y * *dx - (int64_t)d.x * *dy) / EYE_UNIT);
      inside += eye_abs(off) * 2 < spread * 3;
      int32_t weight = weight_of(off, is_wide);
      if (weight)
        eye_fit_add(&fit, at, weight);
    }
    if (fit.weight < 512)
      break;
    eye_point old_middle = *middle;
    int32_t old_dx = *dx, old_dy = *dy;
    eye_fit_line(&fit, middle, dx, dy);
    if ((int64_t)*dx * side->dx + (int64_t)*dy * side->dy < 0) {
      *dx = -*dx;
      *dy = -*dy;
    }
    is_good = inside * 4 >= samples;
    // What didn't move with the narrow weights never will.
    if (!is_wide && middle->x == old_middle.x && middle->y == old_middle.y && *dx == old_dx &&
        *dy == old_dy)
      break;
  }
  middle->x += origin.x;
  middle->y += origin.y;
  return is_good && ((int64_t)*dx * side->dx + (int64_t)*dy * side->dy) / EYE_UNIT >= 16302;
}

int32_t eye_snap(const eye_level *level, eye_quad *quad, int32_t reach, int32_t cosine) {
  eye_point from[4], to[4];
  int32_t moved = 0;
  for (int i = 0; i < 4; i++) {
    eye_side side = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    from[i] = side.a;
    to[i] = side.b;
    int32_t samples = eye_clamp(side.length / 512, 16, MOST_POINTS);
    eye_point points[MOST_POINTS], middle;
    int32_t count = collect(level, &side, samples, reach, cosine, points), dx, dy;
    if (count * 10 < 3 * samples || count < 6 ||
        !fit_robustly(&side, points, count, samples, &middle, &dx, &dy))
      continue;
    int32_t half = eye_max(side.length / 2, 2560);
    eye_point reach_out = {(int32_t)((int64_t)dx * half / EYE_UNIT),
                           (int32_t)((int64_t)dy * half / EYE_UNIT)};
    from[i] = eye_minus(middle, reach_out);
    to[i] = (eye_point){middle.x + reach_out.x, middle.y + reach_out.y};
    moved++;
  }
  eye_quad snapped;
  for (int i = 0; i < 4; i++) {
    int before = (i + 3) & 3;
    if (!eye_meet(from[before], to[before], from[i], to[i], &snapped.p[i]))
      return 0;
    eye_point d = eye_minus(snapped.p[i], quad->p[i]);
    int64_t most = 4 * (int64_t)reach + 768;
    if (eye_dot(d, d) > most * most)
      return 0;
  }
  *quad = snapped;
  return moved;
}
