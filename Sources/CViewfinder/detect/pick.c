#include "detect/workspace.h"

// Of proposals that overlap, the best stays; of its near doubles, the one that edges support most.

/// Whether what two quadrilaterals share is more than `limit` / 256 of both together.
static bool overlaps(const eye_quad *a, const eye_quad *b, int32_t limit) {
  int64_t first = eye_area2(a), second = eye_area2(b);
  // At most the smaller one is shared, and both together are at least the larger one.
  if (eye_min64(first, second) * 256 <= limit * eye_max64(first, second))
    return false;
  int64_t common = eye_common_area2(a, b);
  return common * 256 / eye_max64(first + second - common, 1) > limit;
}

/// Mean support of the sides, at both sizes; × 256.
static int32_t support(const vf_eye *eye, int32_t i) {
  const int16_t *f = eye->features[i];
  enum { HALF = (EYE_SIDE_FEATURES - 1) * 4 };
  return (f[0] + f[2] + f[HALF] + f[HALF + 2]) / 4;
}

int vf_eye_picks(const vf_eye *eye, int32_t *picks) {
  int32_t order[EYE_PROPOSALS], used[EYE_PICKS], count = 0;
  for (int32_t i = 0; i < eye->count; i++) {
    int32_t j = i;
    for (; j > 0 && eye->proposals[order[j - 1]].rank < eye->proposals[i].rank; j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
  for (int32_t n = 0; n < eye->count && count < EYE_PICKS; n++) {
    const eye_proposal *proposal = &eye->proposals[order[n]];
    bool is_free = true;
    for (int32_t k = 0; k < count && is_free; k++)
      is_free = !overlaps(&proposal->quad, &eye->proposals[used[k]].quad, 64) &&
                !overlaps(&proposal->quad, &eye->proposals[picks[k]].quad, 64);
    if (!is_free)
      continue;
    int32_t best = order[n], most = INT32_MIN;
    for (int32_t k = 0; k < eye->count; k++) {
      const eye_proposal *other = &eye->proposals[order[k]];
      if (other->rank < proposal->rank - 4915)
        break;
      if (!overlaps(&proposal->quad, &other->quad, 218))
        continue;
      int32_t value = other->rank * 10 + support(eye, order[k]) * 3 * 128;
      if (value > most) {
        most = value;
        best = order[k];
      }
    }
    used[count] = order[n];
    picks[count++] = best;
  }
  return count;
}
