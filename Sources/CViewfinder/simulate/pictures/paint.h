#ifndef VF_SIM_PAINT_H
#define VF_SIM_PAINT_H

#include "simulate/frame.h"
#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// Fills a raw frame of `area` pixels with black.
void vf_sim_blacken(uint32_t fourcc, size_t area, uint8_t *result);

/// Encodes as cameras do. `*encoder` is made when there is none yet; `*bytes` belongs to it.
int vf_sim_encode(vf_encoder *_Nullable *_Nonnull encoder, const vf_image *image,
                  const uint8_t *_Nullable *_Nonnull bytes, size_t *count);

/// Puts finished bytes into a frame. `EMSGSIZE` when it is too small.
int vf_sim_fill(vf_sim_frame *frame, const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
