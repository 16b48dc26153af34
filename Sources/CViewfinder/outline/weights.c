#include "outline/weights.h"

#include <math.h>

// A box of two samples passes nothing of the finest detail, which alternates from sample to sample.
// A longer one would again, with the sign changed: it is two boxes, one of them of two samples, of
// the same spread.

/// The integral of linear interpolation's kernel, a triangle, from its middle to `x`.
static double area(double x) {
  double distance = fmin(fabs(x), 1);
  return copysign(distance - distance * distance / 2, x);
}

/// The integral of that.
static double area_below(double x) {
  double distance = fmin(fabs(x), 1), beyond = fabs(x) - distance;
  return distance * distance / 2 - distance * distance * distance / 6 + beyond / 2;
}

/// The weight of a sample at `distance` from the place.
static double weight(double distance, double box) {
  if (box <= 2)
    return (area(distance + box / 2) - area(distance - box / 2)) / box;
  double other = sqrt(box * box - 4), outer = 1 + other / 2, inner = 1 - other / 2;
  return (area_below(distance + outer) - area_below(distance + inner) -
          area_below(distance - inner) + area_below(distance - outer)) /
         (2 * other);
}

static void fill(uint8_t taps[8], uint32_t size, double box, double fraction) {
  double weights[8], sum = 0;
  for (uint32_t i = 0; i < size; i++) {
    weights[i] = weight((double)i - (size / 2 - 1) - fraction, box);
    sum += weights[i];
  }
  // What rounding leaves over goes to the largest, where it matters least.
  uint32_t largest = 0;
  int32_t rest = VF_PHASES;
  for (uint32_t i = 0; i < 8; i++) {
    taps[i] = i < size ? (uint8_t)lrint(weights[i] / sum * VF_PHASES) : 0;
    rest -= taps[i];
    if (taps[i] > taps[largest])
      largest = i;
  }
  taps[largest] = (uint8_t)(taps[largest] + rest);
}

const vf_weights *vf_weights_of(vf_weight_tables *tables, uint32_t size, uint32_t box) {
  uint32_t kind = size == 6;
  vf_weights *weights = &tables->weights[kind][box];
  if (!tables->has[kind][box]) {
    for (uint32_t phase = 0; phase < VF_PHASES; phase++) {
      fill(weights->taps[phase], size, (double)box / VF_BOX_STEPS, (double)phase / VF_PHASES);
    }
    tables->has[kind][box] = 1;
  }
  return weights;
}
