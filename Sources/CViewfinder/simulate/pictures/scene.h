#ifndef VF_SIM_SCENE_H
#define VF_SIM_SCENE_H

#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// A picture to draw into: luma at full size, Cb and Cr interleaved at half width, which makes
/// both planes equally large. `margin` pixels around the frame serve the shake.
typedef struct vf_sim_canvas {
  uint32_t width, height, margin, stride, rows;
  uint8_t *luma, *chroma;
} vf_sim_canvas;

/// Where the camera looks.
typedef struct vf_sim_view {
  double zoom;
  uint8_t hflip, vflip;
} vf_sim_view;

int vf_sim_draw_card(const vf_sim_canvas *canvas, const vf_sim_view *view);
void vf_sim_draw_bars(const vf_sim_canvas *canvas, const vf_sim_view *view);

/// The card's corners in a picture without shake, clockwise from the top left as seen.
void vf_sim_card_corners(uint32_t width, uint32_t height, const vf_sim_view *view,
                         vf_point corners[_Nonnull 4]);

#pragma clang assume_nonnull end

#endif
