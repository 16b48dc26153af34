#ifndef VF_JPEG_TRANSCODE_H
#define VF_JPEG_TRANSCODE_H

#include "jpeg/header.h"
#include "jpeg/walk.h"

#pragma clang assume_nonnull begin

/// A rectangle of MCUs.
typedef struct vf_mcu_part {
  size_t left, top, right, bottom;
} vf_mcu_part;

enum { VF_LACKS_CODE = -3 };

/// Copies the codes of some of a scan's MCUs, which become a scan of their own with restart markers
/// every `interval` MCUs, or none (0). Only the DC differences change.
///
/// Returns 0; or `VF_IMPOSSIBLE` with `walk->damage` set; or `VF_LACKS_CODE` where the picture's
/// Huffman tables have no code for a difference that it hasn't got itself.
int vf_scan_transcode(vf_jpeg_writer *writer, vf_walk *walk, size_t mcus_per_row,
                      const vf_mcu_part *part, unsigned interval);

#pragma clang assume_nonnull end

#endif
