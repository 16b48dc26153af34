#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "outline/path.h"

// Each row of pixels is cut into slabs at every vertex. Within a slab the edges are straight lines
// that don't end, and between each pair of them (even-odd) lies a trapezoid, whose area in each
// pixel is summed exactly. Where edges cross, the slab is halved until the crossing doesn't matter.

/// An edge, from its upper end on.
typedef struct edge {
  double top, bottom;
  /// The x at the top, and how much it grows per row.
  double x, slope;
} edge;

/// An edge within a slab: its x at both ends.
typedef struct crossing {
  double upper, lower;
  const edge *edge;
} crossing;

/// What one mask takes.
typedef struct scan {
  edge *_Nullable edges;         ///< All, from top to bottom.
  const edge **_Nullable active; ///< Those that reach into the row.
  double *_Nullable cuts;        ///< Where the row is cut.
  crossing *_Nullable crossings; ///< Those of a slab.
  double *_Nullable steps;       ///< How much coverage changes at each pixel of the row.
  size_t edge_count, active_count;
  size_t width;
} scan;

static void scan_free(scan *scan) {
  free(scan->edges);
  free(scan->active);
  free(scan->cuts);
  free(scan->crossings);
  free(scan->steps);
}

static int by_top(const void *left, const void *right) {
  const edge *a = left, *b = right;
  return (a->top > b->top) - (a->top < b->top);
}

