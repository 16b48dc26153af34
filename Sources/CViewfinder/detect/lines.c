#include <string.h>

#include "detect/workspace.h"

// Straight edges, traced at half size, for U shapes and for what runs beside a side. From the
// strongest pixels on, one step at a time, with a line fitted to all that was met so far.

enum { LEAST = 9, MOST_FOUND = 512, MOST_TRACED = 448, MOST_MERGED = 256, MOST_SEEDS = 6000 };

/// A line as it is traced, in 1/256 pixel of the half size.
typedef struct trace {
  eye_fit fit;
  eye_point middle;
  int32_t dx, dy;
  int32_t count;
  int64_t magnitudes;
} trace;

static eye_point edge_at(const eye_level *level, eye_place place) {
  eye_edge edge = level->edges[place.y * level->width + place.x];
  return (eye_point){place.x * 256 + 2 * edge.x, place.y * 256 + 2 * edge.y};
}

/// The edges' places, the strongest first.
static void sort_seeds(vf_eye *eye, const eye_level *level) {
  enum { BINS = 512 };
  int32_t starts[BINS + 1] = {0};
  for (int32_t i = 0; i < level->edge_count; i++) {
    eye_place at = level->places[i];
    starts[BINS - eye_min(level->magnitude[at.y * level->width + at.x] >> 4, BINS - 1)]++;
  }
  for (int32_t i = 0; i < BINS; i++)
    starts[i + 1] += starts[i];
  for (int32_t i = 0; i < level->edge_count; i++) {
    eye_place at = level->places[i];
    int32_t bin = BINS - 1 - eye_min(level->magnitude[at.y * level->width + at.x] >> 4, BINS - 1);
    eye->seeds[starts[bin]++] = at;
  }
}

static void turn_alike(int32_t *dx, int32_t *dy, int32_t like_x, int32_t like_y) {
  if ((int64_t)*dx * like_x + (int64_t)*dy * like_y < 0) {
    *dx = -*dx;
    *dy = -*dy;
  }
}

typedef enum outcome { MISSED, HIT, LEFT } outcome;

/// The edge pixel near `at` that continues the line best.
static outcome next_pixel(const vf_eye *eye, const eye_level *level, const trace *trace,
                          eye_point at, eye_place *hit) {
  int32_t x = eye_round(at.x), y = eye_round(at.y), width = level->width, height = level->height;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
    return LEFT;
  // Three pixels across the line, which lie together in one of the two orders.
  bool is_flat = eye_abs(trace->dx) > eye_abs(trace->dy);
  const uint8_t *open =
      is_flat ? eye->is_open_down + x * height + y - 1 : eye->is_open + y * width + x - 1;
  if (!(open[0] | open[1] | open[2]))
    return MISSED;
  outcome result = MISSED;
  int32_t limit = trace->count < 8 ? 333 : 282, dx = trace->dx, dy = trace->dy;
  for (int32_t step = -1; step <= 1; step++) {
    if (!open[step + 1])
      continue;
    int32_t u = is_flat ? x : x + step, v = is_flat ? y + step : y, i = v * width + u;
    int32_t gx = level->gx[i], gy = level->gy[i];
    int64_t dot = (gy * dx - gx * dy) >> 14;
    if (dot * dot * 100 < ((int64_t)gx * gx + (int64_t)gy * gy) * 81)
      continue;
    eye_edge edge = level->edges[i];
    eye_point d = {u * 256 + 2 * edge.x - trace->middle.x, v * 256 + 2 * edge.y - trace->middle.y};
    int32_t off = eye_abs((int32_t)(((int64_t)d.y * dx - (int64_t)d.x * dy) >> 14));
    if (off < limit) {
      limit = off;
      *hit = (eye_place){(int16_t)u, (int16_t)v};
      result = HIT;
    }
  }
  return result;
}

static void set_open(vf_eye *eye, const eye_level *level, eye_place at, uint8_t is_open) {
  eye->is_open[at.y * level->width + at.x] = is_open;
  eye->is_open_down[at.x * level->height + at.y] = is_open;
}

