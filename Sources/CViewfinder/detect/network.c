#include <errno.h>
#include <string.h>

#include "detect/workspace.h"

// The first network sees the whole picture, small. It marks cards' faces, borders, corners, and the
// way to the nearest side, at a quarter of its input's size.

#if __has_include("detect/tables/network.inc")
#include "detect/tables/network.inc"
static const eye_table table = {eye_steps, sizeof eye_steps / sizeof *eye_steps, eye_weights,
                                eye_biases, eye_multipliers};
#else
static const eye_table table;
#endif

bool eye_prepare_network(vf_eye *eye) {
  return eye_network_prepare(&eye->network, table, eye->kernels);
}

static bool run(vf_eye *eye, const uint8_t *picture, int32_t width, int32_t height) {
  eye->map_width = width / 4;
  eye->map_height = height / 4;
  return eye_network_run(&eye->network, &eye->tensors, picture, width, height, eye->maps[0],
                         EYE_MAP_CELLS);
}

void eye_run_network(vf_eye *eye) {
  if (!run(eye, eye->small, eye->small_width, eye->small_height))
    memset(eye->maps, 0, sizeof eye->maps);
  for (int32_t k = 0; k < eye->map_width * eye->map_height; k++) {
    for (int i = 0; i < 3; i++) {
      eye->chances[i][k] = (uint8_t)((vf_eye_logistic(eye->maps[i][k] * 16) * 255 + 16384) / 32767);
      eye->cells[k][i] = eye->chances[i][k];
    }
    eye->cells[k][4] = eye->maps[3][k];
    eye->cells[k][5] = eye->maps[4][k];
  }
}

int vf_eye_run_network(vf_eye *eye, const uint8_t *bgr, uint32_t width, uint32_t height,
                       int16_t *maps) {
  if (width % 32 || height % 32 || !width || !height || width > EYE_NET_SIDE ||
      height > EYE_NET_SIDE || !run(eye, bgr, (int32_t)width, (int32_t)height))
    return -EINVAL;
  vf_eye_maps(eye, maps);
  return 0;
}
