#ifndef VF_CORE_FILTER_H
#define VF_CORE_FILTER_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Weights are integers that sum to this, so that an even area stays exactly as it is.
#define WEIGHT_BITS 14
#define WEIGHT_ONE (1 << WEIGHT_BITS)

/// Between the passes samples keep this many bits of fraction.
#define KEPT_BITS 4

/// How one result sample comes from a run of source samples.
typedef struct vf_tap {
  uint32_t first;  ///< The first source sample.
  uint32_t count;  ///< How many.
  uint32_t weight; ///< The place of their weights among `weights`.
} vf_tap;

/// The filter along one axis.
typedef struct vf_filter {
  vf_tap *_Nullable taps;
  int16_t *_Nullable weights;
} vf_filter;

/// The filter from `source_size` samples to `size`, where one result sample is `ratio` source
/// samples wide: their area when that is more than one, else four neighbours. Returns `-ENOMEM` or
/// 0; release it with `vf_filter_free`.
int vf_filter_create(vf_filter *result, uint32_t size, uint32_t source_size, double ratio);

/// Accepts a zeroed filter.
void vf_filter_free(vf_filter *filter);

#pragma clang assume_nonnull end

#endif
