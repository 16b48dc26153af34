#include "outline.h"

#include <errno.h>

// Frames as a driver lays them out, and everything that is done to pictures. The first bytes are
// the frame, the last ones say what it is and what becomes of it.

static const uint32_t fourccs[] = {
    VF_YUYV, VF_UYVY, VF_RGB24, VF_BGR24, VF_RGBX32, VF_RGBA32, VF_BGRX32, VF_BGRA32, VF_GREY,
    VF_NV12, VF_NV21, VF_I420,  VF_YV12,  VF_I422,   VF_I440,   VF_I411,   VF_I444,   VF_MJPEG,
};

#define FOURCCS (sizeof fourccs / sizeof *fourccs)

static uint32_t take_size(input *settings) {
  uint8_t value = take8(settings);
  return value < 250 ? value : take32(settings);
}

/// One call that makes a picture of another.
static int change(vf_image *result, const vf_image *image, input *settings, vf_failure *failure) {
  uint32_t width = take8(settings), height = take8(settings);
  switch (take8(settings) % 6) {
  case 0:
    return vf_image_to_planar(result, image, failure);
  case 1:
    return vf_image_to_rgb(result, image, failure);
  case 2:
    return vf_image_convert(result, fourccs[take8(settings) % FOURCCS], image, failure);
  case 3:
    return vf_image_orient(result, image, take8(settings) % 10, failure);
  case 4:
    return vf_image_crop(result, image, take_size(settings), take_size(settings), width, height,
                         failure);
  default:
    return vf_image_scale(result, image, width, height, failure);
  }
}

static void require_png(const vf_image *image) {
  vf_failure failure;
  vf_buffer png;
  vf_image again;
  REQUIRE(vf_png_encode(image, NULL, 0, 300, 0, &png, &failure) == 0);
  REQUIRE(vf_png_decode(&again, png.bytes, png.count, NULL, &failure) == 0);
  REQUIRE(again.width == image->width && again.height == image->height);
  vf_image_free(&again);
  vf_buffer_free(&png);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input settings = {data, size};
  uint32_t fourcc = fourccs[take8(&settings) % FOURCCS];
  uint32_t width = take_size(&settings), height = take_size(&settings);
  size_t stride = take_size(&settings);
  uint8_t more = take8(&settings);
  if (more & 1)
    stride = 0;
  // A frame of the exact size, made of what input there is; or the input as it is.
  size_t count = vf_image_size(fourcc, width, height, stride);
  if (more & 2 || count > 8 * PIXEL_LIMIT)
    count = settings.count;
  uint8_t *frame = malloc(count ? count : 1);
  REQUIRE(frame);
  for (size_t i = 0; i < count; i++)
    frame[i] = settings.count ? settings.bytes[i % settings.count] : (uint8_t)i;

  vf_image image;
  vf_failure failure;
  int code = vf_image_view(&image, fourcc, width, height, stride, frame, count, &failure);
  if (code < 0)
    require_failure(code, &failure);
  if (code == 0 && (uint64_t)width * height <= PIXEL_LIMIT) {
    image.limited_range = more >> 2 & 1;
    uint8_t luma[8 * 4];
    code = vf_image_luminance(luma, 8, 4, &image, &failure);
    REQUIRE(code == (width < 8 || height < 4 ? -EINVAL : 0));
    code = vf_image_luminance(luma, 1, 1, &image, &failure);
    REQUIRE(code == 0);
    require_encodes(&image, &settings);
    cut(&image, &settings);
    vf_image result;
    code = change(&result, &image, &settings, &failure);
    if (code < 0) {
      require_failure(code, &failure);
    } else {
      require_image(&result);
      require_png(&result);
      vf_image_free(&result);
    }
  }
  free(frame);
  return 0;
}
