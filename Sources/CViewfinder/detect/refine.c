#include "detect/samples.h"

// Corners at full size: across each side, profiles of the picture are taken, and the side moves to
// where most of them step the same way in colour.

enum { MOST_STEPS = 24, MOST_PLACES = 2 * MOST_STEPS + 3 };

typedef struct profiles {
  eye_sample samples[EYE_PROFILES][MOST_PLACES];
} profiles;

static const uint8_t weights[] = {255, 248, 227, 197, 164, 132, 105, 82, 64, 50, 39, 31,
                                  24,  19,  16,  13,  10,  8,   7,   6,  5,  4,  3,  3};

/// The point along a side where profile `i` crosses it; 1/65536.
static int32_t place(int32_t i) {
  return EYE_U(70) + (int32_t)((int64_t)EYE_U(860) * (2 * i + 1) / (2 * EYE_PROFILES));
}

static void take_profiles(const vf_image *image, const eye_parts *parts, const eye_side *side,
                          int32_t step, int32_t steps, profiles *profiles) {
  // Three samples beside each other smooth a profile along the side, but never by more than a step.
  int32_t tap = eye_min(side->length * 86 / 100 / EYE_PROFILES / 3, step);
  for (int32_t i = 0; i < EYE_PROFILES; i++) {
    eye_point middle = eye_between(side->a, side->b, place(i));
    for (int32_t j = 0; j < 2 * steps + 3; j++) {
      int64_t away = (int64_t)(j - steps - 1) * step;
      eye_sample sum = {{0}};
      for (int32_t k = -1; k <= 1; k++) {
        int64_t along = (int64_t)k * tap;
        eye_point at = {middle.x + (int32_t)((along * side->dx - away * side->dy) / EYE_UNIT),
                        middle.y + (int32_t)((along * side->dy + away * side->dx) / EYE_UNIT)};
        eye_sample sample = eye_sample_at(image, parts, at);
        for (int c = 0; c < 3; c++)
          sum.values[c] += sample.values[c];
      }
      for (int c = 0; c < 3; c++)
        profiles->samples[i][j].values[c] = sum.values[c] / 3;
    }
  }
}

/// The direction in colour, 1/16384, in which most profiles step near the side. False when they
/// don't.
static bool find_direction(const profiles *profiles, int32_t steps, int64_t *direction) {
  for (int c = 0; c < 3; c++)
    direction[c] = 0;
  for (int32_t j = 1; j < 2 * steps + 2; j++) {
    int32_t nearness = 256 - 256 * eye_abs(j - steps - 1) / (steps + 1);
    for (int32_t i = 0; i < EYE_PROFILES; i++) {
      const eye_sample *at = &profiles->samples[i][j];
      for (int c = 0; c < 3; c++)
        direction[c] += nearness * (at[1].values[c] - at[-1].values[c]);
    }
  }
  int64_t length = 0;
  for (int c = 0; c < 3; c++)
    length += direction[c] * direction[c];
  length = eye_root((uint64_t)length);
  if (length < 256)
    return false;
  for (int c = 0; c < 3; c++)
    direction[c] = direction[c] * EYE_UNIT / length;
  return true;
}

/// Where each profile steps most, in 1/256 of a step from the side; `seen` says which do.
typedef struct steps_found {
  int32_t offsets[EYE_PROFILES], count;
  bool seen[EYE_PROFILES];
  /// Sums over the profiles: the step, and how steep it is at its steepest.
  int64_t heights, slopes;
} steps_found;

static void find_steps(const profiles *profiles, int32_t steps, const int64_t *direction,
                       steps_found *found) {
  *found = (steps_found){.count = 0};
  for (int32_t i = 0; i < EYE_PROFILES; i++) {
    int32_t slopes[MOST_PLACES], best = -1, last = 2 * steps + 2;
    int64_t best_score = 0;
    for (int32_t j = 1; j < last; j++) {
      const eye_sample *at = &profiles->samples[i][j];
      int64_t slope = 0;
      for (int c = 0; c < 3; c++)
        slope += direction[c] * (at[1].values[c] - at[-1].values[c]);
      slopes[j] = (int32_t)(slope / EYE_UNIT);
    }
    for (int32_t j = 2; j < last - 1; j++) {
      int64_t score = (int64_t)slopes[j] * (10 * steps - 4 * eye_abs(j - steps - 1));
      if (slopes[j] >= slopes[j - 1] && slopes[j] >= slopes[j + 1] && score > best_score) {
        best_score = score;
        best = j;
      }
    }
    if (best < 0 || slopes[best] < 24)
      continue;
    int32_t bend = slopes[best - 1] + slopes[best + 1] - 2 * slopes[best];
    int32_t part =
        bend < 0 ? eye_clamp(128 * (slopes[best - 1] - slopes[best + 1]) / bend, -128, 128) : 0;
    found->offsets[i] = (best - steps - 1) * 256 + part;
    found->seen[i] = true;
    found->count++;
    // How far the slope goes on to both sides is how wide the edge is.
    found->slopes += slopes[best];
    found->heights += slopes[best];
    for (int32_t way = -1; way <= 1; way += 2) {
      for (int32_t j = best + way;
           j > 0 && j < last && slopes[j] > 0 && slopes[j] <= slopes[j - way]; j += way)
        found->heights += slopes[j];
    }
  }
}

