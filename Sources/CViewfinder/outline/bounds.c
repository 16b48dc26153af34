#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "failure.h"
#include "outline/path.h"

/// The span of a path's part inside the picture.
typedef struct box {
  double left, top, right, bottom;
} box;

static void extend(box *box, double x, double y) {
  box->left = fmin(box->left, x);
  box->right = fmax(box->right, x);
  box->top = fmin(box->top, y);
  box->bottom = fmax(box->bottom, y);
}

/// Narrows the part of a line from `*from` to `*to` to where `start` + t × `delta` is within 0 and
/// `limit`. Returns false when nothing is left.
static bool clip(double start, double delta, double limit, double *from, double *to) {
  if (delta == 0)
    return start >= 0 && start <= limit;
  double a = (0 - start) / delta, b = (limit - start) / delta;
  *from = fmax(*from, fmin(a, b));
  *to = fmin(*to, fmax(a, b));
  return *from <= *to;
}

static bool contains(const vf_path *path, double x, double y) {
  bool inside = false;
  for (size_t i = 0; i < path->count; i++) {
    vf_point a = path->points[i], b = path->points[(i + 1) % path->count];
    if ((a.y > y) == (b.y > y))
      continue;
    if (x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
      inside = !inside;
  }
  return inside;
}

/// The part of a path inside a picture reaches as far as its edges there do, and as the picture's
/// corners within it.
static box visible(const vf_path *path, double width, double height) {
  box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < path->count; i++) {
    vf_point a = path->points[i], b = path->points[(i + 1) % path->count];
    double from = 0, to = 1, x = b.x - a.x, y = b.y - a.y;
    if (!clip(a.x, x, width, &from, &to) || !clip(a.y, y, height, &from, &to))
      continue;
    extend(&box, a.x + from * x, a.y + from * y);
    extend(&box, a.x + to * x, a.y + to * y);
  }
  for (int i = 0; i < 4; i++) {
    double x = i & 1 ? width : 0, y = i & 2 ? height : 0;
    if (contains(path, x, y))
      extend(&box, x, y);
  }
  return box;
}

int vf_outline_bounds(const vf_outline *outline, uint32_t width, uint32_t height,
                      vf_rectangle *bounds, vf_failure *failure) {
  vf_path path;
  int code = vf_path_create(&path, outline, failure);
  if (code)
    return code;
  box box = visible(&path, width, height);
  vf_path_free(&path);

  // Arithmetic on coordinates must not add a row or column of pixels.
  const double slack = 0.001;
  double left = fmax(floor(box.left + slack), 0), right = fmin(ceil(box.right - slack), width);
  double top = fmax(floor(box.top + slack), 0), bottom = fmin(ceil(box.bottom - slack), height);
  // Infinite when nothing is visible.
  if (!(left < right && top < bottom)) {
    return vf_fail(failure, EINVAL, "outline", "it covers nothing of %u x %u pixels", width,
                   height);
  }
  *bounds = (vf_rectangle){(uint32_t)left, (uint32_t)top, (uint32_t)(right - left),
                           (uint32_t)(bottom - top)};
  return 0;
}
