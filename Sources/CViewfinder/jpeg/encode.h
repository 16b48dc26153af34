#ifndef VF_JPEG_ENCODE_H
#define VF_JPEG_ENCODE_H

#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// What a picture is divided into when it is encoded.
typedef struct vf_encode_grid {
  /// Rows of pixels in a row of MCUs.
  uint32_t mcu_height;
  /// Restart intervals in a row of MCUs; 0 without restart markers.
  uint32_t restarts_per_row;
  /// Whether the picture goes into the encoder as it is, row by row.
  uint8_t is_direct;
} vf_encode_grid;

/// Fails when the picture can't be encoded that way.
int vf_encode_grid_find(vf_encode_grid *grid, const vf_image *image,
                        const vf_encode_options *options, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
