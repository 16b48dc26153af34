#include <string.h>

#include "detect/workspace.h"

// The third network looks at a quadrilateral side by side, nearer than the second: at a strip along
// each, in whose columns it says where the card's edge runs through them. The line on which most of
// that lies is the side.

#if __has_include("detect/tables/strips.inc")
#include "detect/tables/strips.inc"
static const eye_table table = {eye_strips_steps,
                                sizeof eye_strips_steps / sizeof *eye_strips_steps,
                                eye_strips_weights, eye_strips_biases, eye_strips_multipliers};
#else
static const eye_table table;
#endif

enum {
  /// A strip's own part reaches so far to both sides of the side (1/65536 of the quadrilateral).
  DEEP = 6554,
  /// The network answers for cells of 4 × 4 pixels of the patch, with a place for each row of
  /// pixels. Columns beyond the side's ends don't count.
  PLACES = EYE_PATCH_HEIGHT,
  CELL = 4,
  CELLS_ACROSS = EYE_PATCH_WIDTH / CELL,
  FIRST = EYE_PATCH_MARGIN_X / CELL,
  COLUMNS = EYE_PATCH_OWN_WIDTH / CELL,
  /// Lines: so many places off in the middle at most, and from one end to the other. The side as it
  /// is runs between the places `MIDDLE` and the next one.
  MOST_OFF = 18,
  MIDDLE = PLACES / 2 - 1,
  OFFS = 2 * MOST_OFF + 2,
  MOST_TILT = 18,
  /// Room beside a column's places for lines that leave them.
  BESIDE = 8,
  /// A column that has fewer votes near the line says nothing; fewer columns leave it at whole
  /// places. Half a column, where the line is fitted.
  LEAST_VOTES = 13,
  LEAST_COLUMNS = 3,
  HALF_COLUMN = 640,
  /// A side moves where it is seen better by so much (1/256 of all).
  BETTER = 8,
};

/// Each column's votes for its places, 256 in all, with room beside them.
typedef struct votes {
  int16_t all[COLUMNS][BESIDE + PLACES + BESIDE];
} votes;

/// A line through the columns: the place in the middle, and by how much it goes on from one end to
/// the other; in 1/256 of a place.
typedef struct strip_line {
  int32_t middle, tilt;
} strip_line;

bool eye_prepare_strips(vf_eye *eye) {
  return eye_network_prepare(&eye->strips, table, eye->kernels);
}

/// A side's ends, moved towards the opposite one by shares of the way (1/65536).
static void push(const eye_quad *quad, int side, int32_t first, int32_t second, eye_point ends[2]) {
  const eye_point *p = quad->p;
  ends[0] = eye_between(p[side], p[(side + 3) & 3], first);
  ends[1] = eye_between(p[(side + 1) & 3], p[(side + 2) & 3], second);
}

/// What the network says of the strip along a side. False when there is no table.
static bool vote(vf_eye *eye, const eye_quad *quad, int side, votes *votes) {
  eye_point outside[2], inside[2];
  push(quad, side, -DEEP, -DEEP, outside);
  push(quad, side, DEEP, DEEP, inside);
  eye_quad strip = {{outside[0], outside[1], inside[1], inside[0]}};
  uint8_t patch[EYE_PATCH * EYE_PATCH_DEPTH];
  eye_take_patch(eye, &strip, patch);
  int16_t answers[CELL][PLACES / CELL][CELLS_ACROSS];
  if (!eye_network_run(&eye->strips, &eye->tensors, patch, EYE_PATCH_WIDTH, EYE_PATCH_HEIGHT,
                       answers[0][0], PLACES / CELL * CELLS_ACROSS))
    return false;
  memset(votes, 0, sizeof *votes);
  for (int32_t c = 0; c < COLUMNS; c++) {
    int16_t *column = votes->all[c] + BESIDE;
    int32_t most = INT16_MIN;
    for (int32_t k = 0; k < PLACES; k++) {
      column[k] = answers[k % CELL][k / CELL][FIRST + c];
      most = eye_max(most, column[k]);
    }
    int64_t sum = 0, weights[PLACES];
    for (int32_t k = 0; k < PLACES; k++)
      sum += weights[k] = eye_power(column[k] - most);
    for (int32_t k = 0; k < PLACES; k++)
      column[k] = (int16_t)((weights[k] * 256 + sum / 2) / sum);
  }
  return true;
}

