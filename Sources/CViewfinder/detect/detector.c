#include "detect/detector.h"

#include <errno.h>
#include <stdlib.h>

#include "detect/perspective.h"
#include "detect/workspace.h"
#include "failure.h"

vf_point eye_point_out(eye_point point) {
  return (vf_point){(point.x + 128) / 256.0, (point.y + 128) / 256.0};
}

eye_point eye_point_in(vf_point point) {
  return (eye_point){(int32_t)(point.x * 256) - 128, (int32_t)(point.y * 256) - 128};
}

vf_detector *vf_detector_create(vf_failure *failure) {
  vf_detector *detector = malloc(sizeof *detector);
  vf_eye *eye = detector ? vf_eye_create() : NULL;
  if (!eye) {
    free(detector);
    vf_fail(failure, ENOMEM, "malloc", NULL);
    return NULL;
  }
  detector->eye = eye;
  return detector;
}

void vf_detector_destroy(vf_detector *detector) {
  if (!detector)
    return;
  vf_eye_destroy(detector->eye);
  free(detector);
}

double vf_detector_threshold(void) { return eye_default_threshold() / 32767.0; }

vf_candidate eye_describe(const vf_image *image, const eye_quad *quad,
                          const eye_refinement *refinement, double confidence) {
  vf_candidate candidate = {.confidence = confidence};
  int first = 0;
  for (int i = 1; i < 4; i++) {
    if (quad->p[i].x + quad->p[i].y < quad->p[first].x + quad->p[first].y)
      first = i;
  }
  for (int i = 0; i < 4; i++) {
    int from = (first + i) & 3;
    candidate.corners[i] = eye_point_out(quad->p[from]);
    candidate.support[i] = refinement->hits[from] / (double)EYE_PROFILES;
  }
  candidate.aspect = eye_straighten(candidate.corners, image->width, image->height).aspect;
  candidate.kind = eye_kind_of(candidate.aspect);
  eye_parts parts = eye_lay_out(image);
  candidate.has_round_corners = eye_has_round_corners(image, &parts, quad);
  return candidate;
}

int vf_detector_find(vf_detector *detector, const vf_image *image, double threshold,
                     vf_candidate *candidates, size_t count, vf_failure *failure) {
  vf_eye *eye = detector->eye;
  int code = vf_eye_look(eye, image, failure);
  if (code < 0)
    return code;
  int32_t picks[EYE_FINDS], picked = vf_eye_picks(eye, picks);
  eye_parts parts = eye_lay_out(image);
  size_t found = 0;
  for (int32_t i = 0; i < picked && found < count; i++) {
    const eye_proposal *proposal = &eye->proposals[picks[i]];
    double confidence = eye_confidence_of(proposal->presence) / 32767.0;
    if (!(confidence >= threshold))
      break;
    eye_quad quad = proposal->quad;
    for (int k = 0; k < 4; k++) {
      // Both count from the pictures' corners.
      quad.p[k].x = (int32_t)(((int64_t)quad.p[k].x + 128) * image->width / eye->width - 128);
      quad.p[k].y = (int32_t)(((int64_t)quad.p[k].y + 128) * image->height / eye->height - 128);
    }
    int32_t scale =
        (int32_t)(((int64_t)image->width + image->height) * 256 / (eye->width + eye->height));
    eye_refinement refinement = eye_refine(image, &parts, &quad, scale, scale * 8 / 5);
    candidates[found++] = eye_describe(image, &quad, &refinement, confidence);
  }
  return (int)found;
}
