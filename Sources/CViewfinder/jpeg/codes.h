#ifndef VF_JPEG_CODES_H
#define VF_JPEG_CODES_H

#include "jpeg/walk.h"

#pragma clang assume_nonnull begin

/// Reads the codes of a scan whose entropy-coded data is in `start` ..< `end`, without making
/// pixels of them, and counts its MCUs.
///
/// Returns the end of the last MCU's data, past which only padding is left; 0 with `*damage` when
/// the data ends before, or has codes that can't be.
size_t vf_scan_read_codes(const uint8_t *bytes, size_t start, size_t end, const vf_scan *scan,
                          const char *_Nullable *_Nonnull damage);

#pragma clang assume_nonnull end

#endif
