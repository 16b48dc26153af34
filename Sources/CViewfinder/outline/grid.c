#include "outline/grid.h"

#include <math.h>
#include <stdbool.h>

// A result sample covers a parallelogram of the source, whose sides are the derivatives of the map.
// It is the mean of a grid of bilinear samples within. Along a side of length J lie n + 1 samples,
// the outer two with half the weight: n pairs of neighbours, which cancel detail that is too fine.
// Their distance is sqrt((J² - 1) / (n² + 2)), so that their spread and that of bilinear
// interpolation together grow as that of a box of length J, and n is the least that keeps it within
// one source sample, so that nothing between is missed. Where nothing shrinks a single sample is
// left, and at no scale does sharpness jump.

/// The finest grid along one side. Sides longer than this many source samples are subsampled.
#define MOST_TAPS 128

/// Places in the source are in 2^-14 samples, so that 65500 samples fit in 32 bits.
#define FRACTION_BITS 14
#define FRACTION_ONE (1 << FRACTION_BITS)

typedef struct source {
  const uint8_t *data;
  size_t stride;
  uint32_t width, height;
} source;

/// The grid of a block.
typedef struct grid {
  int32_t count_u, count_v;  ///< Samples along each side.
  double u_x, u_y, v_x, v_y; ///< From one to the next.
  double reach_x, reach_y;   ///< From the middle to the outermost.
  uint64_t reciprocal;       ///< 2^32 over the sum of the weights.
} grid;

/// How many samples a side of squared length `squared` takes; `*distance` is theirs, as a share of
/// the side.
static int32_t grid_side(double squared, double *distance) {
  double length = sqrt(squared);
  *distance = 0;
  if (!(length > 1.0001))
    return 1; // A touch over is rounding, not shrinking.
  double pairs = fmin(fmax(ceil(sqrt(fmax(squared - 3, 0)) - 0.0001), 1), MOST_TAPS - 1);
  *distance = sqrt((squared - 1) / (pairs * pairs + 2)) / length;
  return (int32_t)pairs + 1;
}

/// What the weights along a side add up to.
static inline uint32_t side_weight(int32_t count) {
  return count == 1 ? 1 : 2 * (uint32_t)(count - 1);
}

static grid grid_at(const vf_homography *map, double u, double v) {
  vf_derivative d = vf_homography_derivative(map, u, v);
  double along_u, along_v;
  grid grid = {.count_u = grid_side(d.u_x * d.u_x + d.u_y * d.u_y, &along_u),
               .count_v = grid_side(d.v_x * d.v_x + d.v_y * d.v_y, &along_v)};
  grid.u_x = d.u_x * along_u;
  grid.u_y = d.u_y * along_u;
  grid.v_x = d.v_x * along_v;
  grid.v_y = d.v_y * along_v;
  double half_u = (grid.count_u - 1) / 2.0, half_v = (grid.count_v - 1) / 2.0;
  grid.reach_x = fabs(grid.u_x) * half_u + fabs(grid.v_x) * half_v;
  grid.reach_y = fabs(grid.u_y) * half_u + fabs(grid.v_y) * half_v;
  uint64_t weight = side_weight(grid.count_u) * side_weight(grid.count_v);
  grid.reciprocal = (((uint64_t)1 << 32) + weight / 2) / weight;
  return grid;
}

static inline int64_t fixed(double value) { return llrint(value * FRACTION_ONE); }

/// One bilinear sample, in 1/256, from its four neighbours.
static inline uint32_t interpolate(const uint8_t *upper, const uint8_t *lower, size_t next,
                                   int32_t x, int32_t y) {
  int32_t part_x = (x & (FRACTION_ONE - 1)) >> (FRACTION_BITS - 8);
  int32_t part_y = (y & (FRACTION_ONE - 1)) >> (FRACTION_BITS - 8);
  int32_t above = (upper[0] << 8) + (upper[next] - upper[0]) * part_x;
  int32_t below = (lower[0] << 8) + (lower[next] - lower[0]) * part_x;
  return (uint32_t)(((above << 8) + (below - above) * part_y) >> 8);
}

/// The weights of a sum are 2, but 1 at both ends; a single sample has 1.
static inline uint32_t weighted(uint32_t sum, uint32_t first, uint32_t last, int32_t count) {
  return count == 1 ? sum : 2 * sum - first - last;
}

static inline uint8_t mean(uint32_t sum, uint64_t reciprocal) {
  return (uint8_t)((sum * reciprocal + ((uint64_t)1 << 39)) >> 40);
}

