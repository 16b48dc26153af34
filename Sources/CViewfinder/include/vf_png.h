#ifndef VF_PNG_H
#define VF_PNG_H

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// Whether the bytes start like a PNG file.
int vf_png_matches(const uint8_t *bytes, size_t count);

/// Decodes a PNG of any colour type and depth to `VF_RGB24`, or `VF_RGBA32` when it has
/// transparency; grey becomes `VF_GREY` when it has none. 16-bit samples keep their upper 8 bits.
/// More than `pixel_limit` pixels (0: 200 million) fail with `EFBIG` before memory is taken; an
/// incomplete or damaged file fails with `EBADMSG`. `*tiff`, where given, receives a copy of the
/// eXIf chunk, or nothing.
int vf_png_decode(vf_image *result, const uint8_t *bytes, size_t count, uint64_t pixel_limit,
                  vf_buffer *_Nullable tiff, vf_failure *failure);

/// Encodes an image of any uncompressed layout as an 8-bit PNG: grey, RGB, or RGBA when it has
/// alpha; with the TIFF data given as eXIf chunk and the resolution as pHYs (0: none). Release with
/// `vf_buffer_free`.
int vf_png_encode(const vf_image *image, const uint8_t *_Nullable tiff, size_t tiff_count,
                  uint32_t dots_per_inch, vf_buffer *result, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
