#include <string.h>

#include "detect/workspace.h"

// What the network's maps tell of a quadrilateral. Coordinates are 1/256 of a cell, whole ones the
// cells' centres.

enum { GRID = 12, POINTS = GRID * GRID, ALONG = 24 };

/// Components of cells that are card and not border.
typedef struct components {
  int16_t labels[EYE_MAP_CELLS];
  int32_t areas[EYE_MAP_CELLS + 1], count, sum;
} components;

static int32_t clamp_x(const vf_eye *eye, int32_t x) {
  return eye_clamp(x, 0, (eye->map_width - 1) * 256 - 1);
}
static int32_t clamp_y(const vf_eye *eye, int32_t y) {
  return eye_clamp(y, 0, (eye->map_height - 1) * 256 - 1);
}

static int32_t sample(const vf_eye *eye, const uint8_t *map, eye_point at) {
  int32_t x = clamp_x(eye, at.x), y = clamp_y(eye, at.y);
  const uint8_t *a = map + (y >> 8) * eye->map_width + (x >> 8), *b = a + eye->map_width;
  int32_t u = x & 255, v = y & 255;
  return ((a[0] * (256 - u) + a[1] * u) * (256 - v) + (b[0] * (256 - u) + b[1] * u) * v) >> 16;
}

static int32_t sample_vector(const vf_eye *eye, const int16_t *map, eye_point at) {
  int32_t x = clamp_x(eye, at.x), y = clamp_y(eye, at.y);
  const int16_t *a = map + (y >> 8) * eye->map_width + (x >> 8), *b = a + eye->map_width;
  int32_t u = x & 255, v = y & 255;
  return ((a[0] * (256 - u) + a[1] * u) * (256 - v) + (b[0] * (256 - u) + b[1] * u) * v) / 65536;
}

static bool is_inside(const vf_eye *eye, eye_point at) {
  return at.x > -128 && at.y > -128 && at.x < eye->map_width * 256 - 128 &&
         at.y < eye->map_height * 256 - 128;
}

/// The point at `u` (1/65536) of a side, `away` (1/256 cell) to its outside.
static eye_point beside(const eye_side *side, int32_t u, int32_t away) {
  eye_point at = eye_between(side->a, side->b, u);
  return (eye_point){at.x + side->dy * away / EYE_UNIT, at.y - side->dx * away / EYE_UNIT};
}

static int32_t place(int32_t i) { return EYE_U(60) + EYE_U(880) * i / (ALONG - 1); }

/// The mean of a map along a side, of what lies in the picture; `otherwise` when nothing does.
static int32_t mean_along(const vf_eye *eye, const uint8_t *map, const eye_side *side, int32_t away,
                          int32_t otherwise) {
  int32_t sum = 0, count = 0;
  for (int32_t i = 0; i < ALONG; i++) {
    eye_point at = beside(side, place(i), away);
    if (!is_inside(eye, at))
      continue;
    sum += sample(eye, map, at);
    count++;
  }
  return count ? sum / count : otherwise;
}

/// Along one side: the border's mean, its share, its mean with some tolerance, and how well the
/// vectors point to the side.
typedef struct side_maps {
  int32_t border, share, tolerant, outer, far, inner, residual, agreement;
} side_maps;

