#include "outline/warp.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "outline/grid.h"
#include "pixels/image.h"

// A result sample covers a parallelogram of the source, whose sides are the derivatives of the map.
// Its filter is linear interpolation, averaged over a box that is as wide and high as the
// parallelogram spreads in x and y. As interpolation blurs as well, a spread of J samples asks for
// a box of sqrt(J² - 1) only (weights.c): where nothing shrinks, bare interpolation is left, and at
// no scale does sharpness jump. A parallelogram that lies aslant and is far from square is no box:
// it is averaged by a grid of its own form.
//
// The work is done in tiles, so that the source's rows stay in the cache from one result row to the
// next. A tile has one filter.

#define TILE_WIDTH 128
#define TILE_HEIGHT 16
#define LEAST_TILE 8

/// A tile's row is asked for so many rows before it is needed, because the processor doesn't
/// foresee places that lie aslant; and at each of so many samples, which are within a line of its
/// cache.
#define AHEAD 3
#define PREFETCH_STEP 16

/// Up to so many samples of the source, and so large a ratio of w, a tile's places in single
/// precision are exact to less than 1/256 of a sample.
#define MOST_EXTENT 4096.0
#define MOST_RATIO 2.0

/// How much the derivatives may change over a tile, as a share of them.
#define MOST_CHANGE 0.05

/// The correlation of a parallelogram's spread in x and y from which on it counts as aslant.
#define MOST_SLANT 0.25

/// The largest scale that the fast filter leaves to interpolation, which skips samples beyond.
#define FAST_SCALE 2.0

/// A tile's filter.
typedef struct filter {
  uint32_t size;          ///< 2, 4 or 6 samples across and down; 0 for the grid.
  uint32_t box_x, box_y;  ///< The filter's box, from 1, in 1 / `VF_BOX_STEPS` samples.
  uint32_t columns, rows; ///< Samples that are read across and down.
} filter;

typedef struct tile {
  uint32_t x, y, width, height;
} tile;

/// Where a tile's places are in the source.
typedef struct bounds {
  double least_x, most_x, least_y, most_y, least_w, most_w;
} bounds;

/// The box for a squared spread.
static uint32_t box_for(double squared, uint32_t most) {
  double box = VF_BOX_STEPS * sqrt(fmax(squared - 1, 0));
  return (uint32_t)lrint(fmin(box, most));
}

static filter filter_of(uint32_t size, uint32_t box_x, uint32_t box_y) {
  return (filter){.size = size,
                  .box_x = box_x ? box_x : 1,
                  .box_y = box_y ? box_y : 1,
                  .columns = size == 6 ? 8 : size,
                  .rows = size};
}

static filter filter_at(const vf_homography *map, double u, double v, uint32_t kind) {
  vf_derivative d = vf_homography_derivative(map, u, v);
  double x = d.u_x * d.u_x + d.v_x * d.v_x, y = d.u_y * d.u_y + d.v_y * d.v_y;
  if (kind == VF_FILTER_FAST)
    return filter_of(4, box_for(x, VF_BOX_4), box_for(y, VF_BOX_4));
  uint32_t box_x = box_for(x, VF_BOX_6 + 1), box_y = box_for(y, VF_BOX_6 + 1);
  uint32_t longer = box_x > box_y ? box_x : box_y;
  double both = d.u_x * d.u_y + d.v_x * d.v_y;
  bool is_box = both * both <= MOST_SLANT * MOST_SLANT * x * y && longer <= VF_BOX_6;
  if (longer == 0)
    return filter_of(2, 0, 0);
  if (!is_box)
    return filter_of(0, 0, 0);
  return filter_of(longer <= VF_BOX_4 ? 4 : 6, box_x, box_y);
}

/// From a place to the first sample that its filter takes.
static double reach_of(const filter *filter) { return filter->size / 2 - 1; }

