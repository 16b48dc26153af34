#ifndef VF_SIM_TONE_H
#define VF_SIM_TONE_H

#include "simulate/pictures/source.h"

#pragma clang assume_nonnull begin

/// What the controls make of luma and chroma: 256 values each, and the tint by white balance, in
/// 1/256 of luma.
typedef struct vf_sim_tone {
  uint8_t luma[256], chroma[256];
  int32_t tint_cb, tint_cr;
} vf_sim_tone;

/// The frames in which automatic exposure settles.
#define VF_SIM_SETTLING 8u

/// `frame` counts from the start of the stream, because automatic exposure takes some to settle.
/// Returns whether the tone changes anything.
int vf_sim_tone_make(const vf_sim_look *look, uint32_t frame, vf_sim_tone *tone);

/// Applies a tone to rows of luma and of Cb and Cr interleaved at half width.
void vf_sim_tone_apply(const vf_sim_tone *tone, uint8_t *luma_result, uint8_t *chroma_result,
                       const uint8_t *luma, const uint8_t *chroma, size_t count);

/// Softens a plane of interleaved samples twice by boxes of `radius`.
int vf_sim_blur(uint8_t *plane, uint32_t width, uint32_t rows, uint32_t stride, uint32_t channels,
                uint32_t radius_across, uint32_t radius_down);

#pragma clang assume_nonnull end

#endif
