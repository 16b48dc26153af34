#ifndef VF_CORE_DETECT_VECTOR_H
#define VF_CORE_DETECT_VECTOR_H

// Vectors in space. Sums of products are rounded as they stand, so that every processor gives the
// same.

#pragma STDC FP_CONTRACT OFF

typedef struct eye_vector {
  double x, y, z;
} eye_vector;

static inline eye_vector eye_vector_cross(eye_vector a, eye_vector b) {
  return (eye_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double eye_vector_dot(eye_vector a, eye_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