/// Follows an edge both ways from a seed. `places` has room for as many as a line can have.
static int32_t follow(const vf_eye *eye, const eye_level *level, eye_place seed, trace *trace,
                      eye_place *places, int32_t room) {
  eye_point origin = edge_at(level, seed);
  int32_t i = seed.y * level->width + seed.x;
  eye_side gradient = eye_side_make((eye_point){0}, (eye_point){level->gx[i], level->gy[i]});
  *trace = (struct trace){.middle = origin, .dx = -gradient.dy, .dy = gradient.dx, .count = 1};
  eye_fit_add(&trace->fit, origin, 1);
  trace->magnitudes = level->magnitude[i];
  places[0] = seed;
  for (int32_t sign = 1; sign >= -1; sign -= 2) {
    int32_t missed = 0;
    for (int32_t t = 1; trace->count < room; t++) {
      eye_point d = eye_minus(origin, trace->middle);
      int64_t along =
          (((int64_t)d.x * trace->dx + (int64_t)d.y * trace->dy) >> 14) + sign * t * 256;
      eye_point at = {trace->middle.x + (int32_t)((along * trace->dx) >> 14),
                      trace->middle.y + (int32_t)((along * trace->dy) >> 14)};
      eye_place hit;
      outcome outcome = next_pixel(eye, level, trace, at, &hit);
      if (outcome == LEFT)
        break;
      if (outcome == MISSED) {
        if (++missed > eye_min(8, 3 + trace->count / 12))
          break;
        continue;
      }
      missed = 0;
      eye_place last = places[trace->count - 1];
      if (last.x == hit.x && last.y == hit.y)
        continue;
      places[trace->count++] = hit;
      eye_fit_add(&trace->fit, edge_at(level, hit), 1);
      trace->magnitudes += level->magnitude[hit.y * level->width + hit.x];
      // Often while a pixel more turns the line much, seldom later.
      if (trace->count >= 5 && (trace->count < 12 || trace->count % 4 == 0)) {
        int32_t dx, dy;
        eye_fit_line(&trace->fit, &trace->middle, &dx, &dy);
        turn_alike(&dx, &dy, trace->dx, trace->dy);
        trace->dx = dx;
        trace->dy = dy;
      }
    }
  }
  return trace->count;
}

/// Traces the lines of one size, of which a pixel is `scale` pixels of the working size.
static void trace_lines(vf_eye *eye, const eye_level *level, int32_t scale, int32_t most) {
  memset(eye->is_open, 0, (size_t)(level->width * level->height));
  memset(eye->is_open_down, 0, (size_t)(level->width * level->height));
  for (int32_t i = 0; i < level->edge_count; i++)
    set_open(eye, level, level->places[i], 1);
  sort_seeds(eye, level);
  eye_place places[2 * EYE_SIDE];
  // The weakest edges of a picture full of texture are no borders.
  int32_t seeds = eye_min(level->edge_count, MOST_SEEDS);
  for (int32_t s = 0; s < seeds && eye->line_count < most; s++) {
    eye_place seed = eye->seeds[s];
    if (!eye->is_open[seed.y * level->width + seed.x])
      continue;
    trace trace;
    int32_t count = follow(eye, level, seed, &trace, places, 2 * EYE_SIDE);
    set_open(eye, level, seed, 0);
    if (count < LEAST)
      continue;
    eye_fit_line(&trace.fit, &trace.middle, &trace.dx, &trace.dy);
    int64_t low = INT32_MAX, high = INT32_MIN;
    for (int32_t i = 0; i < count; i++) {
      eye_point d = eye_minus(edge_at(level, places[i]), trace.middle);
      int64_t along = ((int64_t)d.x * trace.dx + (int64_t)d.y * trace.dy) >> 14;
      low = eye_min64(low, along);
      high = eye_max64(high, along);
    }
    if (high - low < LEAST * 256 || count * 256 * 100 < 55 * (high - low))
      continue;
    for (int32_t i = 0; i < count; i++)
      set_open(eye, level, places[i], 0);
    // To the working size, where centres lie half a pixel on.
    eye_point ends[2];
    int64_t along[2] = {low, high};
    for (int i = 0; i < 2; i++)
      ends[i] = (eye_point){
          (int32_t)(trace.middle.x + ((along[i] * trace.dx) >> 14)) * scale + (scale - 1) * 128,
          (int32_t)(trace.middle.y + ((along[i] * trace.dy) >> 14)) * scale + (scale - 1) * 128};
    eye->found_lines[eye->line_count++] =
        (eye_line){.side = eye_side_make(ends[0], ends[1]),
                   .hits = count * 256 * scale,
                   .magnitude = (int32_t)(trace.magnitudes / count)};
  }
}

static void sort_lines(eye_line *lines, int32_t count, bool by_score) {
  struct {
    int64_t key;
    int32_t place;
  } keys[MOST_FOUND];
  eye_line before[MOST_FOUND];
  for (int32_t i = 0; i < count; i++) {
    before[i] = lines[i];
    keys[i].key = by_score ? lines[i].score : lines[i].side.length;
    keys[i].place = i;
  }
  // Shell's sort: no recursion, no memory, and the same order everywhere.
  for (int32_t gap = 364; gap > 0; gap /= 3) {
    for (int32_t i = gap; i < count; i++) {
      int64_t key = keys[i].key;
      int32_t place = keys[i].place, j = i;
      for (; j >= gap && keys[j - gap].key < key; j -= gap)
        keys[j] = keys[j - gap];
      keys[j].key = key;
      keys[j].place = place;
    }
  }
  for (int32_t i = 0; i < count; i++)
    lines[i] = before[keys[i].place];
}

