#include <string.h>

#include "detect/workspace.h"

// Regions of even tone: three channels × eight thresholds at half size, what is above and what is
// below. Runs are joined to components; a component that fills its hull well, and whose hull four
// sides describe, is a proposal.

enum { THRESHOLDS = 8, MOST_REGIONS = 192 };

/// The levels at which to cut a channel: half way between even steps and quantiles. Returns 0 when
/// the channel is too flat.
static int32_t choose_thresholds(const eye_level *level, int32_t channel, int16_t *thresholds) {
  enum { BINS = 1024, LOWEST = 512 };
  int32_t histogram[BINS] = {0}, count = 0;
  const int16_t *plane = level->channels[channel];
  for (int32_t i = 0; i < level->width * level->height; i += 5, count++)
    histogram[eye_clamp((plane[i] >> 5) + LOWEST, 0, BINS - 1)]++;
  int32_t quantiles[THRESHOLDS + 2];
  int32_t wanted[THRESHOLDS + 2] = {count / 50};
  for (int32_t k = 0; k < THRESHOLDS; k++)
    wanted[k + 1] = count * (2 * k + 1) / (2 * THRESHOLDS);
  wanted[THRESHOLDS + 1] = count - 1 - count / 50;
  int32_t sum = 0, bin = -1;
  for (int32_t k = 0; k < THRESHOLDS + 2; k++) {
    while (bin + 1 < BINS && sum <= wanted[k])
      sum += histogram[++bin];
    quantiles[k] = (bin - LOWEST) * 32 + 16;
  }
  int32_t low = quantiles[0], high = quantiles[THRESHOLDS + 1];
  if (high - low < (channel == 0 ? 10 : 6) * 64)
    return 0;
  for (int32_t k = 0; k < THRESHOLDS; k++) {
    int32_t even = low + (high - low) * (2 * k + 1) / (2 * THRESHOLDS);
    thresholds[k] = (int16_t)((even + quantiles[k + 1]) / 2);
  }
  return THRESHOLDS;
}

static int32_t root_of(eye_runs *runs, int32_t i) {
  while (runs->parent[i] != i)
    i = runs->parent[i] = runs->parent[runs->parent[i]];
  return i;
}

/// Splits a row into runs that lie alternately below and above the threshold; the first, which may
/// be empty, below.
static int32_t split_row(eye_runs *runs, int32_t count, int32_t width) {
  uint64_t last = 0;
  runs->start[count++] = 0;
  for (int32_t x = 0; x < width; x += 64) {
    uint64_t word = runs->words[x / 64];
    uint64_t changes = word ^ (word << 1 | last);
    if (width - x < 64)
      changes &= ((uint64_t)1 << (width - x)) - 1;
    last = word >> 63;
    for (; changes; changes &= changes - 1)
      runs->start[count++] = (uint16_t)(x + __builtin_ctzll(changes));
  }
  return count;
}

/// Joins the runs of row `y` with those of the row above that touch them and are of their kind.
static void join_rows(eye_runs *runs, int32_t y, int32_t width) {
  int32_t above = runs->row_first[y - 1], here = runs->row_first[y], end = runs->row_first[y + 1];
  int32_t first_above = above, first_here = here;
  while (above < first_here && here < end) {
    int32_t above_end = above + 1 < first_here ? runs->start[above + 1] : width;
    int32_t here_end = here + 1 < end ? runs->start[here + 1] : width;
    int32_t from = eye_max(runs->start[above], runs->start[here]);
    if (((above - first_above) & 1) == ((here - first_here) & 1) &&
        from < eye_min(above_end, here_end)) {
      int32_t a = root_of(runs, above), b = root_of(runs, here);
      if (a < b)
        runs->parent[b] = a;
      else
        runs->parent[a] = b;
    }
    if (above_end < here_end) {
      above++;
    } else if (here_end < above_end) {
      here++;
    } else {
      above++;
      here++;
    }
  }
}

