#include "fuzz.h"

// Parts of pictures without loss, as the last bytes of the input say: what comes out can be
// decoded.

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input settings = {data, size};
  uint32_t alignment = take8(&settings) & 1;
  vf_rectangle part = {take16(&settings) % 64, take16(&settings) % 64, take16(&settings) % 128,
                       take16(&settings) % 128};
  uint8_t *bytes = copy_exactly(data, size);
  vf_jpeg_info info;
  vf_failure failure;
  vf_jpeg_crop crop;
  if (vf_jpeg_inspect(bytes, size, &info, &failure) == 0 &&
      (uint64_t)info.width * info.height <= PIXEL_LIMIT) {
    int result = vf_jpeg_crop_losslessly(&crop, bytes, size, &part, alignment, NULL, 0, &failure);
    if (result < 0) {
      require_failure(result, &failure);
      REQUIRE(!crop.picture.bytes);
    } else {
      vf_jpeg_info cropped;
      REQUIRE(vf_jpeg_inspect(crop.picture.bytes, crop.picture.count, &cropped, &failure) == 0);
      REQUIRE(cropped.width == crop.rectangle.width && cropped.height == crop.rectangle.height);
      vf_buffer_free(&crop.picture);
    }
  }
  free(bytes);
  return 0;
}