static void keep_directions(int16_t (*directions)[2], const eye_line *lines, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    directions[i][0] = (int16_t)lines[i].side.dx;
    directions[i][1] = (int16_t)lines[i].side.dy;
  }
}

static int32_t cosine(const eye_side *a, const eye_side *b) {
  return eye_abs((int32_t)(((int64_t)a->dx * b->dx + (int64_t)a->dy * b->dy) >> 14));
}

/// Where `b` lies along `a`, and how far its ends are from a's line.
typedef struct relation {
  int32_t low, high, off;
} relation;

static relation relate(const eye_side *a, const eye_side *b) {
  int32_t t1 = eye_along(a, b->a), t2 = eye_along(a, b->b);
  return (relation){eye_min(t1, t2), eye_max(t1, t2),
                    eye_max(eye_abs(eye_across(a, b->a)), eye_abs(eye_across(a, b->b)))};
}

static eye_line join(const eye_line *a, const eye_line *b) {
  const eye_line *both[2] = {a, b};
  eye_fit fit = {0};
  eye_point origin = a->side.a;
  for (int k = 0; k < 2; k++) {
    int32_t parts = eye_max(2, both[k]->side.length / 1024);
    for (int32_t i = 0; i <= parts; i++)
      eye_fit_add(
          &fit, eye_minus(eye_between(both[k]->side.a, both[k]->side.b, i * 65536 / parts), origin),
          1);
  }
  eye_point middle;
  int32_t dx, dy;
  eye_fit_line(&fit, &middle, &dx, &dy);
  middle = (eye_point){middle.x + origin.x, middle.y + origin.y};
  int64_t low = INT32_MAX, high = INT32_MIN;
  for (int k = 0; k < 4; k++) {
    eye_point d = eye_minus(k % 2 ? both[k / 2]->side.b : both[k / 2]->side.a, middle);
    int64_t along = ((int64_t)d.x * dx + (int64_t)d.y * dy) / EYE_UNIT;
    low = eye_min64(low, along);
    high = eye_max64(high, along);
  }
  eye_point from = {middle.x + (int32_t)(low * dx / EYE_UNIT),
                    middle.y + (int32_t)(low * dy / EYE_UNIT)};
  eye_point to = {middle.x + (int32_t)(high * dx / EYE_UNIT),
                  middle.y + (int32_t)(high * dy / EYE_UNIT)};
  int32_t hits = a->hits + b->hits;
  eye_line line = {.side = eye_side_make(from, to), .hits = hits};
  line.magnitude =
      (int32_t)(((int64_t)a->magnitude * a->hits + (int64_t)b->magnitude * b->hits) / hits);
  line.hits = eye_min(hits, line.side.length);
  return line;
}

/// Adds lines over gaps; what they are made of stays.
static void merge_lines(vf_eye *eye) {
  eye_line *lines = eye->found_lines;
  sort_lines(lines, eye->line_count, false);
  int32_t count = eye_min(eye->line_count, MOST_MERGED), made = count;
  int16_t directions[MOST_MERGED][2];
  keep_directions(directions, lines, count);
  for (int32_t i = 0; i < count && lines[i].side.length >= 14 * 256; i++) {
    eye_line line = lines[i];
    uint64_t is_in[MOST_MERGED / 64] = {0};
    is_in[i / 64] = (uint64_t)1 << i % 64;
    for (int32_t round = 0; round < 6; round++) {
      int32_t nearest = -1, nearest_gap = INT32_MAX;
      uint64_t alike[MOST_MERGED / 64];
      eye_mask_alike(eye, alike, directions, &line.side, 16138, count);
      for (int32_t word = 0; word * 64 < count; word++) {
        for (uint64_t bits = alike[word] & ~is_in[word]; bits; bits &= bits - 1) {
          int32_t j = word * 64 + __builtin_ctzll(bits);
          const eye_side *other = &lines[j].side;
          if (other->length >= 25 * 256 && cosine(&line.side, other) < 16302)
            continue;
          relation place = relate(&line.side, other);
          int32_t gap = place.low > line.side.length ? place.low - line.side.length
                        : place.high < 0             ? -place.high
                                                     : 0;
          if (place.off > 384 + gap / 50)
            continue;
          if (place.low >= -256 && place.high <= line.side.length + 256) {
            is_in[word] |= bits & -bits;
            continue;
          }
          int32_t longer = eye_max(line.side.length, other->length);
          int32_t shorter = eye_min(line.side.length, other->length);
          if (gap * 10 > longer * 13 || gap > 3 * shorter + 6 * 256 || gap >= nearest_gap)
            continue;
          nearest = j;
          nearest_gap = gap;
        }
      }
      if (nearest < 0)
        break;
      is_in[nearest / 64] |= (uint64_t)1 << nearest % 64;
      line = join(&line, &lines[nearest]);
      if (made < MOST_FOUND)
        lines[made++] = line;
    }
  }
  eye->line_count = made;
}

