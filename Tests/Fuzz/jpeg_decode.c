#include "fuzz.h"

// The decoder: whole, scaled, and in part, as the last bytes of the input say.

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input settings = {data, size};
  uint8_t mode = take8(&settings);
  vf_decode_options options = {.scale = (uint8_t)(1 << mode % 4), .pixel_limit = PIXEL_LIMIT};
  if (mode & 0x80) {
    options.scale = mode & 0x20 ? options.scale : 0;
    options.x = take16(&settings);
    options.y = take16(&settings);
    options.width = take16(&settings);
    options.height = take16(&settings);
    if (mode & 0x40) {
      // A part that lies inside more often than not.
      options.x %= 64;
      options.y %= 64;
      options.width %= 128;
      options.height %= 128;
    }
  }

  options.keeps_subsampling = mode >> 4 & 1;

  uint8_t *bytes = copy_exactly(data, size);
  vf_image image;
  vf_failure failure;
  uint32_t warnings;
  int result = vf_jpeg_decode(&image, bytes, size, &options, &warnings, &failure);
  if (result < 0) {
    require_failure(result, &failure);
    REQUIRE(!image.storage);
  } else {
    REQUIRE((uint64_t)image.width * image.height <= PIXEL_LIMIT);
    REQUIRE(!options.width || (image.width == options.width && image.height == options.height));
    require_image(&image);
    vf_image rgb;
    REQUIRE(vf_image_to_rgb(&rgb, &image, &failure) == 0);
    require_image(&rgb);
    vf_image_free(&rgb);
    vf_image_free(&image);
  }
  free(bytes);
  return 0;
}