/// How many places a line that goes on by `tilt` places is off in a column.
static int32_t off_in(int32_t column, int32_t tilt) {
  int32_t doubled = tilt * (2 * column + 1 - COLUMNS) + COLUMNS;
  return (doubled + 2 * COLUMNS * MOST_TILT) / (2 * COLUMNS) - MOST_TILT;
}

/// The line, at whole places, that has most votes; how many those are of all, and how many the side
/// as it is has (1/256).
static strip_line find_line(const votes *votes, int32_t *most, int32_t *here) {
  strip_line best = {0};
  *most = -1;
  for (int32_t tilt = -MOST_TILT; tilt <= MOST_TILT; tilt++) {
    int16_t sums[OFFS] = {0};
    for (int32_t c = 0; c < COLUMNS; c++) {
      const int16_t *column = votes->all[c] + BESIDE + MIDDLE - MOST_OFF + off_in(c, tilt);
      for (int32_t k = 0; k < OFFS; k++)
        sums[k] += column[k];
    }
    for (int32_t k = 0; k < OFFS; k++) {
      if (sums[k] > *most) {
        *most = sums[k];
        best = (strip_line){(MIDDLE - MOST_OFF + k) * 256, tilt * 256};
      }
    }
    if (tilt == 0)
      *here = (sums[MOST_OFF] + sums[MOST_OFF + 1]) / 2;
  }
  *most /= COLUMNS;
  *here /= COLUMNS;
  return best;
}

/// The line between the places, from the votes on it and beside it.
static strip_line fit(const votes *votes, const strip_line *whole) {
  eye_fit fit = {0};
  int32_t count = 0;
  for (int32_t c = 0; c < COLUMNS; c++) {
    int32_t middle = whole->middle / 256 + off_in(c, whole->tilt / 256), sum = 0, places = 0;
    for (int32_t k = -2; k <= 2; k++) {
      int32_t votes_there = votes->all[c][BESIDE + middle + k];
      sum += votes_there;
      places += votes_there * (middle + k) * 256;
    }
    if (sum < LEAST_VOTES)
      continue;
    eye_fit_add(&fit, (eye_point){(2 * c + 1 - COLUMNS) * HALF_COLUMN, places / sum}, sum);
    count++;
  }
  eye_point middle;
  int32_t dx, dy;
  if (count < LEAST_COLUMNS || !eye_fit_line(&fit, &middle, &dx, &dy) || dx == 0)
    return *whole;
  strip_line line = {.middle = middle.y - (int32_t)((int64_t)middle.x * dy / dx),
                     .tilt = (int32_t)((int64_t)2 * COLUMNS * HALF_COLUMN * dy / dx)};
  bool is_near =
      eye_abs(line.middle - whole->middle) < 512 && eye_abs(line.tilt - whole->tilt) < 1024;
  return is_near ? line : *whole;
}

/// From 1/256 of a place to 1/65536 of the quadrilateral, from the side inwards.
static int32_t inwards(int32_t place) {
  return (place - MIDDLE * 256 - 128) * 2 * DEEP / (EYE_PATCH_OWN_HEIGHT * 256);
}

void eye_settle_sides(vf_eye *eye, eye_quad *quad, eye_strips *strips) {
  *strips = (eye_strips){{0}, {0}};
  eye_point ends[4][2];
  bool is_better = false;
  for (int i = 0; i < 4; i++) {
    votes votes;
    if (!vote(eye, quad, i, &votes))
      return;
    int32_t here, from = 0, to = 0;
    strip_line line = find_line(&votes, &strips->seen[i], &here);
    strips->better[i] = strips->seen[i] - here;
    if (strips->better[i] >= BETTER) {
      line = fit(&votes, &line);
      from = inwards(line.middle - line.tilt / 2);
      to = inwards(line.middle + line.tilt / 2);
      is_better = true;
    }
    push(quad, i, from, to, ends[i]);
  }
  eye_quad moved;
  for (int i = 0; i < 4 && is_better; i++) {
    int before = (i + 3) & 3;
    is_better = eye_meet(ends[before][0], ends[before][1], ends[i][0], ends[i][1], &moved.p[i]);
  }
  if (is_better && eye_is_plausible(eye, &moved))
    *quad = moved;
}
