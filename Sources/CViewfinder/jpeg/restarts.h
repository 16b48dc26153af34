#ifndef VF_JPEG_RESTARTS_H
#define VF_JPEG_RESTARTS_H

#include <stdlib.h>

/// How many restart intervals a row of MCUs has: the number nearest to `wanted` that divides
/// `mcus`.
static inline unsigned vf_restarts_per_row(unsigned mcus, unsigned wanted) {
  unsigned best = 1;
  for (unsigned n = 1; n <= mcus && n <= 2 * wanted; n++)
    if (mcus % n == 0 && abs((int)n - (int)wanted) < abs((int)best - (int)wanted))
      best = n;
  return best;
}

#endif
