#include "detect/perspective.h"

#include <errno.h>
#include <math.h>

#include "detect/vector.h"
#include "failure.h"
#include "vf_detect.h"

// The proportions of a rectangle from one view of it (Zhang and He, 2007). Its vanishing points
// tell the focal length when it is seen at a slant; when they don't, a usual camera's is taken,
// which then matters little. Nothing is decided by these numbers: they are told as they are.

#pragma STDC FP_CONTRACT OFF

/// The angle whose cosine is `cosine`, in degrees, within 0.004.
static double angle_of(double cosine) {
  double c = cosine > 1 ? 1 : cosine < 0 ? 0 : cosine;
  double radians = sqrt(1 - c) * (1.5707288 + c * (-0.2121144 + c * (0.0742610 - c * 0.0187293)));
  return radians * 57.29577951308232;
}

eye_rectangle eye_straighten(const vf_point corners[4], uint32_t width, uint32_t height) {
  double longest = width > height ? width : height;
  eye_vector m[4];
  // In units of the picture's longer side, from its middle.
  for (int i = 0; i < 4; i++)
    m[i] = (eye_vector){(corners[i].x - width / 2.0) / longest,
                        (corners[i].y - height / 2.0) / longest, 1};
  // Corners in the order top left, top right, bottom left, bottom right of the paper.
  eye_vector m1 = m[0], m2 = m[1], m3 = m[3], m4 = m[2];
  eye_vector across = eye_vector_cross(m1, m4);
  double k2 = eye_vector_dot(across, m3) / eye_vector_dot(eye_vector_cross(m2, m4), m3);
  double k3 = eye_vector_dot(across, m2) / eye_vector_dot(eye_vector_cross(m3, m4), m2);
  eye_vector n2 = {k2 * m2.x - m1.x, k2 * m2.y - m1.y, k2 - 1};
  eye_vector n3 = {k3 * m3.x - m1.x, k3 * m3.y - m1.y, k3 - 1};
  // The square of the focal length: of phones and webcams it is 0.65 to 1.6 of the longer side.
  double squared = 0.85 * 0.85, scale = n2.z * n3.z;
  if (fabs(scale) > 1e-3) {
    squared = -(n2.x * n3.x + n2.y * n3.y) / scale;
    squared = squared < 0.42 ? 0.42 : squared > 2.6 ? 2.6 : squared;
  }
  double focal = sqrt(squared);
  eye_vector u = {n2.x / focal, n2.y / focal, n2.z}, v = {n3.x / focal, n3.y / focal, n3.z};
  double a = sqrt(eye_vector_dot(u, u)), b = sqrt(eye_vector_dot(v, v));
  eye_vector normal = eye_vector_cross(u, v);
  double length = sqrt(eye_vector_dot(normal, normal));
  eye_rectangle result = {1, 0};
  if (a > 0 && b > 0 && a < 1e9 && b < 1e9)
    result.aspect = a > b ? a / b : b / a;
  if (length > 0)
    result.slant = angle_of(fabs(normal.z) / length);
  return result;
}

uint32_t eye_kind_of(double aspect) {
  if (aspect > 1.48 && aspect < 1.8)
    return VF_KIND_CARD;
  return aspect > 1.26 && aspect < 1.46 ? VF_KIND_SHEET : VF_KIND_OTHER;
}

int vf_describe(vf_candidate *candidate, const vf_point corners[4], uint32_t width, uint32_t height,
                vf_failure *failure) {
  double limit = 4.0 * (width > height ? width : height);
  vf_candidate described = {.confidence = 1};
  for (int i = 0; i < 4; i++) {
    vf_point a = corners[i], b = corners[(i + 1) & 3], c = corners[(i + 2) & 3];
    // Also what isn't a number.
    if (!(fabs(a.x) < limit && fabs(a.y) < limit))
      return vf_fail(failure, EINVAL, "outline", "corner %d at (%g, %g)", i, a.x, a.y);
    if (!((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) >= 1))
      return vf_fail(failure, EINVAL, "outline", "corners that aren't clockwise and convex");
    described.corners[i] = a;
    described.support[i] = 1;
  }
  described.aspect = eye_straighten(corners, width, height).aspect;
  described.kind = eye_kind_of(described.aspect);
  *candidate = described;
  return 0;
}
