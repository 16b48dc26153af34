#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detect/workspace.h"
#include "failure.h"
#include "pixels/image.h"

vf_eye *vf_eye_create(void) { return eye_create_with(eye_kernels_current()); }

vf_eye *eye_create_with(const eye_kernels *kernels) {
  vf_eye *eye = calloc(1, sizeof *eye);
  if (!eye)
    return NULL;
  eye->kernels = kernels;
  if (!eye_prepare_network(eye) || !eye_prepare_closer(eye) || !eye_prepare_strips(eye) ||
      !eye_prepare_trees(eye)) {
    vf_eye_destroy(eye);
    return NULL;
  }
  return eye;
}

void vf_eye_destroy(vf_eye *eye) {
  if (!eye)
    return;
  free(eye->sums);
  free(eye->odd_sums);
  free(eye->samples);
  for (int i = 0; i < EYE_COLUMN_TABLES; i++)
    free(eye->columns[i].weights);
  eye_network_release(&eye->network);
  eye_network_release(&eye->closer);
  eye_network_release(&eye->strips);
  free(eye->ranking.nodes);
  free(eye->judging.nodes);
  free(eye);
}

static vf_image view(const uint8_t *rgb, uint32_t width, uint32_t height, size_t stride) {
  vf_image image = {.fourcc = VF_RGB24, .width = width, .height = height};
  // The image is only read.
  image.planes[0] = (vf_plane){(uint8_t *)(uintptr_t)rgb, stride};
  return image;
}

/// Proposals, ranked.
static int propose(vf_eye *eye, const vf_image *image, vf_failure *failure) {
  int code = vf_image_check(image, "card eye", failure);
  if (!code)
    code = eye_take_picture(eye, image, failure);
  if (code)
    return code;
  eye_make_pyramid(eye);
  eye_make_levels(eye);
  eye_find_edges(eye, &eye->levels[0]);
  eye_find_edges(eye, &eye->levels[1]);
  eye_find_lines(eye);
  eye_run_network(eye);
  eye_propose(eye);
  if (eye->count > 0) {
    eye_count_features(eye);
    eye_rank(eye);
  }
  return eye->count;
}

int vf_eye_look(vf_eye *eye, const vf_image *image, vf_failure *failure) {
  int count = propose(eye, image, failure);
  if (count <= 0)
    return count;
  eye_look_closer(eye);
  if (eye->count > 0) {
    eye_count_features(eye);
    eye_judge(eye);
  }
  return eye->count;
}

void vf_eye_leave_sides(vf_eye *eye) { eye->leaves_sides = true; }

int vf_eye_propose_rgb(vf_eye *eye, const uint8_t *rgb, uint32_t width, uint32_t height,
                       size_t stride) {
  vf_image image = view(rgb, width, height, stride);
  vf_failure failure;
  return propose(eye, &image, &failure);
}

int vf_eye_look_rgb(vf_eye *eye, const uint8_t *rgb, uint32_t width, uint32_t height,
                    size_t stride) {
  vf_image image = view(rgb, width, height, stride);
  vf_failure failure;
  return vf_eye_look(eye, &image, &failure);
}

void vf_eye_sizes(const vf_eye *eye, int32_t *sizes) {
  int32_t all[6] = {eye->width,        eye->height,    eye->small_width,
                    eye->small_height, eye->map_width, eye->map_height};
  memcpy(sizes, all, sizeof all);
}

void vf_eye_quads(const vf_eye *eye, int32_t *quads) {
  for (int32_t i = 0; i < eye->count; i++) {
    for (int k = 0; k < 4; k++) {
      *quads++ = eye->proposals[i].quad.p[k].x;
      *quads++ = eye->proposals[i].quad.p[k].y;
    }
  }
}

void vf_eye_sources(const vf_eye *eye, int32_t *sources) {
  for (int32_t i = 0; i < eye->count; i++)
    sources[i] = eye->proposals[i].source;
}

void vf_eye_features(const vf_eye *eye, int16_t *features) {
  memcpy(features, eye->features, (size_t)eye->count * sizeof eye->features[0]);
}

void vf_eye_looks(const vf_eye *eye, int16_t *looks) {
  memcpy(looks, eye->looks, (size_t)eye->count * sizeof eye->looks[0]);
}

void vf_eye_scores(const vf_eye *eye, int32_t *scores) {
  for (int32_t i = 0; i < eye->count; i++) {
    *scores++ = eye->proposals[i].first;
    *scores++ = eye->proposals[i].rank;
    *scores++ = eye->proposals[i].presence;
  }
}

void vf_eye_set(vf_eye *eye, const int32_t *quads, const int16_t *features, int32_t count) {
  eye->count = eye_clamp(count, 0, EYE_PROPOSALS);
  for (int32_t i = 0; i < eye->count; i++) {
    for (int k = 0; k < 4; k++, quads += 2)
      eye->proposals[i].quad.p[k] = (eye_point){quads[0], quads[1]};
  }
  memcpy(eye->features, features, (size_t)eye->count * sizeof eye->features[0]);
}

void vf_eye_input(const vf_eye *eye, uint8_t *bgr) {
  memcpy(bgr, eye->small, (size_t)(eye->small_width * eye->small_height * 3));
}

void vf_eye_maps(const vf_eye *eye, int16_t *maps) {
  size_t cells = (size_t)(eye->map_width * eye->map_height);
  for (int i = 0; i < EYE_MAPS; i++)
    memcpy(maps + (size_t)i * cells, eye->maps[i], cells * sizeof *maps);
}