static bounds find_bounds(const vf_warp *warp, const tile *tile) {
  const vf_homography *map = &warp->map;
  bounds bounds = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (uint32_t i = 0; i < 4; i++) {
    double u = tile->x + 0.5 + (i & 1 ? tile->width - 1 : 0);
    double v = tile->y + 0.5 + (i & 2 ? tile->height - 1 : 0);
    double w = map->g * u + map->h * v + 1;
    double x = (map->a * u + map->b * v + map->c) / w, y = (map->d * u + map->e * v + map->f) / w;
    bounds.least_x = fmin(bounds.least_x, x);
    bounds.most_x = fmax(bounds.most_x, x);
    bounds.least_y = fmin(bounds.least_y, y);
    bounds.most_y = fmax(bounds.most_y, y);
    bounds.least_w = fmin(bounds.least_w, w);
    bounds.most_w = fmax(bounds.most_w, w);
  }
  return bounds;
}

/// Whether all samples that the filter reads for a tile are inside the source, and few enough for
/// the kernels; `*column` and `*row` are the first of them.
static bool is_inside(const vf_warp *warp, const tile *tile, const filter *filter, size_t *column,
                      size_t *row) {
  bounds bounds = find_bounds(warp, tile);
  // Lines stay lines where the map has no horizon, so that the corners are the extremes.
  if (!(bounds.least_w > 0 && bounds.most_w <= MOST_RATIO * bounds.least_w))
    return false;
  // From the picture's corner to the first sample's centre is half a sample. Places are rounded.
  const double reach = 0.5 + reach_of(filter), slack = 1.0 / VF_PHASES;
  double x = bounds.least_x - reach - slack, y = bounds.least_y - reach - slack;
  double end_x = bounds.most_x - reach + slack + filter->columns;
  double end_y = bounds.most_y - reach + slack + filter->rows;
  if (!(x >= 0 && y >= 0 && end_x < warp->source_width + 1.0 && end_y < warp->source_height + 1.0))
    return false;
  if (end_x - x > MOST_EXTENT || end_y - y > MOST_EXTENT)
    return false;
  *column = (size_t)x;
  *row = (size_t)y;
  for (uint32_t plane = 0; plane < warp->plane_count; plane++) {
    if (MOST_EXTENT * (double)warp->sources[plane].stride > INT32_MAX)
      return false;
  }
  return true;
}

/// A result sample's place in the source, of which x and y are still to be divided by w, in samples
/// from (`x`, `y`) on.
typedef struct ray {
  double x, y, w;
} ray;

static ray ray_at(const vf_homography *map, uint32_t u, uint32_t v, double x, double y) {
  double middle_u = u + 0.5, middle_v = v + 0.5;
  double w = map->g * middle_u + map->h * middle_v + 1;
  return (ray){
      .x = map->a * middle_u + map->b * middle_v + map->c - x * w,
      .y = map->d * middle_u + map->e * middle_v + map->f - y * w,
      .w = w,
  };
}

/// The places of a tile's row. Within a tile they are so small that single precision suffices.
static vf_trace trace_of(const vf_homography *map, uint32_t u, uint32_t v, double x, double y) {
  ray ray = ray_at(map, u, v, x, y);
  return (vf_trace){
      .x = (float)ray.x,
      .y = (float)ray.y,
      .w = (float)ray.w,
      .dx = (float)(map->a - x * map->g),
      .dy = (float)(map->d - y * map->g),
      .dw = (float)map->g,
  };
}

/// A filter with the tables that it needs.
typedef struct tool {
  filter filter;
  const vf_weights *_Nullable across, *_Nullable down;
} tool;

static void apply(const vf_kernels *kernels, const tool *tool, uint8_t *result,
                  const uint8_t *source, size_t stride, const int32_t *x, const int32_t *y,
                  size_t count) {
  if (tool->filter.size == 2) {
    kernels->filter2(result, source, stride, x, y, count);
  } else if (tool->filter.size == 4) {
    kernels->filter4(result, source, stride, x, y, tool->across, tool->down, count);
  } else {
    kernels->filter6(result, source, stride, x, y, tool->across, tool->down, count);
  }
}