static int32_t run_end(const eye_runs *runs, int32_t run, int32_t row_end, int32_t width) {
  return run + 1 < row_end ? runs->start[run + 1] : width;
}

/// Finds the components of a channel cut at `threshold`.
static void label(vf_eye *eye, const int16_t *plane, int16_t threshold, int32_t width,
                  int32_t height) {
  eye_runs *runs = &eye->runs;
  int32_t count = 0;
  for (int32_t y = 0; y < height; y++) {
    eye->kernels->mask_row(runs->words, plane + y * width, threshold, width);
    runs->row_first[y] = count;
    count = split_row(runs, count, width);
    runs->row_first[y + 1] = count;
    for (int32_t i = runs->row_first[y]; i < count; i++)
      runs->parent[i] = i;
    if (y > 0)
      join_rows(runs, y, width);
  }
  memset(runs->area, 0, (size_t)count * sizeof *runs->area);
  for (int32_t y = 0; y < height; y++) {
    for (int32_t i = runs->row_first[y]; i < runs->row_first[y + 1]; i++) {
      int32_t from = runs->start[i], to = run_end(runs, i, runs->row_first[y + 1], width);
      if (to <= from)
        continue;
      int32_t root = runs->parent[i] = root_of(runs, i);
      if (runs->area[root] == 0) {
        runs->left[root] = (int16_t)from;
        runs->right[root] = (int16_t)(to - 1);
        runs->top[root] = (int16_t)y;
      }
      runs->area[root] += to - from;
      runs->left[root] = (int16_t)eye_min(runs->left[root], from);
      runs->right[root] = (int16_t)eye_max(runs->right[root], to - 1);
      runs->bottom[root] = (int16_t)y;
    }
  }
}

/// The hull of a component's rows, clockwise, in 1/256 pixel of the half size. Returns its corners'
/// count.
static int32_t find_hull(const eye_runs *runs, int32_t root, int32_t width, eye_point *hull) {
  eye_chains chains;
  chains.lefts = chains.rights = 0;
  for (int32_t y = runs->top[root]; y <= runs->bottom[root]; y++) {
    int32_t from = -1, to = -1, row_end = runs->row_first[y + 1];
    for (int32_t i = runs->row_first[y]; i < row_end; i++) {
      if (runs->parent[i] != root || run_end(runs, i, row_end, width) <= runs->start[i])
        continue;
      if (from < 0)
        from = runs->start[i];
      to = run_end(runs, i, row_end, width) - 1;
    }
    if (from < 0)
      continue;
    eye_add_row(&chains, (eye_point){from * 256 - 128, y * 256},
                (eye_point){to * 256 + 128, y * 256});
  }
  return eye_join_chains(&chains, hull);
}

bool eye_is_plausible(const vf_eye *eye, eye_quad *quad) {
  int64_t area = eye_area2(quad);
  int64_t pixels = (int64_t)eye->width * eye->height;
  if (eye_abs64(area) < pixels * 131072 * 6 / 1000)
    return false;
  if (area < 0) {
    eye_point swap = quad->p[1];
    quad->p[1] = quad->p[3];
    quad->p[3] = swap;
  }
  int32_t lengths[4], least = eye_max(eye->width, eye->height) * 256 * 6 / 100, outside = 0;
  eye_side sides[4];
  for (int i = 0; i < 4; i++) {
    sides[i] = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    lengths[i] = sides[i].length;
    if (lengths[i] < least)
      return false;
    eye_point p = quad->p[i];
    outside +=
        p.x < -512 || p.y < -512 || p.x > (eye->width + 1) * 256 || p.y > (eye->height + 1) * 256;
  }
  for (int i = 0; i < 4; i++) {
    const eye_side *before = &sides[(i + 3) & 3], *after = &sides[i];
    if ((int64_t)before->dx * after->dy - (int64_t)before->dy * after->dx <
        (int64_t)EYE_UNIT * EYE_UNIT * 6 / 10)
      return false;
  }
  int32_t a = lengths[0], b = lengths[1], c = lengths[2], d = lengths[3];
  int64_t shortest = eye_min(eye_min(a, b), eye_min(c, d));
  int64_t longest = eye_max(eye_max(a, b), eye_max(c, d));
  return longest * 2 <= shortest * 9 && eye_max(a, c) * 10 <= eye_min(a, c) * 19 &&
         eye_max(b, d) * 10 <= eye_min(b, d) * 19 && outside <= 1;
}

