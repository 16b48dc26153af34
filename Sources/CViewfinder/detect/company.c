#include "detect/workspace.h"

// What a find's company is: what the first stage of judging says of all else that was found. Cards
// lie beside cards of their size, and where one is sure, what lies across it is none.

typedef enum eye_relation {
  EYE_APART,
  EYE_ACROSS,
  EYE_DOUBLE,
  /// One in the other, or little of it.
  EYE_NESTED,
  EYE_RELATIONS,
} eye_relation;

/// What of a find is compared.
typedef struct eye_measure {
  int64_t area;
  /// Opposite sides together, the longer ones and the others.
  int32_t longer, shorter;
} eye_measure;

static eye_measure measure(const eye_quad *quad) {
  int32_t lengths[4];
  for (int i = 0; i < 4; i++)
    lengths[i] = eye_side_make(quad->p[i], quad->p[(i + 1) & 3]).length;
  int32_t a = lengths[0] + lengths[2], b = lengths[1] + lengths[3];
  return (eye_measure){eye_area2(quad), eye_max(a, b), eye_min(a, b)};
}

/// Within an eighth.
static bool is_like(int64_t a, int64_t b) { return eye_max64(a, b) * 8 <= eye_min64(a, b) * 9; }

static bool is_same(const eye_measure *a, const eye_measure *b) {
  return is_like(a->longer, b->longer) && is_like(a->shorter, b->shorter);
}

static eye_relation relation_of(const vf_eye *eye, const eye_measure *measures, int32_t i,
                                int32_t j) {
  int64_t common = eye_common_area2(&eye->proposals[i].quad, &eye->proposals[j].quad);
  int64_t a = measures[i].area, b = measures[j].area;
  if (common * 8 < eye_min64(a, b))
    return EYE_APART;
  int64_t share = common * 256 / eye_max64(a + b - common, 1);
  return share >= EYE_ALL_BUT_SAME ? EYE_DOUBLE : share > EYE_LIES_ACROSS ? EYE_ACROSS : EYE_NESTED;
}

void vf_eye_company(const vf_eye *eye, const int16_t *presences, int16_t *company) {
  int32_t count = eye_min(eye->count, EYE_FINDS), best = 0;
  eye_measure measures[EYE_FINDS];
  // How many are found where each is, itself among them.
  int32_t doubles[EYE_FINDS];
  uint8_t relations[EYE_FINDS][EYE_FINDS];
  for (int32_t i = 0; i < count; i++) {
    measures[i] = measure(&eye->proposals[i].quad);
    doubles[i] = 1;
    best = eye_max(best, presences[i]);
    for (int32_t j = 0; j < i; j++) {
      eye_relation relation = relation_of(eye, measures, i, j);
      relations[i][j] = relations[j][i] = (uint8_t)relation;
      doubles[i] += relation == EYE_DOUBLE;
      doubles[j] += relation == EYE_DOUBLE;
    }
  }
  for (int32_t i = 0; i < count; i++) {
    // The surest of each place; of those apart, the surest of like area and with the same sides,
    // and how sure these are together, each once.
    int32_t surest[EYE_RELATIONS] = {0}, alike = 0, same = 0, together = 0;
    for (int32_t j = 0; j < count; j++) {
      if (j == i)
        continue;
      int32_t presence = presences[j];
      surest[relations[i][j]] = eye_max(surest[relations[i][j]], presence);
      if (relations[i][j] != EYE_APART)
        continue;
      if (eye_are_alike(measures[i].area, measures[j].area))
        alike = eye_max(alike, presence);
      if (is_same(&measures[i], &measures[j])) {
        same = eye_max(same, presence);
        together += presence / doubles[j];
      }
    }
    *company++ = presences[i];
    *company++ = (int16_t)surest[EYE_APART];
    *company++ = (int16_t)alike;
    *company++ = (int16_t)same;
    *company++ = eye_int16(together / 4);
    *company++ = (int16_t)surest[EYE_ACROSS];
    *company++ = (int16_t)surest[EYE_DOUBLE];
    *company++ = (int16_t)surest[EYE_NESTED];
    *company++ = (int16_t)best;
  }
}
