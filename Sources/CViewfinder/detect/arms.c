#include "detect/workspace.h"

// U shapes: a full side (the base) between two arms at its ends, about square to it. A far side
// that is covered or faded is put where a card's proportions have it.

enum { BASES = 120, ARMS = 24, MOST_SHAPES = 256 };

/// A line that meets the base near one of its ends.
typedef struct arm {
  /// Where it meets the base, and how far along the base that is.
  eye_point at;
  int32_t along;
  /// Away from the base, 1/16384.
  int32_t dx, dy;
  /// How far it reaches, and the share of it that shows an edge (× 256).
  int32_t reach, cover;
} arm;

/// Whether the line, which is about square to the base, is an arm of it: ends of both must lie near
/// the corner.
static bool make_arm(const eye_line *base, const eye_line *line, arm *arm) {
  const eye_side *b = &base->side, *a = &line->side;
  if (!eye_meet(b->a, b->b, a->a, a->b, &arm->at))
    return false;
  int32_t t = eye_along(b, arm->at), s = eye_along(a, arm->at);
  int32_t outside = t < 0 ? -t : t > b->length ? t - b->length : 0;
  int32_t inside = eye_min(t, b->length - t);
  int32_t near = b->length * 15 / 100 + 1024, into = b->length * 12 / 100 + 1280;
  if (outside > near || inside > into)
    return false;
  outside = s < 0 ? -s : s > a->length ? s - a->length : 0;
  inside = eye_min(s, a->length - s);
  if (outside > near || inside > into)
    return false;
  arm->along = t;
  arm->cover = (int32_t)((int64_t)line->hits * 256 / a->length);
  bool is_backward = s > a->length - s;
  arm->dx = is_backward ? -a->dx : a->dx;
  arm->dy = is_backward ? -a->dy : a->dy;
  arm->reach = is_backward ? s : a->length - s;
  return true;
}

static void keep_shape(eye_shape *shapes, int32_t *count, const eye_shape *made) {
  if (*count < MOST_SHAPES) {
    shapes[(*count)++] = *made;
    return;
  }
  int32_t worst = 0;
  for (int32_t i = 1; i < *count; i++)
    worst = shapes[i].score < shapes[worst].score ? i : worst;
  if (shapes[worst].score < made->score)
    shapes[worst] = *made;
}

static eye_point go(const arm *arm, int64_t distance) {
  return (eye_point){arm->at.x + (int32_t)(arm->dx * distance / EYE_UNIT),
                     arm->at.y + (int32_t)(arm->dy * distance / EYE_UNIT)};
}

/// Two arms of a base, with the far side at each of the usual distances.
static void close_shape(const vf_eye *eye, const eye_line *base, const arm *a, const arm *c,
                        eye_shape *shapes, int32_t *count) {
  if ((int64_t)a->dx * c->dx + (int64_t)a->dy * c->dy < (int64_t)EYE_UNIT * EYE_UNIT * 9 / 10)
    return;
  int32_t width = eye_abs(a->along - c->along);
  if (width < eye_max(eye->width, eye->height) * 256 * 6 / 100)
    return;
  int32_t from = eye_max(eye_min(a->along, c->along), 0);
  int32_t to = eye_min(eye_max(a->along, c->along), base->side.length);
  int32_t covered = (int32_t)((int64_t)(to - from) * base->hits / base->side.length * 256 / width);
  if (covered < 154)
    return;
  // The arms' mean direction, about square to the base.
  int64_t mx = a->dx + c->dx, my = a->dy + c->dy, length = eye_root((uint64_t)(mx * mx + my * my));
  if (eye_abs64(mx * base->side.dx + my * base->side.dy) * 4 > length * EYE_UNIT)
    return;
  int64_t a_cosine = (a->dx * mx + a->dy * my) / length;
  int64_t c_cosine = (c->dx * mx + c->dy * my) / length;
  static const int32_t ratios[4] = {1434, 1624, 731, 646}; // 1.4, 1.586 and the other way; 1/1024.
  for (int i = 0; i < 4; i++) {
    int32_t depth = (int32_t)((int64_t)width * ratios[i] / 1024);
    if (a->reach * 100LL > depth * 112LL || c->reach * 100LL > depth * 112LL)
      continue;
    int32_t cover_a = (int32_t)((int64_t)eye_min(a->reach, depth) * a->cover / depth);
    int32_t cover_c = (int32_t)((int64_t)eye_min(c->reach, depth) * c->cover / depth);
    if (cover_a < 51 || cover_c < 51 || cover_a + cover_c < 205)
      continue;
    eye_shape made = {.quad = {{a->at, c->at, go(c, depth * (int64_t)EYE_UNIT / c_cosine),
                                go(a, depth * (int64_t)EYE_UNIT / a_cosine)}},
                      .score = covered + cover_a + cover_c};
    if (eye_is_plausible(eye, &made.quad))
      keep_shape(shapes, count, &made);
  }
}

int32_t eye_find_arms(vf_eye *eye, eye_proposal proposals[EYE_ARMS]) {
  eye_shape shapes[MOST_SHAPES];
  int32_t count = 0;
  for (int32_t b = 0; b < eye_min(eye->line_count, BASES); b++) {
    const eye_line *base = &eye->lines[b];
    arm arms[ARMS];
    int32_t found = 0;
    // Lines whose sine with the base is at least 0.77. They are ranked, so that the first arms are
    // the best.
    static const int32_t least = (int32_t)(((int64_t)EYE_UNIT * EYE_UNIT * 77 + 99) / 100);
    uint64_t square[EYE_LINES / 64];
    eye->kernels->mask_products(square, eye->directions[0], (int16_t)-base->side.dy,
                                (int16_t)base->side.dx, -least, least, eye->line_count);
    for (int32_t word = 0; word * 64 < eye->line_count; word++) {
      for (uint64_t bits = square[word]; bits && found < ARMS; bits &= bits - 1)
        found += make_arm(base, &eye->lines[word * 64 + __builtin_ctzll(bits)], &arms[found]);
    }
    for (int32_t i = 0; i < found; i++) {
      for (int32_t k = i + 1; k < found; k++)
        close_shape(eye, base, &arms[i], &arms[k], shapes, &count);
    }
  }
  for (int32_t i = 0; i < count; i++)
    shapes[i].score = eye_quick_support(&eye->levels[0], &shapes[i].quad);
  return eye_keep_best(shapes, count, EYE_SOURCE_ARMS, EYE_ARMS, proposals);
}
