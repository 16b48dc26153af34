#include "detect/workspace.h"

// Four sides out of a hull: rounded corners come out where the sides' lines meet.

static bool turns_right(eye_point a, eye_point b, eye_point c) {
  return eye_cross(eye_minus(b, a), eye_minus(c, b)) > 0;
}

void eye_add_row(eye_chains *chains, eye_point left, eye_point right) {
  int32_t *lefts = &chains->lefts, *rights = &chains->rights;
  while (*lefts >= 2 && !turns_right(left, chains->left[*lefts - 1], chains->left[*lefts - 2]))
    --*lefts;
  chains->left[(*lefts)++] = left;
  while (*rights >= 2 &&
         !turns_right(chains->right[*rights - 2], chains->right[*rights - 1], right))
    --*rights;
  chains->right[(*rights)++] = right;
}

static bool are_equal(eye_point a, eye_point b) { return a.x == b.x && a.y == b.y; }

int32_t eye_join_chains(const eye_chains *chains, eye_point *hull) {
  int32_t count = 0;
  for (int32_t i = 0; i < chains->rights; i++)
    hull[count++] = chains->right[i];
  // A row of one point is on both sides.
  for (int32_t i = chains->lefts - 1; i >= 0; i--) {
    if (!are_equal(chains->left[i], hull[count - 1]))
      hull[count++] = chains->left[i];
  }
  while (count > 1 && are_equal(hull[count - 1], hull[0]))
    count--;
  return count;
}

typedef struct corner {
  eye_point at;
  int32_t before, after;
  /// What dropping the side from here to the next corner adds (twice the area), and where its
  /// neighbours would meet. Negative: they don't.
  int64_t cost;
  eye_point meeting;
} corner;

static void weigh(corner *corners, int32_t i) {
  corner *from = &corners[i];
  const corner *to = &corners[from->after];
  eye_point before = corners[from->before].at, after = corners[to->after].at;
  from->cost = -1;
  eye_point u = eye_minus(from->at, before), v = eye_minus(to->at, after);
  int64_t s = eye_cross(u, v);
  eye_point w = eye_minus(after, before);
  int64_t t = eye_cross(w, v), r = eye_cross(w, u);
  if (s < 0) {
    s = -s;
    t = -t;
    r = -r;
  }
  // The neighbours must meet beyond both ends of the side (within 1/1000).
  if (s == 0 || t < s - s / 1000 || r < s - s / 1000)
    return;
  if (!eye_meet(before, from->at, after, to->at, &from->meeting))
    return;
  from->cost =
      eye_abs64(eye_cross(eye_minus(to->at, from->at), eye_minus(from->meeting, from->at)));
}

bool eye_reduce_hull(const eye_point *hull, int32_t count, eye_quad *quad) {
  corner corners[EYE_HULL];
  if (count < 4 || count > EYE_HULL)
    return false;
  int64_t area = 0, grown = 0;
  for (int32_t i = 0; i < count; i++) {
    corners[i] = (corner){hull[i], i ? i - 1 : count - 1, i + 1 < count ? i + 1 : 0, 0, hull[i]};
    area +=
        eye_cross(eye_minus(hull[i], hull[0]), eye_minus(hull[i + 1 < count ? i + 1 : 0], hull[0]));
  }
  area = eye_abs64(area);
  for (int32_t i = 0; i < count; i++)
    weigh(corners, i);
  int32_t first = 0;
  for (int32_t left = count; left > 4; left--) {
    int32_t best = -1, i = first;
    for (int32_t k = 0; k < left; k++, i = corners[i].after) {
      if (corners[i].cost >= 0 && (best < 0 || corners[i].cost < corners[best].cost))
        best = i;
    }
    if (best < 0)
      return false;
    grown += corners[best].cost;
    if (grown * 10 > area)
      return false;
    int32_t gone = corners[best].after;
    corners[best].at = corners[best].meeting;
    corners[best].after = corners[gone].after;
    corners[corners[gone].after].before = best;
    first = best;
    int32_t before = corners[best].before;
    weigh(corners, corners[before].before);
    weigh(corners, before);
    weigh(corners, best);
    weigh(corners, corners[best].after);
  }
  for (int32_t k = 0, i = first; k < 4; k++, i = corners[i].after)
    quad->p[k] = corners[i].at;
  return true;
}