/// Asks for the last samples that a row's filters read, which no row before has read.
static void prefetch(const filter *filter, const uint8_t *source, size_t stride, const int32_t *x,
                     const int32_t *y, uint32_t count) {
  const uint32_t rows = filter->rows < 3 ? filter->rows : 3;
  for (uint32_t i = 0; i < count; i += PREFETCH_STEP) {
    size_t row = (size_t)(y[i] >> VF_PHASE_BITS) + filter->rows - rows;
    const uint8_t *samples = source + row * stride + (x[i] >> VF_PHASE_BITS);
    for (uint32_t v = 0; v < rows; v++, samples += stride)
      __builtin_prefetch(samples);
  }
}

static void warp_inside(const vf_warp *warp, const tile *tile, const tool *tool, size_t column,
                        size_t row) {
  const vf_kernels *kernels = vf_kernels_current();
  const double reach = 0.5 + reach_of(&tool->filter);
  int32_t x[TILE_HEIGHT][TILE_WIDTH], y[TILE_HEIGHT][TILE_WIDTH];
  for (uint32_t v = 0; v < tile->height; v++) {
    vf_trace trace =
        trace_of(&warp->map, tile->x, tile->y + v, (double)column + reach, (double)row + reach);
    kernels->place(x[v], y[v], &trace, tile->width);
  }
  // One plane after the other, so that its part of the source stays in the cache.
  for (uint32_t plane = 0; plane < warp->plane_count; plane++) {
    const vf_plane *source = &warp->sources[plane];
    const uint8_t *first = vf_row(source, row) + column;
    for (uint32_t v = 0; v < tile->height; v++) {
      if (v + AHEAD < tile->height)
        prefetch(&tool->filter, first, source->stride, x[v + AHEAD], y[v + AHEAD], tile->width);
      apply(kernels, tool, vf_row(&warp->results[plane], tile->y + v) + tile->x, first,
            source->stride, x[v], y[v], tile->width);
    }
  }
}

static int64_t clamped(int64_t place, uint32_t size) {
  return place < 0 ? 0 : place >= size ? size - 1 : place;
}

/// A place as a whole number of 1/128 samples; far outside nothing changes any more.
static int64_t fixed(double place) {
  const double most = 1 << 20;
  // Where the map has its horizon it isn't a number.
  return llrint((place > -most ? place < most ? place : most : -most) * VF_PHASES);
}

/// A row of a tile, whose filter may reach outside: each sample from a copy of those that it takes.
static void warp_anywhere(const vf_warp *warp, const tile *tile, const tool *tool) {
  const filter *filter = &tool->filter;
  const double reach = 0.5 + reach_of(filter);
  for (uint32_t i = 0; i < tile->width; i++) {
    ray ray = ray_at(&warp->map, tile->x + i, tile->y, reach, reach);
    int64_t far_x = fixed(ray.x / ray.w), far_y = fixed(ray.y / ray.w);
    int32_t x = (int32_t)(far_x & (VF_PHASES - 1)), y = (int32_t)(far_y & (VF_PHASES - 1));
    int64_t column = far_x >> VF_PHASE_BITS, row = far_y >> VF_PHASE_BITS;
    for (uint32_t plane = 0; plane < warp->plane_count; plane++) {
      uint8_t copy[6 * 8];
      for (uint32_t v = 0; v < filter->rows; v++) {
        const uint8_t *from =
            vf_row(&warp->sources[plane], (size_t)clamped(row + v, warp->source_height));
        for (uint32_t u = 0; u < filter->columns; u++)
          copy[8 * v + u] = from[clamped(column + u, warp->source_width)];
      }
      apply(vf_kernels_at(0), tool, vf_row(&warp->results[plane], tile->y) + tile->x + i, copy, 8,
            &x, &y, 1);
    }
  }
}

