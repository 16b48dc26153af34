#ifndef VF_CORE_SUBSAMPLE_H
#define VF_CORE_SUBSAMPLE_H

#include "pixels/image.h"

#pragma clang assume_nonnull begin

/// A new image of the planar layout `fourcc`, from a planar or grey one: chroma is averaged where
/// it gets coarser, interpolated where it gets finer, and 128 where there was none.
int vf_image_subsample(vf_image *result, uint32_t fourcc, const vf_image *planar,
                       vf_failure *failure);

#pragma clang assume_nonnull end

#endif
