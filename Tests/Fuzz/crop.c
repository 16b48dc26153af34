#include "outline.h"

// A photo from a file, cropped as the command-line tool does: decode, turn upright, cut the outline
// out or pull it straight, encode.

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = copy_exactly(data, size);
  vf_jpeg_info info;
  vf_failure failure;
  vf_image stored, image;
  input settings = {data, size};
  vf_decode_options options = {.pixel_limit = PIXEL_LIMIT / 4};
  vf_jpeg_inspect(bytes, size, &info, &failure);
  if (vf_jpeg_decode(&stored, bytes, size, &options, NULL, &failure) == 0) {
    uint32_t orientation = vf_exif_orientation(bytes + info.exif_offset, info.exif_length);
    REQUIRE(vf_image_orient(&image, &stored, orientation, &failure) == 0);
    cut(&image, &settings);
    vf_image_free(&image);
    vf_image_free(&stored);
  }
  free(bytes);
  return 0;
}
