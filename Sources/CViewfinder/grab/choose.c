#include "failure.h"
#include "vf_grabber.h"
#include "vf_layout.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>

/// Rates this close count as equal: 30000/1001 serves a wish for 30.
#define RATE_TOLERANCE 0.998

/// What a row makes of a wish. Smaller members are better, compared in this order.
typedef struct offer {
  bool other_format, emulated;
  /// 0: the very size, 1: covers it, 2: doesn't.
  int size_class;
  /// The area, negative where larger is better. A driver may claim sizes whose product no integer
  /// holds.
  double area;
  bool too_slow;
  /// Frames a second over the wish, or negative frames a second where faster is better.
  double rate;
  int format_rank;
  vf_format format;
} offer;

static double seconds(vf_interval interval) {
  return interval.denominator ? (double)interval.numerator / interval.denominator : 0;
}

/// The smallest value of a range that is `wanted` or more, or the largest of all.
static uint32_t fit_size(uint32_t minimum, uint32_t maximum, uint32_t step, uint32_t wanted) {
  if (wanted <= minimum)
    return minimum;
  if (wanted >= maximum)
    return maximum;
  if (step < 2)
    return wanted;
  uint64_t steps = ((uint64_t)wanted - minimum + step - 1) / step;
  uint64_t value = minimum + steps * step;
  return value < maximum ? (uint32_t)value : maximum;
}

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// The longest interval of a row that still reaches the wanted rate, or its shortest.
static vf_interval fit_interval(const vf_mode *mode, vf_interval wanted, bool fastest) {
  vf_interval shortest = mode->min_interval, longest = mode->max_interval;
  if (!shortest.denominator)
    return wanted;
  double wish = seconds(wanted), start = seconds(shortest);
  // A discrete interval within the tolerance is its own best value.
  if (fastest || wish * RATE_TOLERANCE <= start)
    return shortest;
  if (!longest.denominator || wish >= seconds(longest)) {
    return longest.denominator ? longest : shortest;
  }
  double step = seconds(mode->interval_step);
  if (step <= 0)
    return wanted;
  double steps = (wish - start) / step + 1e-6;
  if (steps >= UINT32_MAX)
    return wanted;
  // Kernel fractions are 32 bits wide: fall back to the wish, which the driver rounds, where the
  // sum doesn't fit.
  uint64_t count = (uint64_t)steps;
  uint64_t per_step = mode->interval_step.numerator * (uint64_t)shortest.denominator;
  uint64_t base = shortest.numerator * (uint64_t)mode->interval_step.denominator;
  uint64_t added, numerator;
  if (__builtin_mul_overflow(count, per_step, &added) ||
      __builtin_add_overflow(base, added, &numerator)) {
    return wanted;
  }
  uint64_t denominator = shortest.denominator * (uint64_t)mode->interval_step.denominator;
  uint64_t common = divisor(numerator, denominator);
  if (!common || numerator / common > UINT32_MAX || denominator / common > UINT32_MAX) {
    return wanted;
  }
  return (vf_interval){(uint32_t)(numerator / common), (uint32_t)(denominator / common)};
}

/// Evaluates one row. Returns false where we can't read its format, or its sizes make no sense.
static bool evaluate(const vf_mode *mode, const vf_format *wanted, offer *offer) {
  int rank = vf_layout_rank(mode->fourcc);
  if (rank < 0)
    return false;
  if (!mode->min_width || !mode->min_height || mode->min_width > mode->max_width ||
      mode->min_height > mode->max_height) {
    return false;
  }

  bool largest = !wanted->width || !wanted->height;
  bool fastest = !wanted->interval.denominator || !wanted->interval.numerator;
  vf_interval wish = wanted->interval;
  if (fastest && !largest) {
    wish = (vf_interval){1, 30};
    fastest = false;
  } else if (fastest) {
    wish = (vf_interval){0, 0};
  }

  uint32_t width =
      largest ? mode->max_width
              : fit_size(mode->min_width, mode->max_width, mode->width_step, wanted->width);
  uint32_t height =
      largest ? mode->max_height
              : fit_size(mode->min_height, mode->max_height, mode->height_step, wanted->height);
  if (!largest && (width < wanted->width || height < wanted->height)) {
    width = mode->max_width;
    height = mode->max_height;
  }
  double area = (double)width * height;
  *offer = (struct offer){
      .other_format = wanted->fourcc && wanted->fourcc != mode->fourcc,
      .emulated = (mode->flags & V4L2_FMT_FLAG_EMULATED) != 0,
      .format_rank = rank,
      .format = {.fourcc = mode->fourcc, .width = width, .height = height},
  };
  if (largest) {
    offer->area = -area;
  } else if (width == wanted->width && height == wanted->height) {
    offer->area = area;
  } else if (width >= wanted->width && height >= wanted->height) {
    offer->size_class = 1;
    offer->area = area;
  } else {
    offer->size_class = 2;
    offer->area = -area;
  }

  vf_interval interval = fit_interval(mode, wish, fastest);
  offer->format.interval = interval;
  double time = mode->min_interval.denominator ? seconds(interval) : 0;
  double rate = time > 0 ? 1 / time : 0;
  double needed = fastest ? 0 : 1 / seconds(wish);
  offer->too_slow = !fastest && rate < needed * RATE_TOLERANCE;
  offer->rate = fastest || offer->too_slow ? -rate : rate - needed;
  return true;
}

static int compare(double a, double b) { return (a > b) - (a < b); }

static bool better(const offer *a, const offer *b) {
  if (a->other_format != b->other_format)
    return b->other_format;
  if (a->emulated != b->emulated)
    return b->emulated;
  if (a->size_class != b->size_class)
    return a->size_class < b->size_class;
  if (a->area != b->area)
    return a->area < b->area;
  if (a->too_slow != b->too_slow)
    return b->too_slow;
  // Among those too slow, and where the fastest is wanted, the rate goes before the format; among
  // those that reach it, the format does.
  int rate = compare(a->rate, b->rate);
  bool rate_first = a->too_slow || a->rate < 0 || b->rate < 0;
  if (rate_first && rate)
    return rate < 0;
  if (a->format_rank != b->format_rank)
    return a->format_rank < b->format_rank;
  return rate < 0;
}

int vf_format_choose(const vf_mode *modes, size_t count, const vf_format *wanted, vf_format *chosen,
                     vf_failure *failure) {
  offer best;
  bool found = false;
  for (size_t i = 0; i < count; i += 1) {
    offer candidate;
    if (!evaluate(&modes[i], wanted, &candidate))
      continue;
    if (!found || better(&candidate, &best))
      best = candidate;
    found = true;
  }
  if (!found) {
    return vf_fail(failure, ENOTSUP, "choosing a format",
                   count ? "no format that can be read" : "the camera offers no formats");
  }
  *chosen = best.format;
  return 0;
}
