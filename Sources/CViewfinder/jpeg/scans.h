#ifndef VF_JPEG_SCANS_H
#define VF_JPEG_SCANS_H

#include "jpeg/error.h"

#pragma clang assume_nonnull begin

/// A decompressor's progress monitor that fails with `EBADMSG` where a picture has so many scans
/// that it was made to take long.
void vf_jpeg_limit_scans(j_common_ptr codec);

#pragma clang assume_nonnull end

#endif
