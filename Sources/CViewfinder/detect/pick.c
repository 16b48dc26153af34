#include "detect/workspace.h"

// Of what was found, the surest stays, and not what overlaps it; of its near doubles that are all
// but as sure, the one that edges support best, and where they don't tell, that lies most exactly.

enum {
  /// How much less sure near doubles may be (1/32767).
  AS_SURE = 1638,
  /// By how much edges must support one better; 256 is a whole side. A card's shadow has soft ones.
  BETTER = 60,
};

static bool is_better(const eye_proposal *a, const eye_proposal *b) {
  return eye_abs(a->quick - b->quick) > BETTER ? a->quick > b->quick : a->exact > b->exact;
}

bool eye_overlap(const eye_quad *a, const eye_quad *b, int32_t limit) {
  int64_t first = eye_area2(a), second = eye_area2(b);
  // At most the smaller one is shared, and both together are at least the larger one.
  if (eye_min64(first, second) * 256 <= limit * eye_max64(first, second))
    return false;
  int64_t common = eye_common_area2(a, b);
  return common * 256 / eye_max64(first + second - common, 1) > limit;
}

int vf_eye_picks(vf_eye *eye, int32_t *picks) {
  int32_t presences[EYE_FINDS], order[EYE_FINDS], count = 0;
  for (int32_t i = 0; i < eye->count; i++)
    presences[i] = eye->proposals[i].presence;
  eye_order(presences, eye->count, order);
  for (int32_t n = 0; n < eye->count; n++) {
    bool is_free = true;
    for (int32_t k = 0; k < count && is_free; k++)
      is_free = !eye_overlap(&eye->proposals[order[n]].quad, &eye->proposals[picks[k]].quad,
                             EYE_LIES_ACROSS);
    if (!is_free)
      continue;
    const eye_proposal *surest = &eye->proposals[order[n]];
    int32_t best = order[n];
    for (int32_t k = n + 1; k < eye->count; k++) {
      const eye_proposal *other = &eye->proposals[order[k]];
      if (other->presence < surest->presence - AS_SURE)
        break;
      if (is_better(other, &eye->proposals[best]) &&
          eye_overlap(&surest->quad, &other->quad, EYE_ALL_BUT_SAME))
        best = order[k];
    }
    // It is the same card.
    eye->proposals[best].presence = surest->presence;
    picks[count++] = best;
  }
  return count;
}
