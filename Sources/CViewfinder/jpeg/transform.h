#ifndef VF_JPEG_TRANSFORM_H
#define VF_JPEG_TRANSFORM_H

#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// The part of a picture of any kind that libjpeg reads, as a baseline picture without metadata;
/// its coefficients stay as they are. The left and upper edge of `part` lie at an MCU.
///
/// Fails with `EBADMSG` when the picture is damaged. The caller releases `result` with
/// `vf_buffer_free`.
int vf_jpeg_transform(vf_buffer *result, const uint8_t *bytes, size_t count,
                      const vf_rectangle *part, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
