#include <math.h>

#include "detect/vector.h"
#include "detect/workspace.h"

// Where a side that hardly shows must lie: a card is a rectangle, so that it runs square to its
// neighbours, through one of the corners that it was given, which shows more often than the rest.

#pragma STDC FP_CONTRACT OFF

/// `a` and `times` × `b`.
static eye_vector add(eye_vector a, eye_vector b, double times) {
  return (eye_vector){a.x + b.x * times, a.y + b.y * times, a.z + b.z * times};
}

/// Makes a vector one long; what it is too short for stays, and isn't a number.
static eye_vector one_long(eye_vector a) {
  double length = sqrt(eye_vector_dot(a, a));
  return (eye_vector){a.x / length, a.y / length, a.z / length};
}

bool eye_complete(const vf_eye *eye, eye_quad *quad, int side, bool from_second) {
  // A usual camera's focal length is about the picture's longer side.
  double focal = eye_max(eye->width, eye->height) * 256.0;
  double x = eye->width * 128.0 - 128, y = eye->height * 128.0 - 128;
  // The side's ends, then the opposite ones; seen from the camera.
  eye_vector rays[4];
  for (int i = 0; i < 4; i++) {
    eye_point p = quad->p[(side + i) & 3];
    rays[i] = (eye_vector){(p.x - x) / focal, (p.y - y) / focal, 1};
  }
  // The neighbours' direction is where the planes meet in which they are seen; the side's is square
  // to that, in the plane in which the opposite side is seen.
  eye_vector along = one_long(
      eye_vector_cross(eye_vector_cross(rays[3], rays[0]), eye_vector_cross(rays[2], rays[1])));
  eye_vector across = one_long(eye_vector_cross(eye_vector_cross(rays[3], rays[2]), along));
  eye_vector normal = eye_vector_cross(along, across);
  eye_vector corners[4];
  double first = eye_vector_dot(normal, rays[0]);
  for (int i = 0; i < 4; i++) {
    double depth = eye_vector_dot(normal, rays[i]);
    // All of a card lies before the camera.
    if (!(depth * first > 0))
      return false;
    corners[i] = add((eye_vector){0}, rays[i], 1 / fabs(depth));
  }
  double length = from_second ? eye_vector_dot(add(corners[1], corners[2], -1), along)
                              : eye_vector_dot(add(corners[0], corners[3], -1), along);
  for (int i = 0; i < 2; i++) {
    eye_vector end = add(corners[3 - i], along, length);
    double u = end.x / end.z * focal + x, v = end.y / end.z * focal + y;
    if (!(end.z > 0 && fabs(u) < 4e6 && fabs(v) < 4e6))
      return false;
    quad->p[(side + i) & 3] = (eye_point){(int32_t)u, (int32_t)v};
  }
  return true;
}
