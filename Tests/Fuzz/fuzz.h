#ifndef VF_FUZZ_H
#define VF_FUZZ_H

#include "CViewfinder.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the targets share. A target's file defines `LLVMFuzzerTestOneInput`; its input is a file as
// users have it, and what else there is to choose comes from the file's last bytes, so that any
// picture is a seed as it is.

#pragma clang assume_nonnull begin

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/// Ends the run with a finding unless `condition` holds.
#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition);                   \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/// Pixels that a picture may have: enough for every path, few enough to be quick.
#define PIXEL_LIMIT ((uint64_t)1 << 16)

/// Input that is used up from its end. Zeros follow when there is none left.
typedef struct input {
  const uint8_t *bytes;
  size_t count;
} input;

static inline uint8_t take8(input *input) {
  return input->count ? input->bytes[--input->count] : 0;
}

static inline uint16_t take16(input *input) {
  uint16_t high = take8(input);
  return (uint16_t)(high << 8 | take8(input));
}

static inline uint32_t take32(input *input) {
  uint32_t high = take16(input);
  return high << 16 | take16(input);
}

/// A coordinate around a picture of `size` pixels: most of them sensible, some of them anything.
static inline double take_coordinate(input *input, double size) {
  uint16_t value = take16(input);
  if (value % 32 != 31)
    return (value / 65536.0 * 2 - 0.5) * size;
  uint64_t bits = (uint64_t)take32(input) << 32 | take32(input);
  double any;
  memcpy(&any, &bits, sizeof any);
  return any;
}

/// Memory of exactly `count` bytes, so that a byte read past it is found.
static inline uint8_t *copy_exactly(const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count ? count : 1);
  REQUIRE(copy);
  if (count)
    memcpy(copy, bytes, count);
  return copy;
}

/// Reads each byte, so that one that isn't there is found.
static inline void read_all(const uint8_t *_Nullable bytes, size_t count) {
  uint8_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum = (uint8_t)(sum + bytes[i]);
  volatile uint8_t sink = sum;
  (void)sink;
}

/// A call that failed must say in what, and nothing but what the header promises.
static inline void require_failure(int result, const vf_failure *failure) {
  REQUIRE(result < 0 && failure->code == -result && failure->step);
  REQUIRE(memchr(failure->detail, 0, sizeof failure->detail));
}

/// Looks at every sample of a picture that a call made.
static inline void require_image(const vf_image *image) {
  const vf_layout *layout = vf_layout_find(image->fourcc);
  REQUIRE(layout && image->width && image->height);
  for (uint32_t plane = 0; plane < layout->plane_count; plane++) {
    uint32_t shift_x = plane ? layout->chroma_shift_x : 0,
             shift_y = plane ? layout->chroma_shift_y : 0;
    size_t width = (image->width + (1u << shift_x) - 1) >> shift_x;
    size_t height = (image->height + (1u << shift_y) - 1) >> shift_y;
    size_t pixel = plane ? (layout->plane_count == 2 ? 2 : 1) : layout->bytes_per_pixel;
    for (size_t y = 0; y < height; y++)
      read_all(image->planes[plane].data + y * image->planes[plane].stride, width * pixel);
  }
  for (size_t y = 0; image->alpha.data && y < image->height; y++)
    read_all(image->alpha.data + y * image->alpha.stride, image->width);
}

/// Encodes a picture as JPEG and takes a look at the result, which must be whole.
static inline void require_encodes(const vf_image *image, input *settings) {
  vf_failure failure;
  vf_encoder *encoder = vf_encoder_create(&failure);
  REQUIRE(encoder);
  static const uint16_t subsamplings[] = {0, 444, 422, 420};
  vf_encode_options options = {.quality = (uint8_t)(take8(settings) % 100 + 1),
                               .subsampling = subsamplings[take8(settings) % 4],
                               .restarts_per_row = take8(settings),
                               .dots_per_inch = take16(settings)};
  const uint8_t *bytes;
  size_t count;
  REQUIRE(vf_encoder_encode(encoder, image, &options, &bytes, &count, &failure) == 0);
  vf_jpeg_info info;
  REQUIRE(vf_jpeg_inspect(bytes, count, &info, &failure) == 0);
  REQUIRE(info.width == image->width && info.height == image->height && info.length == count);
  vf_encoder_destroy(encoder);
}

#pragma clang assume_nonnull end

#endif
