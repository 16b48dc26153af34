#include "pixels/filter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void vf_filter_free(vf_filter *filter) {
  free(filter->taps);
  free(filter->weights);
}

/// The cubic convolution kernel with a = -1/2 (Catmull-Rom).
static double cubic(double x) {
  x = fabs(x);
  if (x < 1)
    return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/// Rounds the running sum rather than each weight, so that the weights add up exactly, and a very
/// wide area keeps its shape.
static void settle_weights(int16_t *weights, const double *exact, uint32_t count) {
  double sum = 0, so_far = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += exact[i];
  long settled = 0;
  for (uint32_t i = 0; i < count; i++) {
    so_far += exact[i];
    long next = lrint(so_far / sum * WEIGHT_ONE);
    weights[i] = (int16_t)(next - settled);
    settled = next;
  }
}

int vf_filter_create(vf_filter *result, uint32_t size, uint32_t source_size, double ratio) {
  uint32_t most = ratio > 1 ? (uint32_t)ceil(ratio) + 2 : 4;
  vf_filter made = {.taps = malloc(size * sizeof(vf_tap)),
                    .weights = calloc((size_t)size * most, sizeof(int16_t))};
  double *exact = malloc(most * sizeof *exact);
  if (!made.taps || !made.weights || !exact) {
    free(exact);
    vf_filter_free(&made);
    return -ENOMEM;
  }
  int64_t last = (int64_t)source_size - 1;
  for (uint32_t i = 0; i < size; i++) {
    double begin = i * ratio, end = (i + 1) * ratio, middle = (begin + end) / 2 - 0.5;
    int64_t from = ratio > 1 ? (int64_t)floor(begin) : (int64_t)floor(middle) - 1;
    int64_t to = ratio > 1 ? (int64_t)ceil(end) - 1 : from + 3;
    int64_t first = from < 0 ? 0 : from > last ? last : from;
    uint32_t count = 0;
    memset(exact, 0, most * sizeof *exact);
    for (int64_t j = from; j <= to; j++) {
      double weight =
          ratio > 1 ? fmin(end, (double)j + 1) - fmax(begin, (double)j) : cubic((double)j - middle);
      // What lies outside repeats the edge.
      int64_t index = j < first ? first : j > last ? last : j;
      exact[index - first] += weight;
      count = (uint32_t)(index - first) + 1;
    }
    made.taps[i] = (vf_tap){.first = (uint32_t)first, .count = count, .weight = i * most};
    settle_weights(made.weights + (size_t)i * most, exact, count);
  }
  free(exact);
  *result = made;
  return 0;
}
