#include "fuzz.h"

#include <errno.h>

// The PNG decoder. What it decodes is encoded, and must come back the same; at a smaller size it is
// decoded, too.

/// The checksum of a chunk (ISO 3309).
static uint32_t checksum(const uint8_t *bytes, size_t count) {
  uint32_t sum = UINT32_MAX;
  for (size_t i = 0; i < count; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
  }
  return ~sum;
}

static uint32_t read32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Makes the checksums right: what they hide is not safe from whoever can compute one.
static void mend(uint8_t *bytes, size_t count) {
  for (size_t at = 8; count >= 12 && at <= count - 12;) {
    size_t length = read32(bytes + at);
    if (length > count - at - 12)
      return;
    uint32_t sum = checksum(bytes + at + 4, length + 4);
    at += 8 + length;
    for (int i = 0; i < 4; i++)
      bytes[at++] = (uint8_t)(sum >> (24 - 8 * i));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = copy_exactly(data, size);
  if (size && data[size - 1] % 2 == 0)
    mend(bytes, size);
  vf_image image, again;
  vf_buffer png;
  vf_failure failure;
  vf_png_info info;
  int code = vf_png_inspect(bytes, size, &info, &failure);
  if (code < 0)
    require_failure(code, &failure);
  REQUIRE(info.exif_offset <= size && info.exif_length <= size - info.exif_offset);
  const uint8_t *tiff = bytes + info.exif_offset;
  vf_png_options options = {.pixel_limit = PIXEL_LIMIT};
  code = vf_png_decode(&image, bytes, size, &options, &failure);
  if (code < 0) {
    require_failure(code, &failure);
    REQUIRE(!image.storage);
  } else {
    REQUIRE(image.width == info.width && image.height == info.height);
    REQUIRE((uint64_t)image.width * image.height <= PIXEL_LIMIT);
    require_image(&image);
    uint32_t orientation = info.exif_length ? vf_exif_orientation(tiff, info.exif_length) : 1;
    REQUIRE(orientation >= 1 && orientation <= 8);
    code = vf_png_encode(&image, tiff, info.exif_length, 0, 0, &png, &failure);
    if (code < 0) {
      // The file's Exif data was none.
      REQUIRE(code == -EINVAL);
      REQUIRE(vf_png_encode(&image, NULL, 0, 0, 1, &png, &failure) == 0);
    }
    REQUIRE(vf_png_decode(&again, png.bytes, png.count, NULL, &failure) == 0);
    REQUIRE(again.fourcc == image.fourcc && again.width == image.width);
    REQUIRE(again.height == image.height);
    size_t row = image.width * (size_t)vf_layout_find(image.fourcc)->bytes_per_pixel;
    for (size_t y = 0; y < image.height; y++)
      REQUIRE(memcmp(image.planes[0].data + y * image.planes[0].stride,
                     again.planes[0].data + y * again.planes[0].stride, row) == 0);
    vf_image_free(&again);
    vf_buffer_free(&png);
    options.width = 1 + (image.width - 1) * (size % 8) / 8;
    options.height = 1 + (image.height - 1) * (size % 5) / 5;
    REQUIRE(vf_png_decode(&again, bytes, size, &options, &failure) == 0);
    require_image(&again);
    REQUIRE(again.width == options.width && again.height == options.height);
    vf_image_free(&again);
    vf_image_free(&image);
  }
  free(bytes);
  return 0;
}