/// The quadrilaterals of one threshold's components. Returns how many there are then.
static int32_t collect(vf_eye *eye, eye_shape *shapes, int32_t count) {
  eye_runs *runs = &eye->runs;
  const eye_level *level = &eye->levels[1];
  int32_t width = level->width, height = level->height, pixels = width * height;
  int32_t runs_count = runs->row_first[height];
  for (int32_t root = 0; root < runs_count && count < MOST_REGIONS; root++) {
    int32_t area = runs->area[root];
    if (area * 1000 < pixels * 3 || runs->parent[root] != root)
      continue;
    int32_t box_width = runs->right[root] - runs->left[root] + 1;
    int32_t box_height = runs->bottom[root] - runs->top[root] + 1;
    int32_t borders = (runs->left[root] == 0) + (runs->top[root] == 0) +
                      (runs->right[root] == width - 1) + (runs->bottom[root] == height - 1);
    if (borders > 1 || area * 4 < box_width * box_height)
      continue;
    eye_point hull[EYE_HULL];
    int32_t corners = find_hull(runs, root, width, hull);
    int64_t hull_area = 0;
    for (int32_t i = 2; i < corners; i++)
      hull_area += eye_cross(eye_minus(hull[i - 1], hull[0]), eye_minus(hull[i], hull[0]));
    // Twice the area in 1/65536: at least 0.6 % of the picture, of which the component fills 45 %.
    if (hull_area < (int64_t)pixels * 131072 * 6 / 1000 ||
        (int64_t)area * 131072 * 100 < hull_area * 45)
      continue;
    eye_quad quad;
    if (!eye_reduce_hull(hull, corners, &quad))
      continue;
    for (int i = 0; i < 4; i++)
      quad.p[i] = (eye_point){quad.p[i].x * 2 + 128, quad.p[i].y * 2 + 128};
    if (!eye_is_plausible(eye, &quad))
      continue;
    bool is_double = false;
    for (int32_t i = 0; i < count && !is_double; i++)
      is_double = eye_corner_distance(&shapes[i].quad, &quad) < 320;
    if (!is_double)
      shapes[count++].quad = quad;
  }
  return count;
}

int32_t eye_find_regions(vf_eye *eye, eye_proposal proposals[EYE_REGIONS]) {
  const eye_level *level = &eye->levels[1];
  if (level->width < 8 || level->height < 8)
    return 0;
  eye_shape shapes[MOST_REGIONS];
  int32_t count = 0;
  for (int32_t channel = 0; channel < 3; channel++) {
    int16_t thresholds[THRESHOLDS];
    int32_t levels = choose_thresholds(level, channel, thresholds);
    for (int32_t k = 0; k < levels; k++) {
      label(eye, level->channels[channel], thresholds[k], level->width, level->height);
      count = collect(eye, shapes, count);
    }
  }
  for (int32_t i = 0; i < count; i++) {
    eye_snap(&eye->levels[0], &shapes[i].quad, 4 * 256, 230);
    eye_snap(&eye->levels[0], &shapes[i].quad, 2 * 256, 238);
    shapes[i].score = eye_quick_support(&eye->levels[0], &shapes[i].quad);
  }
  return eye_keep_best(shapes, count, EYE_SOURCE_REGION, EYE_REGIONS, proposals);
}
