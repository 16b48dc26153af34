#include "detect/workspace.h"

// The channels that edges and regions are looked for in, at the working size and at half of it.
// Smoothing is 1-4-6-4-1 both ways, as four halvings of neighbours' sums, which 16 bits hold.

/// Smooths a plane in place.
static void smooth(vf_eye *eye, int16_t *plane, int32_t width, int32_t height) {
  const eye_kernels *kernels = eye->kernels;
  // A ring of the last rows, smoothed across: each result row needs two above and two below.
  for (int32_t y = 0; y < eye_min(2, height); y++)
    kernels->smooth_row(eye->rows[y], plane + y * width, width);
  for (int32_t y = 0; y < height; y++) {
    int32_t next = y + 2;
    if (next < height)
      kernels->smooth_row(eye->rows[next % 5], plane + next * width, width);
    const int16_t *rows[5];
    for (int32_t i = 0; i < 5; i++)
      rows[i] = eye->rows[eye_clamp(y + i - 2, 0, height - 1) % 5];
    kernels->smooth_rows(plane + y * width, rows, width);
  }
}

void eye_make_levels(vf_eye *eye) {
  int32_t width = eye->width, height = eye->height;
  int32_t half_width = width / 2, half_height = height / 2;
  eye->levels[0] = (eye_level){width,
                               height,
                               {eye->channels[0], eye->channels[1], eye->channels[2]},
                               eye->gradients[0],
                               eye->gradients[1],
                               eye->magnitudes,
                               eye->edges,
                               eye->places,
                               0};
  eye->levels[1] =
      (eye_level){half_width,
                  half_height,
                  {eye->half_channels[0], eye->half_channels[1], eye->half_channels[2]},
                  eye->half_gradients[0],
                  eye->half_gradients[1],
                  eye->half_magnitudes,
                  eye->half_edges,
                  eye->half_places,
                  0};
  eye->kernels->to_channels(eye->channels[0], eye->channels[1], eye->channels[2], eye->planes[0],
                            eye->planes[1], eye->planes[2], (size_t)(width * height));
  for (int c = 0; c < 3; c++) {
    smooth(eye, eye->channels[c], width, height);
    for (int32_t y = 0; y < half_height; y++) {
      const int16_t *a = eye->channels[c] + 2 * y * width;
      eye->kernels->halve_rows(eye->half_channels[c] + y * half_width, a, a + width, half_width);
    }
    smooth(eye, eye->half_channels[c], half_width, half_height);
  }
}