/// A line through the offsets: `middle` + `tilt` × (2 i + 1 − profiles), in 1/256 and 1/65536 of a
/// step. Returns how many lie on it.
static int32_t fit(const steps_found *found, int64_t *middle, int64_t *tilt) {
  int32_t sorted[EYE_PROFILES], count = 0;
  for (int32_t i = 0; i < EYE_PROFILES; i++) {
    if (found->seen[i])
      sorted[count++] = found->offsets[i];
  }
  *middle = eye_median(sorted, count);
  *tilt = 0;
  int32_t inside = 0;
  for (int round = 0; round < 6; round++) {
    int64_t spread = round < 2 ? 768 : 307;
    int64_t s = 0, st = 0, stt = 0, sd = 0, std = 0;
    inside = 0;
    for (int32_t i = 0; i < EYE_PROFILES; i++) {
      if (!found->seen[i])
        continue;
      int64_t t = 2 * i + 1 - EYE_PROFILES, off = found->offsets[i] - *middle - *tilt * t / 256;
      int64_t step = eye_abs64(off) * 8 / spread;
      inside += eye_abs64(off) * 2 < spread * 3;
      int64_t w = step < (int64_t)sizeof weights ? weights[step] : 0;
      s += w;
      st += w * t;
      stt += w * t * t;
      sd += w * found->offsets[i];
      std += w * t * found->offsets[i];
    }
    int64_t determinant = s * stt - st * st;
    if (determinant <= 0)
      break;
    *middle = (sd * stt - std * st) / determinant;
    *tilt = (s * std - st * sd) * 256 / determinant;
  }
  return inside;
}

static eye_point shift(const eye_side *side, eye_point at, int64_t away) {
  return (eye_point){at.x - (int32_t)(away * side->dy / EYE_UNIT),
                     at.y + (int32_t)(away * side->dx / EYE_UNIT)};
}

eye_refinement eye_refine(const vf_image *image, const eye_parts *parts, eye_quad *quad,
                          int32_t scale, int32_t reach) {
  eye_refinement result = {.moved = 0};
  profiles profiles;
  steps_found found;
  eye_point from[4], to[4];
  int64_t heights = 0, slopes = 0;
  int32_t step = eye_max(eye_max(128, scale / 4), (reach + MOST_STEPS - 1) / MOST_STEPS);
  int32_t steps = eye_clamp((reach + step - 1) / step, 1, MOST_STEPS);
  for (int i = 0; i < 4; i++) {
    eye_side side = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    from[i] = side.a;
    to[i] = side.b;
    int64_t direction[3], middle, tilt;
    take_profiles(image, parts, &side, step, steps, &profiles);
    if (!find_direction(&profiles, steps, direction))
      continue;
    find_steps(&profiles, steps, direction, &found);
    if (found.count * 100 < EYE_PROFILES * 35)
      continue;
    int32_t inside = fit(&found, &middle, &tilt);
    // The profiles span 86 % of the side: its ends lie 1.163 times as far from the middle.
    int64_t bend = tilt * EYE_PROFILES * 1163 / 1000 / 256;
    int64_t first = (middle - bend) * step / 256, last = (middle + bend) * step / 256;
    if (inside * 10 < EYE_PROFILES * 3 || eye_abs64(last - first) * 100 > (int64_t)side.length * 8)
      continue;
    from[i] = shift(&side, side.a, first);
    to[i] = shift(&side, side.b, last);
    result.hits[i] = inside;
    for (int c = 0; c < 3; c++)
      result.steps[i].values[c] = (int32_t)(direction[c] * (found.slopes / found.count) / EYE_UNIT);
    result.moved++;
    heights += found.heights;
    slopes += found.slopes;
  }
  // Slopes are differences over two steps.
  if (slopes > 0)
    result.width = (int32_t)(heights * step / slopes);
  eye_quad moved;
  int64_t most = 3 * (int64_t)reach;
  for (int i = 0; i < 4; i++) {
    int before = (i + 3) & 3;
    // Far from the origin, products would overflow: meet around the corner.
    eye_point origin = quad->p[i];
    if (!eye_meet(eye_minus(from[before], origin), eye_minus(to[before], origin),
                  eye_minus(from[i], origin), eye_minus(to[i], origin), &moved.p[i]) ||
        eye_dot(moved.p[i], moved.p[i]) > most * most) {
      result.moved = 0;
      return result;
    }
    moved.p[i].x += origin.x;
    moved.p[i].y += origin.y;
  }
  *quad = moved;
  return result;
}
