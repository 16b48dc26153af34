#include "detect/workspace.h"

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
