#include "simulate/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vf_png.h"

void vf_sim_replay_close(vf_sim_replay *replay) {
  if (!replay)
    return;
  for (uint64_t i = 0; i < replay->frame_count; i++)
    free(replay->frames[i].name);
  free(replay->frames);
  free(replay->window);
  free(replay->converted);
  vf_encoder_destroy(replay->encoder);
  if (replay->file >= 0)
    close(replay->file);
  free(replay);
}

vf_sim_replay_info vf_sim_replay_about(const vf_sim_replay *replay) { return replay->info; }

int vf_sim_replay_ended(vf_sim_replay *replay, uint32_t sequence) {
  return vf_sim_replay_find(replay, sequence) < 0;
}

// The frame's bytes as they are in the file; the caller frees them.
static int load(const vf_sim_replay *replay, const vf_sim_span *frame, uint8_t **bytes) {
  *bytes = malloc((size_t)frame->length);
  if (!*bytes)
    return ENOMEM;
  int file = vf_sim_replay_open_frame(replay, frame);
  int code = file < 0 ? -file : vf_sim_read(file, *bytes, (size_t)frame->length, frame->offset);
  if (file >= 0)
    close(file);
  if (code)
    free(*bytes);
  return code;
}

// The frame's pixels: `*bytes`, which the caller frees, may hold what the image is a view of.
static int decode(const vf_sim_replay *replay, const vf_sim_span *frame, vf_image *image,
                  uint8_t **bytes) {
  vf_failure failure;
  int code = load(replay, frame, bytes);
  if (code) {
    *bytes = NULL;
    return code;
  }
  uint64_t area = (uint64_t)replay->info.width * replay->info.height;
  if (replay->kind == VF_SIM_REPLAY_Y4M) {
    code = -vf_image_view(image, replay->fourcc, replay->info.width, replay->info.height, 0, *bytes,
                          (size_t)frame->length, &failure);
    if (!code)
      image->limited_range = replay->limited_range;
  } else if (frame->is_jpeg) {
    const vf_decode_options options = {.pixel_limit = area};
    code = -vf_jpeg_decode(image, *bytes, (size_t)frame->length, &options, NULL, &failure);
  } else {
    code = -vf_png_decode(image, *bytes, (size_t)frame->length, area, NULL, &failure);
  }
  if (code)
    return code;
  // A file may have changed since it was indexed.
  if (image->width == replay->info.width && image->height == replay->info.height)
    return 0;
  vf_image_free(image);
  return EBADMSG;
}

static void apply_tone(const vf_sim_tone *tone, const vf_sim_format *format, uint8_t *bytes) {
  uint8_t luma[2], chroma[2];
  size_t area = (size_t)format->width * format->height;
  switch (format->fourcc) {
  case V4L2_PIX_FMT_YUYV:
    for (size_t i = 0; i + 3 < area * 2; i += 4) {
      vf_sim_tone_apply(tone, luma, chroma, (const uint8_t[]){bytes[i], bytes[i + 2]},
                        (const uint8_t[]){bytes[i + 1], bytes[i + 3]}, 2);
      bytes[i] = luma[0];
      bytes[i + 1] = chroma[0];
      bytes[i + 2] = luma[1];
      bytes[i + 3] = chroma[1];
    }
    return;
  case V4L2_PIX_FMT_NV12:
    // Chroma first: its tint goes by luma as it was.
    for (uint32_t row = 0; row < format->height / 2; row++)
      for (uint32_t x = 0; x + 1 < format->width; x += 2) {
        uint8_t *at = bytes + area + (size_t)row * format->width + x;
        vf_sim_tone_apply(tone, luma, chroma, bytes + (size_t)row * 2 * format->width + x, at, 2);
        memcpy(at, chroma, 2);
      }
    break;
  default:
    break;
  }
  for (size_t i = 0; i < area; i++)
    bytes[i] = tone->luma[bytes[i]];
}

// Copies a converted image into one buffer as V4L2 lays it out.
static void lay_out(const vf_image *image, const vf_sim_format *format, uint8_t *result) {
  for (uint32_t row = 0; row < format->height; row++)
    memcpy(result + (size_t)row * format->stride,
           image->planes[0].data + row * image->planes[0].stride, format->stride);
  if (format->fourcc != V4L2_PIX_FMT_NV12)
    return;
  result += (size_t)format->stride * format->height;
  for (uint32_t row = 0; row < format->height / 2; row++)
    memcpy(result + (size_t)row * format->stride,
           image->planes[1].data + row * image->planes[1].stride, format->stride);
}

static int reserve(vf_sim_replay *replay, size_t count) {
  if (replay->converted_capacity >= count)
    return 0;
  uint8_t *grown = realloc(replay->converted, count);
  if (!grown)
    return ENOMEM;
  replay->converted = grown;
  replay->converted_capacity = count;
  return 0;
}

