#include "detect/workspace.h"

enum {
  /// What two share of both together (1/256) so that they lie across each other, and how many such
  /// are kept: a card with many frames on it leaves room for the others.
  ACROSS = 128,
  MOST_ACROSS = 4,
};

static bool has_room(const eye_proposal *proposals, int32_t count, const eye_quad *quad) {
  int32_t near = eye_max(768, eye_size(quad) * 3 / 100), across = 0;
  for (int32_t i = 0; i < count; i++) {
    if (eye_corner_distance(&proposals[i].quad, quad) < near)
      return false;
    across += eye_overlap(&proposals[i].quad, quad, ACROSS);
    if (across == MOST_ACROSS)
      return false;
  }
  return true;
}

int32_t eye_keep_best(eye_shape *shapes, int32_t count, int32_t source, int32_t most,
                      eye_proposal *proposals) {
  int32_t kept = 0;
  for (int32_t n = 0; n < count && kept < most; n++) {
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
      best = shapes[i].score > shapes[best].score ? i : best;
    eye_proposal proposal = {
        .quad = shapes[best].quad, .quick = shapes[best].score, .source = source};
    shapes[best].score = INT32_MIN;
    if (has_room(proposals, kept, &proposal.quad))
      proposals[kept++] = proposal;
  }
  return kept;
}

void eye_propose(vf_eye *eye) {
  const eye_level *level = &eye->levels[0];
  eye_proposal found[EYE_ARMS + EYE_REGIONS + EYE_MARKS];
  int32_t count = eye_find_arms(eye, found);
  for (int32_t i = 0; i < count; i++)
    eye_snap(level, &found[i].quad, 563, 230);
  count += eye_find_regions(eye, found + count);
  count += eye_find_marks(eye, found + count);
  for (int32_t i = 0; i < count; i++)
    found[i].quick = eye_quick_support(level, &found[i].quad);
  // The best supported first, in the order in which they were found where that is equal.
  for (int32_t i = 1; i < count; i++) {
    eye_proposal proposal = found[i];
    int32_t j = i;
    for (; j > 0 && found[j - 1].quick < proposal.quick; j--)
      found[j] = found[j - 1];
    found[j] = proposal;
  }
  eye->count = 0;
  for (int32_t i = 0; i < count && eye->count < EYE_PROPOSALS; i++) {
    bool is_double = eye_area2(&found[i].quad) <= 0;
    for (int32_t k = 0; k < eye->count && !is_double; k++)
      is_double = eye_corner_distance(&eye->proposals[k].quad, &found[i].quad) < 640;
    if (!is_double)
      eye->proposals[eye->count++] = found[i];
  }
}