/// The means around samples whose grids lie wholly inside the source.
static inline __attribute__((always_inline)) void
warp_counted(uint8_t *result, uint32_t count, const double *xs, const double *ys, const grid *grid,
             const source *source, int32_t count_u, int32_t count_v) {
  const int32_t u_x = (int32_t)fixed(grid->u_x), u_y = (int32_t)fixed(grid->u_y);
  const int32_t v_x = (int32_t)fixed(grid->v_x), v_y = (int32_t)fixed(grid->v_y);
  const int32_t start_x = ((count_u - 1) * u_x + (count_v - 1) * v_x) / 2;
  const int32_t start_y = ((count_u - 1) * u_y + (count_v - 1) * v_y) / 2;
  const uint8_t *data = source->data;
  const size_t stride = source->stride;
  const uint64_t reciprocal = grid->reciprocal;
  for (uint32_t i = 0; i < count; i++) {
    int32_t row_x = (int32_t)(xs[i] * FRACTION_ONE + 0.5) - start_x;
    int32_t row_y = (int32_t)(ys[i] * FRACTION_ONE + 0.5) - start_y;
    uint32_t sum = 0, first_row = 0, row_sum = 0;
    for (int32_t v = 0; v < count_v; v++, row_x += v_x, row_y += v_y) {
      int32_t x = row_x, y = row_y;
      uint32_t first = 0, sample = 0;
      row_sum = 0;
      for (int32_t u = 0; u < count_u; u++, x += u_x, y += u_y) {
        const uint8_t *upper =
            data + (size_t)(uint32_t)(y >> FRACTION_BITS) * stride + (uint32_t)(x >> FRACTION_BITS);
        sample = interpolate(upper, upper + stride, 1, x, y);
        if (u == 0)
          first = sample;
        row_sum += sample;
      }
      row_sum = weighted(row_sum, first, sample, count_u);
      if (v == 0)
        first_row = row_sum;
      sum += row_sum;
    }
    result[i] = mean(weighted(sum, first_row, row_sum, count_v), reciprocal);
  }
}

/// The same, with the common small grids unrolled.
static void warp_inside(uint8_t *result, uint32_t count, const double *xs, const double *ys,
                        const grid *grid, const source *source) {
  int32_t u = grid->count_u, v = grid->count_v;
  if (u == 1 && v == 1) {
    warp_counted(result, count, xs, ys, grid, source, 1, 1);
  } else if (u == 2 && v == 2) {
    warp_counted(result, count, xs, ys, grid, source, 2, 2);
  } else if (u == 3 && v == 3) {
    warp_counted(result, count, xs, ys, grid, source, 3, 3);
  } else if (u == 4 && v == 4) {
    warp_counted(result, count, xs, ys, grid, source, 4, 4);
  } else {
    warp_counted(result, count, xs, ys, grid, source, u, v);
  }
}

static inline int32_t clamped(int64_t place, uint32_t size) {
  int64_t last = (int64_t)(size - 1) << FRACTION_BITS;
  return (int32_t)(place < 0 ? 0 : place > last ? last : place);
}

/// The means around samples whose grids may lie anywhere.
static void warp_anywhere(uint8_t *result, uint32_t count, const double *xs, const double *ys,
                          const grid *grid, const source *source) {
  const int64_t u_x = fixed(grid->u_x), u_y = fixed(grid->u_y);
  const int64_t v_x = fixed(grid->v_x), v_y = fixed(grid->v_y);
  const int64_t start_x = ((grid->count_u - 1) * u_x + (grid->count_v - 1) * v_x) / 2;
  const int64_t start_y = ((grid->count_u - 1) * u_y + (grid->count_v - 1) * v_y) / 2;
  for (uint32_t i = 0; i < count; i++) {
    int64_t row_x = fixed(xs[i]) - start_x, row_y = fixed(ys[i]) - start_y;
    uint32_t sum = 0, first_row = 0, row_sum = 0;
    for (int32_t v = 0; v < grid->count_v; v++, row_x += v_x, row_y += v_y) {
      int64_t far_x = row_x, far_y = row_y;
      uint32_t first = 0, sample = 0;
      row_sum = 0;
      for (int32_t u = 0; u < grid->count_u; u++, far_x += u_x, far_y += u_y) {
        int32_t x = clamped(far_x, source->width), y = clamped(far_y, source->height);
        uint32_t column = (uint32_t)(x >> FRACTION_BITS), row = (uint32_t)(y >> FRACTION_BITS);
        const uint8_t *upper = source->data + row * source->stride + column;
        const uint8_t *lower = upper + (row + 1 < source->height ? source->stride : 0);
        sample = interpolate(upper, lower, column + 1 < source->width, x, y);
        if (u == 0)
          first = sample;
        row_sum += sample;
      }
      row_sum = weighted(row_sum, first, sample, grid->count_u);
      if (v == 0)
        first_row = row_sum;
      sum += row_sum;
    }
    result[i] = mean(weighted(sum, first_row, row_sum, grid->count_v), grid->reciprocal);
  }
}

/// Whether grids around the places from `a` to `b` stay inside, with room for rounding.
static bool is_inside(double a, double b, double reach, uint32_t size) {
  const double slack = 1.0 / 32;
  return fmin(a, b) - reach > slack && fmax(a, b) + reach < (double)size - 1 - slack;
}

void vf_grid_run(uint8_t *result, uint32_t count, uint32_t x, uint32_t y, const vf_plane *plane,
                 uint32_t source_width, uint32_t source_height, const vf_homography *map) {
  const source source = {plane->data, plane->stride, source_width, source_height};
  double v = y + 0.5;
  double row_x = map->b * v + map->c, row_y = map->e * v + map->f, row_w = map->h * v + 1;
  double xs[VF_GRID_RUN], ys[VF_GRID_RUN];
  for (uint32_t i = 0; i < count; i++) {
    double u = x + i + 0.5, scale = 1 / (map->g * u + row_w);
    // From the picture's corner to the first sample's centre is half a sample.
    xs[i] = (map->a * u + row_x) * scale - 0.5;
    ys[i] = (map->d * u + row_y) * scale - 0.5;
  }
  grid grid = grid_at(map, x + count / 2.0, v);
  // A line stays a line, so its ends are its extremes.
  bool inside = is_inside(xs[0], xs[count - 1], grid.reach_x, source_width) &&
                is_inside(ys[0], ys[count - 1], grid.reach_y, source_height);
  (inside ? warp_inside : warp_anywhere)(result, count, xs, ys, &grid, &source);
}