static side_maps look_along(const vf_eye *eye, const eye_side *side) {
  const uint8_t *mask = eye->chances[0], *border = eye->chances[1];
  side_maps maps;
  int32_t sum = 0, tolerant = 0, hits = 0, count = 0;
  for (int32_t i = 0; i < ALONG; i++) {
    eye_point at = beside(side, place(i), 0);
    if (!is_inside(eye, at)) {
      sum += 77;
      continue;
    }
    int32_t value = sample(eye, border, at);
    sum += value;
    hits += value > 89;
    count++;
    int32_t a = sample(eye, border, beside(side, place(i), 154));
    int32_t b = sample(eye, border, beside(side, place(i), -154));
    tolerant += eye_max(value, eye_max(a, b));
  }
  maps.border = sum / ALONG;
  maps.share = count ? hits * 256 / count : 77;
  maps.tolerant = count ? tolerant / count : 77;
  maps.outer = mean_along(eye, mask, side, 410, 77);
  maps.far = mean_along(eye, mask, side, 819, 77);
  maps.inner = mean_along(eye, mask, side, -358, 77);
  static const int32_t distances[4] = {-384, -179, 179, 384};
  maps.residual = maps.agreement = 0;
  for (int k = 0; k < 4; k++) {
    int32_t residuals = 0, agree = 0, seen = 0;
    for (int32_t i = 0; i < ALONG; i++) {
      eye_point at = beside(side, place(i), distances[k]);
      if (!is_inside(eye, at))
        continue;
      int64_t x = sample_vector(eye, eye->maps[3], at), y = sample_vector(eye, eye->maps[4], at);
      // Across the side, outwards, and along it.
      int64_t across = (x * side->dy - y * side->dx) / EYE_UNIT + distances[k];
      int64_t along = (x * side->dx + y * side->dy) / EYE_UNIT;
      int32_t away = (int32_t)eye_root((uint64_t)(across * across + along * along));
      residuals += eye_min(away, 768);
      agree += away < 154;
      seen++;
    }
    maps.residual += seen ? residuals / seen : 256;
    maps.agreement += seen ? agree * 256 / seen : 77;
  }
  maps.residual /= 4;
  maps.agreement /= 4;
  return maps;
}

/// Labels what is card (more than half) and border less than `most`.
static void find_components(const vf_eye *eye, int32_t most, components *found) {
  int32_t width = eye->map_width, cells = width * eye->map_height;
  int16_t stack[EYE_MAP_CELLS];
  memset(found->labels, 0, sizeof found->labels);
  found->count = found->sum = 0;
  for (int32_t i = 0; i < cells; i++) {
    if (found->labels[i] || eye->chances[0][i] < 128 || eye->chances[1][i] >= most)
      continue;
    int16_t label = (int16_t)++found->count;
    int32_t depth = 0, area = 0;
    found->labels[i] = label;
    stack[depth++] = (int16_t)i;
    while (depth > 0) {
      int32_t at = stack[--depth], x = at % width;
      area++;
      int32_t near[4] = {x > 0 ? at - 1 : -1, x + 1 < width ? at + 1 : -1, at - width,
                         at + width < cells ? at + width : -1};
      for (int k = 0; k < 4; k++) {
        int32_t n = near[k];
        if (n < 0 || found->labels[n] || eye->chances[0][n] < 128 || eye->chances[1][n] >= most)
          continue;
        found->labels[n] = label;
        stack[depth++] = (int16_t)n;
      }
    }
    found->areas[label] = area;
    found->sum += area;
  }
}

/// How a quadrilateral of `area` (cells, × 256) and the components share cells.
static void compare_components(const vf_eye *eye, const components *found, const eye_point *grid,
                               int64_t area, int16_t *features) {
  int32_t counts[EYE_MAP_CELLS + 1];
  memset(counts, 0, (size_t)(found->count + 1) * sizeof *counts);
  for (int32_t i = 0; i < POINTS; i++) {
    if (!is_inside(eye, grid[i]))
      continue;
    int32_t x = eye_clamp(eye_round(grid[i].x), 0, eye->map_width - 1);
    int32_t y = eye_clamp(eye_round(grid[i].y), 0, eye->map_height - 1);
    counts[found->labels[y * eye->map_width + x]]++;
  }
  memset(features, 0, 5 * sizeof *features);
  if (found->count == 0)
    return;
  int32_t best = 1, many = 0;
  int64_t explained = 0;
  for (int32_t i = 1; i <= found->count; i++) {
    int64_t shared = counts[i] * area / POINTS, own = (int64_t)found->areas[i] * 256;
    best = counts[i] > counts[best] ? i : best;
    many += shared * 10 > own * 6 && found->areas[i] >= 8;
    explained += eye_min64(shared, own);
  }
  int64_t shared = counts[best] * area / POINTS, own = (int64_t)found->areas[best] * 256;
  features[0] = eye_int16(eye_min64(shared, own) * 256 / eye_max64(own + area - shared, 256));
  features[1] = eye_int16(shared * 256 / eye_max64(area, 256));
  features[2] = eye_int16(eye_min64(shared * 256 / own, 307));
  features[3] = eye_int16(many);
  features[4] = eye_int16(((int64_t)found->sum * 256 - explained) / found->sum);
}

