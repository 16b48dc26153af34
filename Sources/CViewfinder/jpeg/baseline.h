#ifndef VF_JPEG_BASELINE_H
#define VF_JPEG_BASELINE_H

#include "jpeg/error.h"
#include "jpeg/walk.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

/// Describes the first scan of a picture whose headers `codec` has read. Returns the MCUs of a row;
/// 0 where the picture isn't sequential with all components in that scan, or tables are missing.
/// The tables belong to the codec.
size_t vf_baseline_describe(j_decompress_ptr codec, vf_scan *scan);

/// What of a picture is wanted.
typedef struct vf_baseline_part {
  /// Its planes, which take the components.
  const vf_image *image;
  /// The part that the image shows, in pixels of the picture at its scale, and how coarse chroma is
  /// (log2). Chroma samples start where the part does.
  uint32_t x, y;
  unsigned shift_x, shift_y;
  /// Samples that a block of each component gives each way: 1, 2, 4 or 8.
  unsigned sizes[3];
} vf_baseline_part;

/// Decodes a part of a sequential picture in one scan, faster than libjpeg and to the same samples.
/// `codec` has read the picture's headers, up to its first scan's data in `count` bytes.
///
/// Returns 0 when it can't: the picture is of another kind, or damaged. libjpeg knows what to do
/// then.
int vf_baseline_decode(j_decompress_ptr codec, const uint8_t *bytes, size_t count,
                       const vf_baseline_part *part);

#pragma clang assume_nonnull end

#endif
