#ifndef VF_JPEG_COEFFICIENTS_H
#define VF_JPEG_COEFFICIENTS_H

#include "jpeg/error.h"

#pragma clang assume_nonnull begin

/// The coefficients of a picture that comes in several scans, which must all be held until the last
/// scan is read: packed, so that zeros, most of them, take nearly no memory.
///
/// libjpeg's own arrays take two bytes for each, up to six a pixel, whatever is in the file.
typedef struct vf_coefficients {
  struct vf_coefficient_array *_Nullable arrays[MAX_COMPONENTS];
  size_t array_count;
  /// Bytes that packed rows take, and how many they may take.
  size_t held, limit;
  /// Bytes that were released and aren't given back to the system yet.
  size_t freed;
  /// Room for one packed row, and its size.
  uint8_t *_Nullable scratch;
  size_t scratch_size;
} vf_coefficients;

/// Makes a codec, before it starts, keep its coefficients in `coefficients`; more than `limit`
/// bytes of them fail with `EFBIG`. Takes the codec's `client_data`. Rows may be read once without
/// being written, from the top.
///
/// The caller releases what is held with `vf_coefficients_free`, also after a failure.
void vf_coefficients_hold(vf_coefficients *coefficients, j_common_ptr codec, size_t limit);

/// Releases all; accepts a zeroed struct. The codec must be destroyed, or never run again.
void vf_coefficients_free(vf_coefficients *coefficients);

#pragma clang assume_nonnull end

#endif
