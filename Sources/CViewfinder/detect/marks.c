#include <string.h>

#include "detect/workspace.h"

// Regions of the network's maps: cells that lie on a card and not on its
// border. Four sides of a component's hull, or of the least rectangle around
// it, are moved onto the lines that the cells beside them point to. Coordinates
// are 1/256 cell until the end.

enum { MOST_MARKS = 14, CELL = 256 };

/// What counts as a card's inside: mask above, border below; logits × 256.
static const struct { int16_t mask, border; } cuts[] = {{0, 0}, {0, -324}, {281, -562}};

/// Numbers the components of four-neighbourhood; returns how many there are.
static int32_t label(vf_eye *eye, int32_t cut, uint16_t *labels, int32_t *areas, int32_t most) {
  int32_t width = eye->map_width, cells = width * eye->map_height, count = 0;
  uint16_t stack[EYE_MAP_CELLS];
  for (int32_t i = 0; i < cells; i++)
    labels[i] =
        eye->maps[0][i] > cuts[cut].mask && eye->maps[1][i] < cuts[cut].border ? UINT16_MAX : 0;
  for (int32_t i = 0; i < cells && count < most; i++) {
    if (labels[i] != UINT16_MAX)
      continue;
    int32_t depth = 0, area = 0;
    count++;
    labels[i] = (uint16_t)count;
    stack[depth++] = (uint16_t)i;
    while (depth > 0) {
      int32_t j = stack[--depth], x = j % width;
      area++;
      int32_t neighbours[4] = {x > 0 ? j - 1 : -1, x + 1 < width ? j + 1 : -1, j - width,
                               j + width < cells ? j + width : -1};
      for (int k = 0; k < 4; k++) {
        if (neighbours[k] >= 0 && labels[neighbours[k]] == UINT16_MAX) {
          labels[neighbours[k]] = (uint16_t)count;
          stack[depth++] = (uint16_t)neighbours[k];
        }
      }
    }
    areas[count] = area;
  }
  return count;
}

/// The hull of a component's cells (their centres), clockwise.
static int32_t find_hull(const vf_eye *eye, const uint16_t *labels, int32_t mark, eye_point *hull) {
  eye_chains chains;
  chains.lefts = chains.rights = 0;
  int32_t width = eye->map_width;
  for (int32_t y = 0; y < eye->map_height; y++) {
    int32_t from = -1, to = -1;
    for (int32_t x = 0; x < width; x++) {
      if (labels[y * width + x] == mark) {
        from = from < 0 ? x : from;
        to = x;
      }
    }
    if (from < 0)
      continue;
    eye_add_row(&chains, (eye_point){from * CELL, y * CELL}, (eye_point){to * CELL, y * CELL});
  }
  return eye_join_chains(&chains, hull);
}

/// The least rectangle around a hull. False when the hull is a point.
static bool find_rectangle(const eye_point *hull, int32_t count, eye_quad *quad) {
  int64_t least = INT64_MAX;
  for (int32_t i = 0; i < count; i++) {
    eye_point a = hull[i], b = hull[i + 1 < count ? i + 1 : 0];
    if (a.x == b.x && a.y == b.y)
      continue;
    eye_side side = eye_side_make(a, b);
    int32_t low = INT32_MAX, high = INT32_MIN, deep = INT32_MIN, shallow = INT32_MAX;
    for (int32_t k = 0; k < count; k++) {
      int32_t u = eye_along(&side, hull[k]), v = eye_across(&side, hull[k]);
      low = eye_min(low, u);
      high = eye_max(high, u);
      shallow = eye_min(shallow, v);
      deep = eye_max(deep, v);
    }
    int64_t area = (int64_t)(high - low) * (deep - shallow);
    if (area >= least)
      continue;
    least = area;
    int32_t us[4] = {low, high, high, low}, vs[4] = {shallow, shallow, deep, deep};
    for (int k = 0; k < 4; k++)
      quad->p[k] =
          (eye_point){a.x + (int32_t)(((int64_t)us[k] * side.dx - (int64_t)vs[k] * side.dy) >> 14),
                      a.y + (int32_t)(((int64_t)us[k] * side.dy + (int64_t)vs[k] * side.dx) >> 14)};
  }
  return least != INT64_MAX;
}

/// A place on a side, and how sure it is.
typedef struct witness {
  eye_point at;
  int32_t weight;
} witness;

/// The places that cells in and around a component point to.
static int32_t call(const vf_eye *eye, const uint16_t *labels, int32_t mark, witness *witnesses) {
  enum { AROUND = 3 };
  int32_t width = eye->map_width, height = eye->map_height, count = 0;
  static const int16_t NEAR = 3 * CELL;
  uint8_t beside[EYE_MAP_CELLS] = {0};
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      if (labels[y * width + x] == mark) {
        int32_t from = eye_max(x - AROUND, 0), to = eye_min(x + AROUND, width - 1);
        memset(beside + y * width + from, 1, (size_t)(to - from + 1));
      }
    }
  }
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      int32_t i = y * width + x;
      int16_t vx = eye->maps[3][i], vy = eye->maps[4][i];
      if (eye->maps[1][i] <= -281 || (int32_t)vx * vx + (int32_t)vy * vy >= NEAR * NEAR)
        continue;
      bool is_near = false, is_others = false;
      for (int32_t v = eye_max(y - AROUND, 0); v <= eye_min(y + AROUND, height - 1); v++)
        is_near |= beside[v * width + x];
      for (int32_t v = eye_max(y - 1, 0); v <= eye_min(y + 1, height - 1) && is_near; v++) {
        for (int32_t u = eye_max(x - 1, 0); u <= eye_min(x + 1, width - 1); u++)
          is_others |= labels[v * width + u] && labels[v * width + u] != mark;
      }
      if (is_near && !is_others)
        witnesses[count++] =
            (witness){{x * CELL + vx, y * CELL + vy}, eye_max(eye->chances[1][i], 1)};
    }
  }
  return count;
}

