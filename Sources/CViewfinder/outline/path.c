#include "outline/path.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/// The farthest that a chord may lie from its arc, in pixels.
#define FLATNESS 0.001

static const char *const step = "outline";

static bool is_sane(double value) {
  // Also false for NaN.
  return value >= -VF_COORDINATE_LIMIT && value <= VF_COORDINATE_LIMIT;
}

void vf_path_free(vf_path *path) {
  free(path->points);
  *path = (vf_path){0};
}

static int allocate(vf_path *path, size_t count, vf_failure *failure) {
  path->count = 0;
  path->points = malloc(count * sizeof(vf_point));
  return path->points ? 0 : vf_fail(failure, ENOMEM, step, NULL);
}

static void add(vf_path *path, double x, double y) {
  path->points[path->count++] = (vf_point){x, y};
}

/// How many chords a quarter of a circle takes.
static size_t chords_per_quarter(double radius) {
  if (radius <= FLATNESS)
    return 1;
  double angle = 2 * acos(1 - FLATNESS / radius);
  return (size_t)ceil(M_PI_2 / angle);
}

/// Adds a quarter of an ellipse around (x, y), clockwise from `quarter` (0 points to the right).
static void add_quarter(vf_path *path, double x, double y, double radius_x, double radius_y,
                        int quarter, size_t chords) {
  // Cosine and sine at whole quarters are exact, so that the extremes are.
  static const double directions[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  const double *from = directions[quarter], *to = directions[quarter + 1];
  for (size_t i = 0; i <= chords; i++) {
    double angle = M_PI_2 * (double)i / (double)chords;
    double c = i == 0 ? 1 : i == chords ? 0 : cos(angle);
    double s = i == 0 ? 0 : i == chords ? 1 : sin(angle);
    add(path, x + radius_x * (from[0] * c + to[0] * s), y + radius_y * (from[1] * c + to[1] * s));
  }
}

/// A rectangle whose corners are quarters of an ellipse; none when the radii are 0.
static int flatten_rounded(vf_path *path, const vf_outline *outline, double radius_x,
                           double radius_y, vf_failure *failure) {
  double left = outline->x + radius_x, right = outline->x + outline->width - radius_x;
  double top = outline->y + radius_y, bottom = outline->y + outline->height - radius_y;
  size_t chords = chords_per_quarter(fmax(radius_x, radius_y));
  int code = allocate(path, 4 * (chords + 1), failure);
  if (code)
    return code;
  add_quarter(path, right, bottom, radius_x, radius_y, 0, chords);
  add_quarter(path, left, bottom, radius_x, radius_y, 1, chords);
  add_quarter(path, left, top, radius_x, radius_y, 2, chords);
  add_quarter(path, right, top, radius_x, radius_y, 3, chords);
  return 0;
}

static int flatten_box(vf_path *path, const vf_outline *outline, vf_failure *failure) {
  if (!is_sane(outline->x) || !is_sane(outline->y) || !is_sane(outline->width) ||
      !is_sane(outline->height)) {
    return vf_fail(failure, EINVAL, step, "a coordinate is out of range");
  }
  if (outline->width <= 0 || outline->height <= 0) {
    return vf_fail(failure, EINVAL, step, "it has no area");
  }
  double half = fmin(outline->width, outline->height) / 2;
  switch (outline->kind) {
  case VF_OUTLINE_ELLIPSE:
    return flatten_rounded(path, outline, outline->width / 2, outline->height / 2, failure);
  case VF_OUTLINE_ROUNDED_RECTANGLE:
    if (!is_sane(outline->radius) || outline->radius < 0) {
      return vf_fail(failure, EINVAL, step, "its radius is out of range");
    }
    return flatten_rounded(path, outline, fmin(outline->radius, half), fmin(outline->radius, half),
                           failure);
  default:
    return flatten_rounded(path, outline, 0, 0, failure);
  }
}

/// Whether all points lie on one line.
static bool is_flat(const vf_point *points, size_t count) {
  size_t far = 0;
  double distance = 0;
  for (size_t i = 1; i < count; i++) {
    double from_first = hypot(points[i].x - points[0].x, points[i].y - points[0].y);
    if (from_first > distance) {
      distance = from_first;
      far = i;
    }
  }
  double x = points[far].x - points[0].x, y = points[far].y - points[0].y;
  for (size_t i = 1; i < count; i++) {
    double cross = x * (points[i].y - points[0].y) - y * (points[i].x - points[0].x);
    if (fabs(cross) > FLATNESS * distance)
      return false;
  }
  return true;
}

static int copy_points(vf_path *path, const vf_outline *outline, vf_failure *failure) {
  bool quadrilateral = outline->kind == VF_OUTLINE_QUADRILATERAL;
  size_t count = outline->point_count;
  if (!outline->points || (quadrilateral ? count != 4 : count < 3 || count > 4096)) {
    return vf_fail(failure, EINVAL, step, "%zu points", count);
  }
  for (size_t i = 0; i < count; i++) {
    if (!is_sane(outline->points[i].x) || !is_sane(outline->points[i].y)) {
      return vf_fail(failure, EINVAL, step, "a coordinate is out of range");
    }
  }
  if (is_flat(outline->points, count))
    return vf_fail(failure, EINVAL, step, "it has no area");
  int code = allocate(path, count, failure);
  if (code)
    return code;
  memcpy(path->points, outline->points, count * sizeof(vf_point));
  path->count = count;
  return 0;
}

int vf_path_create(vf_path *path, const vf_outline *outline, vf_failure *failure) {
  *path = (vf_path){0};
  switch (outline->kind) {
  case VF_OUTLINE_RECTANGLE:
  case VF_OUTLINE_ROUNDED_RECTANGLE:
  case VF_OUTLINE_ELLIPSE:
    return flatten_box(path, outline, failure);
  case VF_OUTLINE_POLYGON:
  case VF_OUTLINE_QUADRILATERAL:
    return copy_points(path, outline, failure);
  default:
    return vf_fail(failure, EINVAL, step, "kind %u", outline->kind);
  }
}