/// How many lines run beside each, as a share of its length (1/256).
static void count_neighbours(const vf_eye *eye, int32_t count, int32_t *neighbours) {
  const eye_line *lines = eye->found_lines;
  int16_t directions[MOST_MERGED][2];
  keep_directions(directions, lines, count);
  for (int32_t i = 0; i < count; i++) {
    const eye_side *side = &lines[i].side;
    uint64_t alike[MOST_MERGED / 64];
    eye_mask_alike(eye, alike, directions, side, 15892, count);
    alike[i / 64] &= ~((uint64_t)1 << i % 64);
    eye_side through = *side;
    through.a = (eye_point){(side->a.x + side->b.x) / 2, (side->a.y + side->b.y) / 2};
    int32_t sum = 0;
    for (int32_t word = 0; word * 64 < count; word++) {
      for (uint64_t bits = alike[word]; bits; bits &= bits - 1) {
        int32_t j = word * 64 + __builtin_ctzll(bits);
        const eye_side *other = &lines[j].side;
        if (lines[j].magnitude * 5 < lines[i].magnitude * 3)
          continue;
        eye_point middle = {(other->a.x + other->b.x) / 2, (other->a.y + other->b.y) / 2};
        int32_t away = eye_abs(eye_across(&through, middle));
        if (away < 640 || away > 22 * 256)
          continue;
        int32_t t1 = eye_along(side, other->a), t2 = eye_along(side, other->b);
        int32_t low = eye_max(eye_min(t1, t2), 0), high = eye_min(eye_max(t1, t2), side->length);
        if (high > low)
          sum += (int32_t)((int64_t)(high - low) * 256 / side->length);
      }
    }
    neighbours[i] = sum;
  }
}

/// Whether a line better than this one runs where it does.
static bool is_double(const vf_eye *eye, const eye_side *side, int32_t kept) {
  uint64_t alike[EYE_LINES / 64];
  eye_mask_alike(eye, alike, eye->directions, side, 16302, kept);
  for (int32_t word = 0; word * 64 < kept; word++) {
    for (uint64_t bits = alike[word]; bits; bits &= bits - 1) {
      const eye_side *other = &eye->lines[word * 64 + __builtin_ctzll(bits)].side;
      relation place = relate(other, side);
      if (place.off <= 307 && cosine(other, side) >= 16368 && place.low > -768 &&
          place.high < other->length + 768 && side->length * 4 > other->length * 3)
        return true;
      if (place.off <= 384 && place.low > -512 && place.high < other->length + 512 &&
          side->length * 4 < other->length && side->length < 30 * 256)
        return true;
    }
  }
  return false;
}

/// Ranks lines: long, without gaps, strong, and not one of many that run side by side, which print
/// and stripes are.
static void rank_lines(vf_eye *eye) {
  eye_line *lines = eye->found_lines;
  for (int32_t i = 0; i < eye->line_count; i++) {
    const eye_line *line = &lines[i];
    int64_t whole = line->hits / 2 + (int64_t)line->hits * line->hits / (2 * line->side.length);
    lines[i].score = whole * whole / 256 * eye_min(line->magnitude, 30 * 128) / 256;
  }
  sort_lines(lines, eye->line_count, true);
  int32_t count = eye_min(eye->line_count, MOST_MERGED), neighbours[MOST_MERGED];
  count_neighbours(eye, count, neighbours);
  for (int32_t i = 0; i < count; i++)
    lines[i].score = lines[i].score * 256 / (256 + neighbours[i]);
  sort_lines(lines, count, true);

  // The best, without doubles.
  int32_t kept = 0;
  for (int32_t i = 0; i < count && kept < EYE_LINES; i++) {
    if (is_double(eye, &lines[i].side, kept))
      continue;
    eye->lines[kept] = lines[i];
    keep_directions(eye->directions + kept, &lines[i], 1);
    kept++;
  }
  eye->line_count = kept;
}

void eye_find_lines(vf_eye *eye) {
  eye->line_count = 0;
  trace_lines(eye, &eye->levels[1], 2, MOST_TRACED / 2);
  trace_lines(eye, &eye->levels[0], 1, MOST_TRACED);
  merge_lines(eye);
  rank_lines(eye);
}