/// Moves the sides onto the lines that the witnesses lie on. False when they
/// don't meet.
static bool settle(const witness *witnesses, int32_t count, eye_quad *quad) {
  static const int32_t tolerances[] = {640, 307, 154, 154};
  for (int pass = 0; pass < 4; pass++) {
    int32_t tolerance = tolerances[pass];
    eye_point from[4], to[4];
    for (int i = 0; i < 4; i++) {
      eye_side side = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
      eye_fit fit = {0};
      int32_t used = 0;
      from[i] = side.a;
      to[i] = side.b;
      for (int32_t k = 0; k < count; k++) {
        int32_t off = eye_across(&side, witnesses[k].at), along = eye_along(&side, witnesses[k].at);
        if (eye_abs(off) >= tolerance || along < -CELL / 2 || along > side.length + CELL / 2)
          continue;
        int32_t rest = 256 - off * off * 16 / (tolerance * tolerance / 16);
        int32_t weight = witnesses[k].weight * rest / 256 * rest / 256;
        if (weight > 0) {
          eye_fit_add(&fit, eye_minus(witnesses[k].at, side.a), weight);
          used++;
        }
      }
      eye_point middle;
      int32_t dx, dy;
      if (used < 3 || !eye_fit_line(&fit, &middle, &dx, &dy))
        continue;
      int64_t turn = ((int64_t)dx * side.dx + (int64_t)dy * side.dy) / EYE_UNIT;
      if (eye_abs64(turn) < EYE_UNIT * 9 / 10)
        continue;
      if (turn < 0) {
        dx = -dx;
        dy = -dy;
      }
      middle.x += side.a.x;
      middle.y += side.a.y;
      int64_t half = eye_max(side.length / 2, 2 * CELL);
      eye_point reach = {(int32_t)(dx * half / EYE_UNIT), (int32_t)(dy * half / EYE_UNIT)};
      from[i] = eye_minus(middle, reach);
      to[i] = (eye_point){middle.x + reach.x, middle.y + reach.y};
    }
    eye_quad moved;
    for (int i = 0; i < 4; i++) {
      int before = (i + 3) & 3;
      if (!eye_meet(from[before], to[before], from[i], to[i], &moved.p[i]))
        return false;
    }
    *quad = moved;
  }
  return true;
}

/// Moves the corners away from the middle by one and a half cells.
static void grow(eye_quad *quad) {
  eye_point middle = {0, 0};
  for (int i = 0; i < 4; i++) {
    middle.x += quad->p[i].x / 4;
    middle.y += quad->p[i].y / 4;
  }
  for (int i = 0; i < 4; i++) {
    eye_side way = eye_side_make(middle, quad->p[i]);
    quad->p[i].x += way.dx * 3 / 2 * CELL / EYE_UNIT;
    quad->p[i].y += way.dy * 3 / 2 * CELL / EYE_UNIT;
  }
}

static int32_t add(vf_eye *eye, eye_quad quad, eye_proposal *proposals, int32_t count) {
  for (int i = 0; i < 4; i++) {
    quad.p[i].x = (quad.p[i].x + CELL / 2) * eye->width / eye->map_width - 128;
    quad.p[i].y = (quad.p[i].y + CELL / 2) * eye->height / eye->map_height - 128;
  }
  for (int pass = 0; pass < 2 && count < EYE_MARKS; pass++) {
    if (!eye_is_plausible(eye, &quad))
      return count;
    bool is_double = false;
    for (int32_t k = 0; k < count && !is_double; k++)
      is_double = eye_corner_distance(&proposals[k].quad, &quad) < 640;
    if (!is_double)
      proposals[count++] = (eye_proposal){.quad = quad, .source = EYE_SOURCE_MARK};
    // Nobody looks at it after the second.
    if (pass == 1)
      break;
    eye_snap(&eye->levels[0], &quad, 4 * 256, 230);
    eye_snap(&eye->levels[0], &quad, 2 * 256, 238);
  }
  return count;
}

int32_t eye_find_marks(vf_eye *eye, eye_proposal proposals[EYE_MARKS]) {
  static const int32_t FEWEST = 5;
  uint16_t labels[EYE_MAP_CELLS];
  int32_t areas[256], count = 0;
  witness witnesses[EYE_MAP_CELLS];
  for (int32_t cut = 0; cut < 3; cut++) {
    int32_t marks = label(eye, cut, labels, areas, 255);
    for (int32_t n = 0; n < MOST_MARKS; n++) {
      int32_t mark = 0, most = FEWEST - 1;
      for (int32_t k = 1; k <= marks; k++) {
        if (areas[k] > most) {
          most = areas[k];
          mark = k;
        }
      }
      if (!mark)
        break;
      areas[mark] = 0;
      eye_point hull[2 * EYE_MAP_SIDE];
      int32_t corners = find_hull(eye, labels, mark, hull);
      int32_t called = call(eye, labels, mark, witnesses);
      if (called < 8)
        continue;
      eye_quad quad;
      if (eye_reduce_hull(hull, corners, &quad)) {
        grow(&quad);
        if (settle(witnesses, called, &quad))
          count = add(eye, quad, proposals, count);
      }
      if (find_rectangle(hull, corners, &quad)) {
        grow(&quad);
        if (settle(witnesses, called, &quad))
          count = add(eye, quad, proposals, count);
      }
    }
  }
  return count;
}