static void look_inside(const vf_eye *eye, const eye_point *grid, int16_t *features) {
  int32_t masks[POINTS], borders[POINTS], sum = 0, half = 0, inside = 0;
  for (int32_t i = 0; i < POINTS; i++) {
    masks[i] = sample(eye, eye->chances[0], grid[i]);
    borders[i] = sample(eye, eye->chances[1], grid[i]);
    if (is_inside(eye, grid[i])) {
      sum += masks[i];
      half += masks[i] > 127;
      inside++;
    }
  }
  int32_t blocks[9] = {0}, core = 0, lines[2][GRID] = {{0}};
  for (int32_t i = 0; i < POINTS; i++) {
    int32_t x = i % GRID, y = i / GRID;
    blocks[y / 4 * 3 + x / 4] += masks[i];
    if (x >= 2 && x < 10 && y >= 2 && y < 10) {
      core += borders[i];
      lines[0][x] += borders[i];
      lines[1][y] += borders[i];
    }
  }
  eye_sort(blocks, 9);
  int32_t most = 0;
  for (int32_t i = 0; i < GRID; i++)
    most = eye_max(most, eye_max(lines[0][i], lines[1][i]));
  features[0] = eye_int16(sum / eye_max(inside, 1));
  features[1] = eye_int16(half * 256 / eye_max(inside, 1));
  features[2] = eye_int16(blocks[0] / 16);
  features[3] = eye_int16(blocks[2] / 16);
  features[4] = eye_int16(core / 64);
  features[5] = eye_int16(most / 8);
}

/// The corner map at the corners: the largest of 3 × 3 cells each, the smallest first, and the
/// value at the very place.
static void look_at_corners(const vf_eye *eye, const eye_quad *quad, int16_t *features) {
  int32_t most[4], values[4], sum = 0;
  for (int i = 0; i < 4; i++) {
    eye_point at = quad->p[i];
    most[i] = values[i] = 64;
    if (at.x <= -256 || at.y <= -256 || at.x >= eye->map_width * 256 ||
        at.y >= eye->map_height * 256) {
      sum += 64;
      continue;
    }
    values[i] = sample(eye, eye->chances[2], at);
    sum += values[i];
    int32_t x = eye_clamp(eye_round(at.x), 0, eye->map_width - 1);
    int32_t y = eye_clamp(eye_round(at.y), 0, eye->map_height - 1);
    most[i] = 0;
    for (int32_t v = eye_max(y - 1, 0); v <= eye_min(y + 1, eye->map_height - 1); v++) {
      for (int32_t u = eye_max(x - 1, 0); u <= eye_min(x + 1, eye->map_width - 1); u++)
        most[i] = eye_max(most[i], eye->chances[2][v * eye->map_width + u]);
    }
  }
  eye_sort(most, 4);
  eye_sort(values, 4);
  for (int i = 0; i < 4; i++)
    features[i] = eye_int16(most[i]);
  features[4] = eye_int16(values[0]);
  features[5] = eye_int16(sum / 4);
}

/// The border map beyond the corners: a line that goes on is none of a card's.
static void look_beyond(const vf_eye *eye, const eye_side *sides, int16_t *features) {
  int32_t means[8], all = 0;
  for (int i = 0; i < 8; i++) {
    int32_t sum = 0, count = 0;
    for (int32_t k = 0; k < 6; k++) {
      int32_t u = i % 2 ? EYE_U(1050 + 40 * k) : EYE_U(-250 + 40 * k);
      eye_point at = eye_between(sides[i / 2].a, sides[i / 2].b, u);
      if (!is_inside(eye, at))
        continue;
      sum += sample(eye, eye->chances[1], at);
      count++;
    }
    means[i] = count ? sum / count : 0;
    all += means[i];
  }
  eye_sort(means, 8);
  features[0] = eye_int16(means[7]);
  features[1] = eye_int16(means[6]);
  features[2] = eye_int16(all / 8);
}

/// What the whole picture's maps have: mask, border, and the share (1/1024) of corners.
typedef struct frame_maps {
  int32_t mask, border, corners;
} frame_maps;

