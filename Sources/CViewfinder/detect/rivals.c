#include <string.h>

#include "detect/workspace.h"

// What a proposal's rivals are: those around it, in it, or across it. This is what tells a card's
// edge from the frame printed on it.

/// How many sides of `a` lie on lines of `b`'s sides, within three pixels at both ends.
static int32_t shared_sides(const eye_quad *a, const eye_quad *b) {
  int32_t count = 0;
  for (int i = 0; i < 4; i++) {
    int32_t least = INT32_MAX;
    for (int k = 0; k < 4; k++) {
      eye_side side = eye_side_make(b->p[k], b->p[(k + 1) & 3]);
      least = eye_min(least, eye_max(eye_abs(eye_across(&side, a->p[i])),
                                     eye_abs(eye_across(&side, a->p[(i + 1) & 3]))));
    }
    count += least < 768;
  }
  return count;
}

enum { SUP_MIN = 0, SUP_MEAN = 2, GAP_MIN = 4 };

void vf_eye_rivals(const vf_eye *eye, const int16_t *scores, int16_t *rivals) {
  int32_t count = eye->count, best = 0;
  int64_t areas[EYE_PROPOSALS];
  for (int32_t i = 0; i < count; i++) {
    areas[i] = eye_max64(eye_area2(&eye->proposals[i].quad), 1);
    best = eye_max(best, scores[i]);
  }
  for (int32_t i = 0; i < count; i++, rivals += EYE_RIVAL_FEATURES) {
    const eye_quad *own = &eye->proposals[i].quad;
    int32_t outer = -1, inner = -1, outer_score = 0, inner_score = 0, partly = 0, doubles = 0;
    int32_t double_count = 0, outers = 0, inners = 0, outer_ratio = 0, inner_ratio = 0;
    // Of those that share at least two sides, and of the others.
    int32_t outer_two = 0, outer_few = 0, inner_two = 0, inner_few = 0;
    for (int32_t j = 0; j < count; j++) {
      if (j == i || scores[j] < 655)
        continue;
      const eye_quad *other = &eye->proposals[j].quad;
      int64_t common = eye_common_area2(own, other);
      if (common * 50 < areas[i])
        continue;
      int64_t of_own = common * 256 / areas[i], of_other = common * 256 / areas[j];
      int64_t overlap = common * 256 / eye_max64(areas[i] + areas[j] - common, 1);
      if (overlap > 238) {
        doubles += scores[j];
        double_count++;
      } else if (of_own > 240) {
        outers++;
        if (scores[j] > 3277) {
          int32_t *most = shared_sides(own, other) >= 2 ? &outer_two : &outer_few;
          *most = eye_max(*most, scores[j]);
        }
        if (scores[j] > outer_score) {
          outer_score = scores[j];
          outer = j;
          outer_ratio = (int32_t)of_other;
        }
      } else if (of_other > 240) {
        inners++;
        if (scores[j] > 3277) {
          int32_t *most = shared_sides(own, other) >= 2 ? &inner_two : &inner_few;
          *most = eye_max(*most, scores[j]);
        }
        if (scores[j] > inner_score) {
          inner_score = scores[j];
          inner = j;
          inner_ratio = (int32_t)of_own;
        }
      } else {
        partly = eye_max(partly, scores[j]);
      }
    }
    const int16_t *of_outer = outer < 0 ? NULL : eye->features[outer];
    const int16_t *of_inner = inner < 0 ? NULL : eye->features[inner];
    int32_t values[EYE_RIVAL_FEATURES] = {
        scores[i],
        best - scores[i],
        outer_score,
        outer_ratio,
        inner_score,
        inner_ratio,
        partly,
        doubles,
        double_count,
        outers,
        inners,
        of_outer ? shared_sides(own, &eye->proposals[outer].quad) : -1,
        of_inner ? shared_sides(own, &eye->proposals[inner].quad) : -1,
        of_outer ? of_outer[SUP_MIN] : -1,
        of_outer ? of_outer[SUP_MEAN] : -1,
        of_inner ? of_inner[SUP_MIN] : -1,
        of_inner ? of_inner[SUP_MEAN] : -1,
        of_outer ? of_outer[GAP_MIN] : -1,
        outer_two,
        outer_few,
        inner_two,
        inner_few,
        eye_max(outer_two, inner_two) - scores[i],
        of_outer ? outer_score - scores[i] : 0,
    };
    for (int k = 0; k < EYE_RIVAL_FEATURES; k++)
      rivals[k] = eye_int16(values[k]);
  }
}