static int by_value(const void *left, const void *right) {
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static int by_middle(const void *left, const void *right) {
  const crossing *a = left, *b = right;
  double x = a->upper + a->lower, y = b->upper + b->lower;
  return (x > y) - (x < y);
}

static int scan_create(scan *scan, const vf_path *path, const vf_rectangle *region) {
  size_t count = path->count;
  scan->width = region->width;
  scan->edges = malloc(count * sizeof(edge));
  scan->active = malloc(count * sizeof(edge *));
  scan->cuts = malloc((2 * count + 2) * sizeof(double));
  scan->crossings = malloc(count * sizeof(crossing));
  scan->steps = calloc((size_t)region->width + 1, sizeof(double));
  if (!scan->edges || !scan->active || !scan->cuts || !scan->crossings || !scan->steps) {
    return -ENOMEM;
  }
  for (size_t i = 0; i < count; i++) {
    vf_point a = path->points[i], b = path->points[(i + 1) % count];
    if (a.y == b.y)
      continue; // Bounds no area.
    if (a.y > b.y) {
      vf_point upper = b;
      b = a;
      a = upper;
    }
    edge edge = {.top = a.y - region->y, .bottom = b.y - region->y, .x = a.x - region->x};
    edge.slope = (b.x - a.x) / (edge.bottom - edge.top);
    // Ends so close that the slope overflows lie within the same coordinate.
    if (!isfinite(edge.slope) || edge.bottom <= 0 || edge.top >= region->height)
      continue;
    scan->edges[scan->edge_count++] = edge;
  }
  qsort(scan->edges, scan->edge_count, sizeof(edge), by_top);
  return 0;
}

/// Adds to the steps what the area to the right of a line is, within `height` of a row's 1.
static void add_line(const scan *scan, double a, double b, double height) {
  double left = fmin(a, b), right = fmax(a, b), width = (double)scan->width;
  if (left >= width)
    return;
  if (right <= 0) {
    scan->steps[0] += height;
    return;
  }
  double per_pixel = right > left ? height / (right - left) : 0;
  if (left < 0) {
    scan->steps[0] += per_pixel * -left;
    height -= per_pixel * -left;
    left = 0;
  }
  size_t pixel = (size_t)left;
  if (right <= (double)(pixel + 1)) {
    double middle = (left + right) / 2 - (double)pixel;
    scan->steps[pixel] += height * (1 - middle);
    scan->steps[pixel + 1] += height * middle;
    return;
  }
  for (; pixel < scan->width && left < right; pixel++) {
    double end = fmin(right, (double)(pixel + 1));
    double part = per_pixel * (end - left), middle = (left + end) / 2 - (double)pixel;
    scan->steps[pixel] += part * (1 - middle);
    scan->steps[pixel + 1] += part * middle;
    left = end;
  }
}

static bool is_ordered(const crossing *crossings, size_t count) {
  const double slack = 1e-6; // Edges that meet in a vertex do so up to rounding.
  for (size_t i = 1; i < count; i++) {
    if (crossings[i - 1].upper > crossings[i].upper + slack)
      return false;
    if (crossings[i - 1].lower > crossings[i].lower + slack)
      return false;
  }
  return true;
}

static void add_slab(const scan *scan, double top, double bottom, int halvings) {
  size_t count = 0;
  for (size_t i = 0; i < scan->active_count; i++) {
    const edge *edge = scan->active[i];
    if (edge->top > top || edge->bottom < bottom)
      continue;
    scan->crossings[count++] = (crossing){edge->x + (top - edge->top) * edge->slope,
                                          edge->x + (bottom - edge->top) * edge->slope, edge};
  }
  qsort(scan->crossings, count, sizeof(crossing), by_middle);
  if (halvings > 0 && !is_ordered(scan->crossings, count)) {
    double middle = (top + bottom) / 2;
    add_slab(scan, top, middle, halvings - 1);
    add_slab(scan, middle, bottom, halvings - 1);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const crossing *crossing = &scan->crossings[i];
    add_line(scan, crossing->upper, crossing->lower, i % 2 ? top - bottom : bottom - top);
  }
}

/// Keeps the edges that reach into the row at `y`. `next` is the first that hasn't begun.
static size_t activate(scan *scan, double y, size_t next) {
  size_t kept = 0;
  for (size_t i = 0; i < scan->active_count; i++) {
    if (scan->active[i]->bottom > y)
      scan->active[kept++] = scan->active[i];
  }
  for (; next < scan->edge_count && scan->edges[next].top < y + 1; next++) {
    if (scan->edges[next].bottom > y)
      scan->active[kept++] = &scan->edges[next];
  }
  scan->active_count = kept;
  return next;
}

static void add_row(const scan *scan, double y) {
  size_t count = 0;
  scan->cuts[count++] = y;
  scan->cuts[count++] = y + 1;
  for (size_t i = 0; i < scan->active_count; i++) {
    const edge *edge = scan->active[i];
    if (edge->top > y && edge->top < y + 1)
      scan->cuts[count++] = edge->top;
    if (edge->bottom > y && edge->bottom < y + 1)
      scan->cuts[count++] = edge->bottom;
  }
  qsort(scan->cuts, count, sizeof(double), by_value);
  // Few edges afford to find crossings to 1/64 of a row; thousands at once must not take forever.
  int halvings = scan->active_count <= 64 ? 6 : 2;
  for (size_t i = 1; i < count; i++) {
    if (scan->cuts[i] > scan->cuts[i - 1]) {
      add_slab(scan, scan->cuts[i - 1], scan->cuts[i], halvings);
    }
  }
}

/// Sums up the steps to coverage, and clears them.
static void write_row(const scan *scan, uint8_t *row) {
  double coverage = 0;
  for (size_t x = 0; x < scan->width; x++) {
    coverage += scan->steps[x];
    double clamped = coverage < 0 ? 0 : coverage > 1 ? 1 : coverage;
    row[x] = (uint8_t)(clamped * 255 + 0.5);
  }
  memset(scan->steps, 0, (scan->width + 1) * sizeof(double));
}

int vf_outline_mask(const vf_outline *outline, const vf_rectangle *region, const vf_plane *mask,
                    vf_failure *failure) {
  const char *step = "outline mask";
  if (region->width == 0 || region->height == 0) {
    return vf_fail(failure, EINVAL, step, "the region is empty");
  }
  if (!mask->data || mask->stride < region->width) {
    return vf_fail(failure, EINVAL, step, "the mask is too narrow");
  }
  vf_path path;
  int code = vf_path_create(&path, outline, failure);
  if (code)
    return code;
  scan scan = {0};
  code = scan_create(&scan, &path, region);
  vf_path_free(&path);
  if (code) {
    scan_free(&scan);
    return vf_fail(failure, ENOMEM, step, NULL);
  }
  size_t next = 0;
  for (size_t y = 0; y < region->height; y++) {
    next = activate(&scan, (double)y, next);
    add_row(&scan, (double)y);
    write_row(&scan, mask->data + y * mask->stride);
  }
  scan_free(&scan);
  return 0;
}
