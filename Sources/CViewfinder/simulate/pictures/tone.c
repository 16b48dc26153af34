#include "simulate/pictures/tone.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The lamp over the table, in kelvin: white balance at this setting is neutral.
#define LAMP_KELVIN 4600
// The exposure, in units of 100 µs, that lights the picture as it was drawn.
#define RIGHT_EXPOSURE 157.0

static uint8_t clamp(double value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

// How much light falls on the sensor: 1 is as the scene was drawn.
static double light(const vf_sim_look *look, uint32_t frame) {
  double light = 1;
  if (look->exposes_manually) {
    // In units of 100 µs. A frame can't be exposed for longer than it lasts.
    double longest = (double)look->frame_time / 100000;
    light = look->exposure < longest ? look->exposure : longest;
    light /= RIGHT_EXPOSURE;
  } else if (frame < VF_SIM_SETTLING) {
    light = 1 - 0.9 * pow(0.62, frame);
  }
  light *= 1 + look->gain / 50.0;
  if (look->flash)
    light *= 1.6;
  return light;
}

int vf_sim_tone_make(const vf_sim_look *look, uint32_t frame, vf_sim_tone *tone) {
  // Samples follow a curve of about 1 / 2.2.
  double brighter = pow(light(look, frame), 1 / 2.2);
  double contrast = look->contrast / 32.0;
  double saturation = look->saturation / 64.0 * contrast * fmin(brighter, 1.3);
  int changes = 0;
  for (int i = 0; i < 256; i++) {
    tone->luma[i] = clamp((i * brighter - 128) * contrast + 128 + look->brightness);
    tone->chroma[i] = clamp((i - 128) * saturation + 128);
    changes |= tone->luma[i] != i || tone->chroma[i] != i;
  }
  double warmth = 0;
  if (!look->balances_automatically)
    warmth = (look->white_balance - LAMP_KELVIN) / 1900.0;
  tone->tint_cb = (int32_t)lround(-40 * warmth);
  tone->tint_cr = (int32_t)lround(28 * warmth);
  return changes || tone->tint_cb || tone->tint_cr;
}

void vf_sim_tone_apply(const vf_sim_tone *tone, uint8_t *luma_result, uint8_t *chroma_result,
                       const uint8_t *luma, const uint8_t *chroma, size_t count) {
  if (!tone->tint_cb && !tone->tint_cr) {
    for (size_t i = 0; i < count; i++) {
      luma_result[i] = tone->luma[luma[i]];
      chroma_result[i] = tone->chroma[chroma[i]];
    }
    return;
  }
  for (size_t i = 0; i + 1 < count; i += 2) {
    int y = luma[i];
    int cb = tone->chroma[chroma[i]] + tone->tint_cb * y / 256;
    int cr = tone->chroma[chroma[i + 1]] + tone->tint_cr * y / 256;
    luma_result[i] = tone->luma[luma[i]];
    luma_result[i + 1] = tone->luma[luma[i + 1]];
    chroma_result[i] = (uint8_t)(cb < 0 ? 0 : cb > 255 ? 255 : cb);
    chroma_result[i + 1] = (uint8_t)(cr < 0 ? 0 : cr > 255 ? 255 : cr);
  }
}

// One box over `count` samples `step` bytes apart; `line` holds a copy of them.
static void box(uint8_t *samples, uint8_t *line, uint32_t count, size_t step, uint32_t radius) {
  if (radius == 0)
    return;
  for (uint32_t i = 0; i < count; i++)
    line[i] = samples[i * step];
  uint32_t last = count - 1, span = 2 * radius + 1;
  uint32_t sum = line[0] * (radius + 1);
  for (uint32_t i = 1; i <= radius; i++)
    sum += line[i < last ? i : last];
  for (uint32_t i = 0; i < count; i++) {
    samples[i * step] = (uint8_t)((sum + radius) / span);
    sum += line[i + radius + 1 < last ? i + radius + 1 : last];
    sum -= line[i > radius ? i - radius : 0];
  }
}

int vf_sim_blur(uint8_t *plane, uint32_t width, uint32_t rows, uint32_t stride, uint32_t channels,
                uint32_t radius_across, uint32_t radius_down) {
  uint8_t *line = malloc(width > rows ? width : rows);
  if (!line)
    return ENOMEM;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t row = 0; row < rows; row++)
      for (uint32_t channel = 0; channel < channels; channel++)
        box(plane + (size_t)row * stride + channel, line, width / channels, channels,
            radius_across);
    for (uint32_t column = 0; column < width; column++)
      box(plane + column, line, rows, stride, radius_down);
  }
  free(line);
  return 0;
}
