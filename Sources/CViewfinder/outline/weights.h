#ifndef VF_CORE_WEIGHTS_H
#define VF_CORE_WEIGHTS_H

#include "vf_kernels.h"

#pragma clang assume_nonnull begin

/// Lengths of a filter's box that have tables, as steps of 1/16 of a sample.
#define VF_BOX_STEPS 16
#define VF_MOST_BOX 60

/// The longest box whose filter fits in 4 samples, and the longest in 6: what reaches farther has
/// less weight than tables hold.
#define VF_BOX_4 36
#define VF_BOX_6 VF_MOST_BOX

/// Tables of weights, made when first asked for.
typedef struct vf_weight_tables {
  uint8_t has[2][VF_MOST_BOX + 1];
  vf_weights weights[2][VF_MOST_BOX + 1];
} vf_weight_tables;

/// The weights of linear interpolation, averaged over a box of `box` / 16 samples (1 to
/// `VF_MOST_BOX`), in 4 or 6 samples. The place that they are for lies between the middle two.
const vf_weights *vf_weights_of(vf_weight_tables *tables, uint32_t size, uint32_t box);

#pragma clang assume_nonnull end

#endif
