#include "simulate/pictures/paint.h"

#include <errno.h>
#include <string.h>

void vf_sim_blacken(uint32_t fourcc, size_t area, uint8_t *result) {
  if (fourcc == VF_YUYV) {
    for (size_t i = 0; i < area; i++) {
      result[2 * i] = 0;
      result[2 * i + 1] = 128;
    }
    return;
  }
  memset(result, 0, area);
  if (fourcc == VF_NV12)
    memset(result + area, 128, area / 2);
}

int vf_sim_encode(vf_encoder **encoder, const vf_image *image, const uint8_t **bytes,
                  size_t *count) {
  vf_failure failure;
  if (!*encoder)
    *encoder = vf_encoder_create(&failure);
  if (!*encoder)
    return failure.code;
  const vf_encode_options options = {.quality = 88};
  return -vf_encoder_encode(*encoder, image, &options, bytes, count, &failure);
}

int vf_sim_fill(vf_sim_frame *frame, const uint8_t *bytes, size_t count) {
  if (count > frame->length)
    return EMSGSIZE;
  memcpy(frame->bytes, bytes, count);
  frame->used = (uint32_t)count;
  return 0;
}