static void look(const vf_eye *eye, const eye_quad *quad, const components *found,
                 const frame_maps *frame, int16_t *features) {
  enum { BS = 6, MO = 18, MI = 26, VA = 38, CORNERS = 42, IB = 4 };
  int16_t *start = features;
  eye_side sides[4];
  side_maps maps[4];
  for (int i = 0; i < 4; i++) {
    sides[i] = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]);
    maps[i] = look_along(eye, &sides[i]);
  }
  eye_point grid[POINTS];
  for (int32_t i = 0; i < POINTS; i++) {
    int32_t v = (i / GRID * 2 + 1) * 65536 / (2 * GRID),
            u = (i % GRID * 2 + 1) * 65536 / (2 * GRID);
    grid[i] = eye_between(eye_between(quad->p[0], quad->p[3], v),
                          eye_between(quad->p[1], quad->p[2], v), u);
  }
  look_inside(eye, grid, features);
  features += 6;
#define PUT(field)                                                                                 \
  eye_put_four(features, maps[0].field, maps[1].field, maps[2].field, maps[3].field);              \
  features += 4
  PUT(border);
  PUT(share);
  PUT(tolerant);
  PUT(outer);
  PUT(far);
  PUT(inner);
  for (int i = 0; i < 4; i++)
    maps[i].far = maps[i].inner - maps[i].outer;
  PUT(far);
  PUT(residual);
  PUT(agreement);
#undef PUT
  look_at_corners(eye, quad, features);
  look_beyond(eye, sides, features + 6);
  features += 9;
  int64_t area = eye_area2(quad) >> 9;
  for (int i = 0; i < 2; i++, features += 5)
    compare_components(eye, &found[i], grid, area, features);
  *features++ = eye_int16(frame->mask);
  *features++ = eye_int16(frame->border);
  *features++ = eye_int16(frame->corners);
  int64_t cells = eye->map_width * eye->map_height;
  *features++ = eye_int16(eye_root((uint64_t)(area * 256 / eye_max64(cells, 1))));
  // One sum of what tells most.
  const int16_t *f = start;
  *features++ = eye_int16(2 * f[0] + 2 * f[BS] + f[BS + 2] + f[VA] + f[VA + 2] + f[CORNERS] +
                          f[CORNERS + 5] + f[MI] - f[MO + 3] - f[IB]);
}

void eye_map_features(vf_eye *eye) {
  enum { INS = 0, BS_MIN = 6, VA_MIN = 38, KIOU = 51, NS = 65, RELATIVE = 66 };
  static const int32_t relatives[5] = {NS, KIOU, BS_MIN, VA_MIN, INS};
  if (eye->map_width < 2 || eye->map_height < 2)
    return;
  components found[2];
  find_components(eye, 128, &found[0]);
  find_components(eye, 56, &found[1]);
  frame_maps frame = {0};
  int32_t cells = eye->map_width * eye->map_height;
  for (int32_t i = 0; i < cells; i++) {
    frame.mask += eye->chances[0][i];
    frame.border += eye->chances[1][i];
    frame.corners += eye->chances[2][i] > 102;
  }
  frame.mask /= cells;
  frame.border /= cells;
  frame.corners = frame.corners * 1024 / cells;
  for (int32_t n = 0; n < eye->count; n++) {
    // Working pixels to cells: both count from the pixels' corners.
    eye_quad quad = eye->proposals[n].quad;
    for (int i = 0; i < 4; i++) {
      quad.p[i].x = ((quad.p[i].x + 128) * eye->small_width / eye->width - 512) / 4;
      quad.p[i].y = ((quad.p[i].y + 128) * eye->small_height / eye->height - 512) / 4;
    }
    look(eye, &quad, found, &frame, eye->features[n] + EYE_GEOMETRY_FEATURES);
  }
  for (int k = 0; k < 5; k++) {
    int16_t most = INT16_MIN;
    for (int32_t n = 0; n < eye->count; n++) {
      int16_t value = eye->features[n][EYE_GEOMETRY_FEATURES + relatives[k]];
      most = value > most ? value : most;
    }
    for (int32_t n = 0; n < eye->count; n++) {
      int16_t *features = eye->features[n] + EYE_GEOMETRY_FEATURES;
      features[RELATIVE + k] = eye_int16(features[relatives[k]] - most);
    }
  }
}
