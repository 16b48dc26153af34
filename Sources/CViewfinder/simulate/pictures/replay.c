#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "simulate/pictures/paint.h"
#include "simulate/pictures/replay_index.h"
#include "simulate/pictures/replay_streams.h"
#include "simulate/pictures/tone.h"
#include "vf_png.h"

/// A recording that plays.
typedef struct player {
  vf_sim_replay *replay;
  /// The frame converted last, and from what.
  uint8_t *_Nullable converted;
  size_t converted_count, converted_capacity;
  uint64_t converted_frame;
  uint32_t converted_fourcc, converted_revision;
  uint8_t converted_is_set;
  vf_encoder *_Nullable encoder;
} player;

// The frame's bytes as they are in the file; the caller frees them.
static int load(const vf_sim_replay *replay, const vf_sim_span *frame, uint8_t **bytes) {
  *bytes = malloc((size_t)frame->length);
  if (!*bytes)
    return ENOMEM;
  int file = vf_sim_replay_open_frame(replay, frame);
  int code =
      file < 0 ? -file : vf_sim_replay_read(file, *bytes, (size_t)frame->length, frame->offset);
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
    const vf_png_options options = {.pixel_limit = area};
    code = -vf_png_decode(image, *bytes, (size_t)frame->length, &options, &failure);
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
  case VF_YUYV:
    for (size_t i = 0; i + 3 < area * 2; i += 4) {
      vf_sim_tone_apply(tone, luma, chroma, (const uint8_t[]){bytes[i], bytes[i + 2]},
                        (const uint8_t[]){bytes[i + 1], bytes[i + 3]}, 2);
      bytes[i] = luma[0];
      bytes[i + 1] = chroma[0];
      bytes[i + 2] = luma[1];
      bytes[i + 3] = chroma[1];
    }
    return;
  case VF_NV12:
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
  if (format->fourcc != VF_NV12)
    return;
  result += (size_t)format->stride * format->height;
  for (uint32_t row = 0; row < format->height / 2; row++)
    memcpy(result + (size_t)row * format->stride,
           image->planes[1].data + row * image->planes[1].stride, format->stride);
}

static int reserve(player *player, size_t count) {
  if (player->converted_capacity >= count)
    return 0;
  uint8_t *grown = realloc(player->converted, count);
  if (!grown)
    return ENOMEM;
  player->converted = grown;
  player->converted_capacity = count;
  return 0;
}

static int convert_raw(player *player, const vf_sim_shot *shot, vf_image *image) {
  const vf_sim_format *format = shot->format;
  vf_failure failure;
  // An odd last column or row stays behind.
  image->width = format->width;
  image->height = format->height;
  vf_image converted;
  int code = -vf_image_convert(&converted, format->fourcc, image, &failure);
  if (code)
    return code;
  code = reserve(player, format->size);
  if (!code) {
    lay_out(&converted, format, player->converted);
    vf_sim_tone tone;
    if (vf_sim_tone_make(shot->look, UINT32_MAX, &tone))
      apply_tone(&tone, format, player->converted);
    player->converted_count = format->size;
  }
  vf_image_free(&converted);
  return code;
}

static int convert_jpeg(player *player, const vf_image *image) {
  const uint8_t *bytes;
  size_t count;
  int code = vf_sim_encode(&player->encoder, image, &bytes, &count);
  if (!code)
    code = reserve(player, count);
  if (code)
    return code;
  memcpy(player->converted, bytes, count);
  player->converted_count = count;
  return 0;
}

// Makes `player->converted` the frame in the stream's format, unless it is that already.
static int convert(player *player, const vf_sim_shot *shot, uint64_t index) {
  uint32_t fourcc = shot->format->fourcc;
  if (player->converted_is_set && player->converted_frame == index &&
      player->converted_fourcc == fourcc && player->converted_revision == shot->look->revision)
    return 0;
  player->converted_is_set = 0;
  vf_image image;
  uint8_t *bytes = NULL;
  int code = decode(player->replay, &player->replay->frames[index], &image, &bytes);
  if (!code) {
    code = fourcc == VF_MJPEG ? convert_jpeg(player, &image) : convert_raw(player, shot, &image);
    vf_image_free(&image);
  }
  free(bytes);
  if (code)
    return code;
  player->converted_is_set = 1;
  player->converted_frame = index;
  player->converted_fourcc = fourcc;
  player->converted_revision = shot->look->revision;
  return 0;
}

static int paint_black(player *player, const vf_sim_format *format, vf_sim_frame *frame) {
  frame->picture = 0;
  if (format->fourcc != VF_MJPEG) {
    vf_sim_blacken(format->fourcc, (size_t)format->width * format->height, frame->bytes);
    frame->used = format->size;
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
  code = vf_sim_encode(&player->encoder, &image, &bytes, &count);
  vf_image_free(&image);
  return code ? code : vf_sim_fill(frame, bytes, count);
}

// The very bytes, straight from the file.
static int copy_jpeg(const vf_sim_replay *replay, const vf_sim_span *span, vf_sim_frame *frame) {
  if (span->length > frame->length)
    return EMSGSIZE;
  int file = vf_sim_replay_open_frame(replay, span);
  if (file < 0)
    return -file;
  int code = vf_sim_replay_read(file, frame->bytes, (size_t)span->length, span->offset);
  close(file);
  if (!code)
    frame->used = (uint32_t)span->length;
  return code;
}

static int paint_replay(void *state, const vf_sim_shot *shot, vf_sim_frame *frame) {
  player *player = state;
  if (shot->black)
    return paint_black(player, shot->format, frame);
  int64_t index = vf_sim_replay_find(player->replay, shot->sequence);
  if (index < 0)
    return EBADMSG;
  const vf_sim_span *span = &player->replay->frames[index];
  // The frame that the buffer holds already, as with a single picture, stays.
  uint64_t picture = ((uint64_t)index << 32 | shot->look->revision) + 1;
  if (frame->picture == picture)
    return 0;
  frame->picture = 0;
  int code;
  if (shot->format->fourcc == VF_MJPEG && span->is_jpeg) {
    code = copy_jpeg(player->replay, span, frame);
  } else {
    code = convert(player, shot, (uint64_t)index);
    if (!code)
      code = vf_sim_fill(frame, player->converted, player->converted_count);
  }
  if (!code)
    frame->picture = picture;
  return code;
}

static const vf_sim_source_info *about_replay(const void *state) {
  return &((const player *)state)->replay->info;
}

static int replay_ended(void *state, uint32_t sequence) {
  return vf_sim_replay_find(((player *)state)->replay, sequence) < 0;
}

static void close_replay(void *state) {
  player *player = state;
  vf_sim_replay_close(player->replay);
  vf_encoder_destroy(player->encoder);
  free(player->converted);
  free(player);
}

int vf_sim_open_replay(const char *path, double rate, int once, vf_sim_source *source,
                       vf_failure *failure) {
  static const vf_sim_source_calls calls = {
      .paint = paint_replay, .about = about_replay, .ended = replay_ended, .close = close_replay};
  player *player = calloc(1, sizeof *player);
  if (!player)
    return vf_fail(failure, ENOMEM, "replay", NULL);
  player->replay = vf_sim_replay_open(path, rate, once, failure);
  if (!player->replay) {
    free(player);
    return -failure->code;
  }
  *source = (vf_sim_source){&calls, player};
  return 0;
}
