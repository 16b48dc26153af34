#ifndef VF_JPEG_SAMPLES_H
#define VF_JPEG_SAMPLES_H

#include "jpeg/walk.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

/// What is wanted of a component of a scan, and where it goes.
typedef struct vf_samples {
  const vf_plane *plane;
  /// The part of the component that the plane takes, in samples as they come out.
  uint32_t x, y, width, height;
  /// Samples that a block gives each way: 8, or 4, 2 or 1 where it is scaled down.
  unsigned size;
  /// Blocks of an MCU, across and down.
  unsigned across, down;
  /// The quantization table, in natural order.
  int16_t quantization[VF_BLOCK];
} vf_samples;

/// Decodes the samples of a scan, those that libjpeg's accurate transforms (`JDCT_ISLOW`) give: of
/// each component a part, at a scale. Passes over what comes before and between. `mcus_per_row` are
/// the scan's.
///
/// Returns 0 where the data are damaged, which `walk->damage` tells.
int vf_samples_read(vf_walk *walk, const vf_samples *samples, size_t mcus_per_row);

#pragma clang assume_nonnull end

#endif