static int convert_raw(vf_simulator *simulator, vf_image *image) {
  vf_sim_replay *replay = simulator->replay;
  const vf_sim_format *format = &simulator->format;
  vf_failure failure;
  // An odd last column or row stays behind.
  image->width = format->width;
  image->height = format->height;
  vf_image converted;
  int code = -vf_image_convert(&converted, format->fourcc, image, &failure);
  if (code)
    return code;
  code = reserve(replay, format->size);
  if (!code) {
    lay_out(&converted, format, replay->converted);
    vf_sim_tone tone;
    if (vf_sim_tone_make(simulator, UINT32_MAX, &tone))
      apply_tone(&tone, format, replay->converted);
    replay->converted_count = format->size;
  }
  vf_image_free(&converted);
  return code;
}

static int convert_jpeg(vf_sim_replay *replay, const vf_image *image) {
  const uint8_t *bytes;
  size_t count;
  int code = vf_sim_encode(&replay->encoder, image, &bytes, &count);
  if (!code)
    code = reserve(replay, count);
  if (code)
    return code;
  memcpy(replay->converted, bytes, count);
  replay->converted_count = count;
  return 0;
}

// Makes `replay->converted` the frame in the stream's format, unless it is that already.
static int convert(vf_simulator *simulator, uint64_t index) {
  vf_sim_replay *replay = simulator->replay;
  uint32_t fourcc = simulator->format.fourcc;
  if (replay->converted_is_set && replay->converted_frame == index &&
      replay->converted_fourcc == fourcc && replay->converted_revision == simulator->revision)
    return 0;
  replay->converted_is_set = 0;
  vf_image image;
  uint8_t *bytes = NULL;
  int code = decode(replay, &replay->frames[index], &image, &bytes);
  if (!code) {
    code = fourcc == V4L2_PIX_FMT_MJPEG ? convert_jpeg(replay, &image)
                                        : convert_raw(simulator, &image);
    vf_image_free(&image);
  }
  free(bytes);
  if (code)
    return code;
  replay->converted_is_set = 1;
  replay->converted_frame = index;
  replay->converted_fourcc = fourcc;
  replay->converted_revision = simulator->revision;
  return 0;
}

static int paint_black(vf_simulator *simulator, vf_sim_buffer *buffer) {
  const vf_sim_format *format = &simulator->format;
  buffer->picture = 0;
  if (format->fourcc != V4L2_PIX_FMT_MJPEG) {
    vf_sim_blacken(format->fourcc, (size_t)format->width * format->height, buffer->bytes);
    buffer->used = format->size;
    return 0;
  }
  vf_failure failure;
  vf_image image;
  int code = -vf_image_create(&image, VF_GREY, format->width, format->height, 0, &failure);
  if (code)
    return code;
  for (uint32_t row = 0; row < image.height; row++)
    memset(image.planes[0].data + row * image.planes[0].stride, 0, image.width);
  const uint8_t *bytes;
  size_t count;
  code = vf_sim_encode(&simulator->replay->encoder, &image, &bytes, &count);
  vf_image_free(&image);
  if (code)
    return code;
  if (count > buffer->length)
    return EMSGSIZE;
  memcpy(buffer->bytes, bytes, count);
  buffer->used = (uint32_t)count;
  return 0;
}

int vf_sim_replay_paint(vf_simulator *simulator, vf_sim_buffer *buffer) {
  vf_sim_replay *replay = simulator->replay;
  if (buffer->faults >> VF_SIM_FAULT_BLACK & 1)
    return paint_black(simulator, buffer);
  int64_t index = vf_sim_replay_find(replay, buffer->sequence);
  if (index < 0)
    return EBADMSG;
  const vf_sim_span *frame = &replay->frames[index];
  // The frame that the buffer holds already, as with a single picture, stays.
  uint64_t picture = ((uint64_t)index << 32 | simulator->revision) + 1;
  if (buffer->picture == picture)
    return 0;
  buffer->picture = 0;
  if (simulator->format.fourcc == V4L2_PIX_FMT_MJPEG && frame->is_jpeg) {
    // The very bytes, straight from the file.
    if (frame->length > buffer->length)
      return EMSGSIZE;
    int file = vf_sim_replay_open_frame(replay, frame);
    if (file < 0)
      return -file;
    int code = vf_sim_read(file, buffer->bytes, (size_t)frame->length, frame->offset);
    close(file);
    if (code)
      return code;
    buffer->used = (uint32_t)frame->length;
  } else {
    int code = convert(simulator, (uint64_t)index);
    if (code)
      return code;
    if (replay->converted_count > buffer->length)
      return EMSGSIZE;
    memcpy(buffer->bytes, replay->converted, replay->converted_count);
    buffer->used = (uint32_t)replay->converted_count;
  }
  buffer->picture = picture;
  return 0;
}
