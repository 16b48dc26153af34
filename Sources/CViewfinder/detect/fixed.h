#ifndef VF_CORE_DETECT_FIXED_H
#define VF_CORE_DETECT_FIXED_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The arithmetic of the card eye. Everything is whole numbers, so that each machine, compiler and
// vector set finds the same corners: coordinates are 1/256 of a pixel, directions 1/16384.

/// A point or a difference of points, in 1/256 pixel; whole coordinates are pixels' centres.
typedef struct eye_point {
  int32_t x, y;
} eye_point;

/// Four corners, clockwise (y points down).
typedef struct eye_quad {
  eye_point p[4];
} eye_quad;

/// A straight piece from `a` to `b`.
typedef struct eye_side {
  eye_point a, b;
  /// Its direction, in 1/16384. Turned by a quarter, (−dy, dx) points to the inside of a clockwise
  /// quadrilateral.
  int32_t dx, dy;
  /// Its length, in 1/256 pixel; at least 1.
  int32_t length;
} eye_side;

enum { EYE_UNIT = 16384, EYE_PIXEL = 256 };

static inline int32_t eye_min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t eye_max(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int64_t eye_min64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t eye_max64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int32_t eye_abs(int32_t a) { return a < 0 ? -a : a; }
static inline int64_t eye_abs64(int64_t a) { return a < 0 ? -a : a; }

static inline int32_t eye_clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

/// To the nearest pixel.
static inline int32_t eye_round(int32_t value) { return (value + EYE_PIXEL / 2) >> 8; }

static inline eye_point eye_minus(eye_point a, eye_point b) {
  return (eye_point){a.x - b.x, a.y - b.y};
}

static inline int64_t eye_cross(eye_point a, eye_point b) {
  return (int64_t)a.x * b.y - (int64_t)a.y * b.x;
}

static inline int64_t eye_dot(eye_point a, eye_point b) {
  return (int64_t)a.x * b.x + (int64_t)a.y * b.y;
}

/// The square root, rounded down.
uint32_t eye_root(uint64_t value);

/// 256 × the binary logarithm; 0 for 0.
int32_t eye_log2(uint64_t value);

eye_side eye_side_make(eye_point a, eye_point b);

/// How far `point` lies to the inner side of the line through `side`, and how far along it from
/// `side.a`; 1/256 pixel.
static inline int32_t eye_across(const eye_side *side, eye_point point) {
  eye_point d = eye_minus(point, side->a);
  return (int32_t)(((int64_t)d.y * side->dx - (int64_t)d.x * side->dy) >> 14);
}
static inline int32_t eye_along(const eye_side *side, eye_point point) {
  eye_point d = eye_minus(point, side->a);
  return (int32_t)(((int64_t)d.x * side->dx + (int64_t)d.y * side->dy) >> 14);
}

/// The point `u` (1/65536) of the way from `a` to `b`.
static inline eye_point eye_between(eye_point a, eye_point b, int32_t u) {
  return (eye_point){a.x + (int32_t)(((int64_t)(b.x - a.x) * u) >> 16),
                     a.y + (int32_t)(((int64_t)(b.y - a.y) * u) >> 16)};
}

/// Shares of a side in 1/65536, from thousandths.
#define EYE_U(thousandths) ((thousandths)*65536 / 1000)

/// Where the lines through `a` and `b`, and through `c` and `d` meet. False when they don't, or
/// farther away than anything of interest.
bool eye_meet(eye_point a, eye_point b, eye_point c, eye_point d, eye_point *at);

/// Twice the area, positive when clockwise; in 1/65536 square pixel.
int64_t eye_area2(const eye_quad *quad);

/// Whether two areas are about as large: within a third.
static inline bool eye_are_alike(int64_t a, int64_t b) {
  return eye_min64(a, b) * 4 >= eye_max64(a, b) * 3;
}

/// The square root of the area, in 1/256 pixel.
int32_t eye_size(const eye_quad *quad);

/// The largest distance (|dx| + |dy|) between corners, for the best turn of one of them.
int32_t eye_corner_distance(const eye_quad *a, const eye_quad *b);

/// Twice the area that two clockwise quadrilaterals share.
int64_t eye_common_area2(const eye_quad *a, const eye_quad *b);

/// Points with weights, for the line that fits them best (total least squares).
typedef struct eye_fit {
  int64_t weight, x, y, xx, yy, xy;
} eye_fit;

static inline void eye_fit_add(eye_fit *fit, eye_point p, int32_t weight) {
  int64_t wx = (int64_t)weight * p.x, wy = (int64_t)weight * p.y;
  fit->weight += weight;
  fit->x += wx;
  fit->y += wy;
  fit->xx += wx * p.x;
  fit->yy += wy * p.y;
  fit->xy += wx * p.y;
}

/// The middle of the points and the direction of their line, in 1/16384. False without points.
bool eye_fit_line(const eye_fit *fit, eye_point *middle, int32_t *dx, int32_t *dy);

/// The number that comes at `count` / 2 when they are sorted; changes their order.
int32_t eye_median(int32_t *values, int32_t count);

/// Sorts few numbers, the smallest first.
void eye_sort(int32_t *values, int32_t count);

#pragma clang assume_nonnull end

#endif
