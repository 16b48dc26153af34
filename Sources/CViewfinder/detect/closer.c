#include <string.h>

#include "detect/workspace.h"

// The second network takes a closer look at a quadrilateral: how well it lies on a card, and where
// the card's corners are.

#if __has_include("detect/tables/closer.inc")
#include "detect/tables/closer.inc"
static const eye_table table = {eye_closer_steps,
                                sizeof eye_closer_steps / sizeof *eye_closer_steps,
                                eye_closer_weights, eye_closer_biases, eye_closer_multipliers};
#else
static const eye_table table;
#endif

enum {
  /// Each corner is told along and down, as one of so many places up to `REACH` (1/65536 of a side)
  /// off.
  CORNERS = 8,
  PLACES = 21,
  REACH = 19661,
};

bool eye_prepare_closer(vf_eye *eye) {
  return eye_network_prepare(&eye->closer, table, eye->kernels);
}

/// Of one corner's places: where it is (1/65536 of a side), as the mean of the likeliest and those
/// beside it; and the chance (1/256) that it is where the quadrilateral's corner is.
static int32_t choose(const int16_t *logits, int32_t *chance) {
  int32_t best = 0;
  for (int32_t i = 1; i < PLACES; i++)
    best = logits[i] > logits[best] ? i : best;
  int64_t sum = 0, near = 0, here = 0, all = 0;
  for (int32_t i = 0; i < PLACES; i++) {
    int64_t weight = eye_power(logits[i] - logits[best]);
    all += weight;
    if (eye_abs(i - PLACES / 2) <= 1)
      here += weight;
    if (eye_abs(i - best) <= 1) {
      near += weight;
      sum += weight * (2 * REACH * i / (PLACES - 1) - REACH);
    }
  }
  *chance = (int32_t)(here * 256 / all);
  return (int32_t)(sum / near);
}

eye_closer eye_look_at(vf_eye *eye, const eye_quad *quad) {
  eye_closer closer = {.quad = eye_lay_down(quad)};
  closer.moved = closer.quad;
  uint8_t patch[EYE_PATCH * EYE_PATCH_DEPTH];
  eye_take_patch(eye, &closer.quad, patch);
  int16_t answers[EYE_ANSWERS] = {0};
  if (!eye_network_run(&eye->closer, &eye->tensors, patch, EYE_PATCH_WIDTH, EYE_PATCH_HEIGHT,
                       answers, 1))
    return closer;
  closer.exact = answers[0];
  closer.near = answers[1];
  const eye_point *p = closer.quad.p;
  int32_t along_x = p[1].x - p[0].x + p[2].x - p[3].x, along_y = p[1].y - p[0].y + p[2].y - p[3].y;
  int32_t down_x = p[3].x - p[0].x + p[2].x - p[1].x, down_y = p[3].y - p[0].y + p[2].y - p[1].y;
  closer.least_hold = 256;
  for (int i = 0; i < 4; i++) {
    int32_t holds[2];
    int64_t along = choose(answers + 2 + PLACES * 2 * i, &holds[0]);
    int64_t down = choose(answers + 2 + PLACES * (2 * i + 1), &holds[1]);
    closer.moved.p[i].x += (int32_t)((along * along_x + down * down_x) >> 17);
    closer.moved.p[i].y += (int32_t)((along * along_y + down * down_y) >> 17);
    closer.shift =
        eye_max(closer.shift, (int32_t)eye_max64(eye_abs64(along), eye_abs64(down)) >> 6);
    closer.least_hold = eye_min(closer.least_hold, eye_min(holds[0], holds[1]));
    closer.hold += (holds[0] + holds[1] + 4) / CORNERS;
  }
  return closer;
}
