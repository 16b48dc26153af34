#ifndef VF_CORE_RGB_H
#define VF_CORE_RGB_H

#include "pixels/image.h"

#pragma clang assume_nonnull begin

/// A new image of the RGB layout `fourcc`, from an image of any layout.
int vf_image_to_rgb_layout(vf_image *result, uint32_t fourcc, const vf_image *source,
                           vf_failure *failure);

#pragma clang assume_nonnull end

#endif
