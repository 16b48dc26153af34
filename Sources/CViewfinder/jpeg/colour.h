#ifndef VF_JPEG_COLOUR_H
#define VF_JPEG_COLOUR_H

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// Writes row `y` of a `VF_I444` image from `image->width` pixels of three bytes: Y, Cb, Cr.
void vf_row_from_ycc(const vf_image *image, size_t y, const uint8_t *pixels);

/// The same from pixels of R, G, B.
void vf_row_from_rgb(const vf_image *image, size_t y, const uint8_t *pixels);

/// The same from pixels of C, M, Y, K; 255 is no ink when `inverted`, as Adobe writes them. Without
/// an ink profile the colours are an approximation.
void vf_row_from_cmyk(const vf_image *image, size_t y, const uint8_t *pixels, int inverted);

#pragma clang assume_nonnull end

#endif
