#include "fuzz.h"

// The walk over a picture's markers, and the rewriting that repairs it and changes its metadata.

static const uint8_t exif[] = "Exif\0\0II*\0\10\0\0\0\0\0\0\0\0\0";
static const uint8_t words[] = "made by a fuzzer";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = copy_exactly(data, size);
  vf_jpeg_info info = {0};
  vf_failure failure;
  int verdict = vf_jpeg_inspect(bytes, size, &info, &failure);
  if (verdict < 0)
    require_failure(verdict, &failure);
  REQUIRE(info.length <= size && info.exif_length <= size);
  REQUIRE(info.exif_offset <= size - info.exif_length);
  uint32_t orientation = vf_exif_orientation(bytes + info.exif_offset, info.exif_length);
  REQUIRE(orientation >= 1 && orientation <= 8);
  if (verdict == 0)
    REQUIRE(info.width && info.height && info.components && info.length > 4);
  vf_jpeg_info verified = {0};
  int whole = vf_jpeg_verify(bytes, size, &verified, &failure);
  if (whole < 0)
    require_failure(whole, &failure);
  // Whoever reads more finds more.
  REQUIRE(verdict == 0 || whole < 0);

  const vf_jpeg_segment segments[] = {{0xE1, exif, sizeof exif - 1}, {0xFE, words, sizeof words}};
  for (size_t added = 0; added <= 2; added++) {
    vf_buffer result;
    const vf_jpeg_segment *list = added ? segments : NULL;
    int rewritten = vf_jpeg_rewrite(bytes, size, NULL, list, added, &result, &failure);
    // Whoever knows the picture already gets the same.
    vf_buffer same;
    int known = vf_jpeg_rewrite(bytes, size, &info, list, added, &same, &failure);
    REQUIRE(known == rewritten && same.count == result.count);
    REQUIRE(!same.count || memcmp(same.bytes, result.bytes, same.count) == 0);
    vf_buffer_free(&same);
    if (rewritten < 0) {
      require_failure(rewritten, &failure);
      REQUIRE(verdict < 0 && !result.bytes);
      continue;
    }
    read_all(result.bytes, result.count);
    vf_jpeg_info now;
    int again = vf_jpeg_inspect(result.bytes, result.count, &now, &failure);
    if (verdict == 0) {
      // What was whole stays whole, lacks nothing, and is the same picture.
      REQUIRE(again == 0 && now.has_huffman_tables && now.has_end && now.length == result.count);
      REQUIRE(now.width == info.width && now.height == info.height);
      REQUIRE(now.components == info.components && now.process == info.process);
      REQUIRE(!added || now.exif_length == sizeof exif - 1 - 6);
    }
    vf_buffer_free(&result);
  }
  free(bytes);
  return 0;
}