/// A tile near the edge, in the least parts, each as it can be done.
static void warp_parts(const vf_warp *warp, const tile *whole, const tool *tool) {
  for (uint32_t y = 0; y < whole->height; y++) {
    for (uint32_t x = 0; x < whole->width; x += LEAST_TILE) {
      uint32_t width = whole->width - x < LEAST_TILE ? whole->width - x : LEAST_TILE;
      tile part = {whole->x + x, whole->y + y, width, 1};
      size_t column, row;
      if (is_inside(warp, &part, &tool->filter, &column, &row)) {
        warp_inside(warp, &part, tool, column, row);
      } else {
        warp_anywhere(warp, &part, tool);
      }
    }
  }
}

static void warp_grid(const vf_warp *warp, const tile *tile) {
  for (uint32_t plane = 0; plane < warp->plane_count; plane++) {
    for (uint32_t y = tile->y; y < tile->y + tile->height; y++) {
      for (uint32_t x = 0; x < tile->width; x += VF_GRID_RUN) {
        uint32_t count = tile->width - x < VF_GRID_RUN ? tile->width - x : VF_GRID_RUN;
        vf_grid_run(vf_row(&warp->results[plane], y) + tile->x + x, count, tile->x + x, y,
                    &warp->sources[plane], warp->source_width, warp->source_height, &warp->map);
      }
    }
  }
}

/// The length of a tile's side, along which w changes by `step` for each sample.
static uint32_t tile_side(uint32_t most, double step, double least_w) {
  uint32_t side = most;
  while (side > LEAST_TILE && !(2 * side * fabs(step) <= MOST_CHANGE * least_w))
    side /= 2;
  return side;
}

/// The least of a linear function at the corners of the result.
static double least_w(const vf_warp *warp) {
  const vf_homography *map = &warp->map;
  double across = map->g * warp->width, down = map->h * warp->height;
  return 1 + fmin(across, 0) + fmin(down, 0);
}

/// The most that the map shrinks at a corner, in any direction.
static double most_scale(const vf_warp *warp) {
  double most = 0;
  for (uint32_t i = 0; i < 4; i++) {
    double least, at_corner;
    vf_homography_scales(&warp->map, i & 1 ? warp->width : 0, i & 2 ? warp->height : 0, &least,
                         &at_corner);
    most = fmax(most, at_corner);
  }
  return most;
}

void vf_warp_planes(const vf_warp *warp, vf_weight_tables *tables) {
  const bool interpolates = warp->filter == VF_FILTER_FAST && most_scale(warp) < FAST_SCALE;
  const double least = least_w(warp);
  // Strong perspective changes the scale fast.
  const uint32_t tile_width = tile_side(TILE_WIDTH, warp->map.g, least);
  const uint32_t tile_height = tile_side(TILE_HEIGHT, warp->map.h, least);
  for (uint32_t y = 0; y < warp->height; y += tile_height) {
    uint32_t height = warp->height - y < tile_height ? warp->height - y : tile_height;
    for (uint32_t x = 0; x < warp->width; x += tile_width) {
      uint32_t width = warp->width - x < tile_width ? warp->width - x : tile_width;
      tile tile = {x, y, width, height};
      tool tool = {.filter = interpolates ? filter_of(2, 0, 0)
                                          : filter_at(&warp->map, x + width / 2.0, y + height / 2.0,
                                                      warp->filter)};
      if (!tool.filter.size) {
        warp_grid(warp, &tile);
        continue;
      }
      if (tool.filter.size > 2) {
        tool.across = vf_weights_of(tables, tool.filter.size, tool.filter.box_x);
        tool.down = vf_weights_of(tables, tool.filter.size, tool.filter.box_y);
      }
      size_t column, row;
      if (is_inside(warp, &tile, &tool.filter, &column, &row)) {
        warp_inside(warp, &tile, &tool, column, row);
      } else {
        warp_parts(warp, &tile, &tool);
      }
    }
  }
}
