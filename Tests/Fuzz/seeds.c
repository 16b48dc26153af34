#include "fuzz.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

// jpeglib.h needs what stdio.h declares.
#include <jpeglib.h>

// Writes the inputs that fuzzing starts from: small pictures of every kind, made here.
//
// usage: seeds FOLDER

static const char *root;

static void save(const char *target, const char *name, const void *bytes, size_t count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", root, target);
  REQUIRE(mkdir(path, 0755) == 0 || errno == EEXIST);
  snprintf(path, sizeof path, "%s/%s/%s", root, target, name);
  FILE *file = fopen(path, "wb");
  REQUIRE(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

/// A picture with slopes, an edge and colours.
static vf_image paint(uint32_t fourcc, uint32_t width, uint32_t height) {
  vf_failure failure;
  vf_image rgb, image;
  REQUIRE(vf_image_create(&rgb, VF_RGB24, width, height, 0, &failure) == 0);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      uint8_t *pixel = rgb.planes[0].data + y * rgb.planes[0].stride + 3 * x;
      pixel[0] = (uint8_t)(x * 9);
      pixel[1] = (uint8_t)(y * 11);
      pixel[2] = x > y ? 200 : 30;
    }
  REQUIRE(vf_image_convert(&image, fourcc, &rgb, &failure) == 0);
  vf_image_free(&rgb);
  return image;
}

static void save_picture(const char *name, const uint8_t *bytes, size_t count) {
  static const char *const targets[] = {"jpeg_inspect", "jpeg_decode", "jpeg_crop", "crop",
                                        "replay"};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    save(targets[i], name, bytes, count);
}

/// What the library's own encoder makes, with metadata.
static void save_own_pictures(void) {
  static const uint32_t fourccs[] = {VF_GREY, VF_I420, VF_I422, VF_I440, VF_I411, VF_I444};
  vf_failure failure;
  vf_encoder *encoder = vf_encoder_create(&failure);
  vf_buffer payload, jpeg, png;
  vf_exif exif = {.make = "Fuzz", .orientation = 6, .date_time_original = "2026:01:01 00:00:00"};
  REQUIRE(encoder && vf_exif_write(&exif, &payload, &failure) == 0);
  save("exif", "own", payload.bytes + 6, payload.count - 6);
  for (size_t i = 0; i < sizeof fourccs / sizeof *fourccs; i++) {
    vf_image image = paint(fourccs[i], 36, 20);
    vf_jpeg_segment segment = {0xE1, payload.bytes, payload.count};
    vf_encode_options options = {
        .quality = 60, .restarts_per_row = i % 2 ? 2 : 0, .segments = &segment, .segment_count = 1};
    const uint8_t *bytes;
    size_t count;
    REQUIRE(vf_encoder_encode(encoder, &image, &options, &bytes, &count, &failure) == 0);
    jpeg = vf_encoder_take(encoder);
    char name[32];
    snprintf(name, sizeof name, "own-%zu", i);
    save_picture(name, jpeg.bytes, jpeg.count);
    vf_buffer_free(&jpeg);
    vf_image_free(&image);
  }
  static const uint32_t packed[] = {VF_GREY, VF_RGB24, VF_RGBA32};
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
    vf_image image = paint(packed[i], 12, 10);
    REQUIRE(vf_png_encode(&image, payload.bytes + 6, payload.count - 6, 72, 0, &png, &failure) ==
            0);
    char name[32];
    snprintf(name, sizeof name, "own-%zu", i);
    save("png", name, png.bytes, png.count);
    save("replay", name, png.bytes, png.count);
    vf_buffer_free(&png);
    vf_image_free(&image);
  }
  vf_buffer_free(&payload);
  vf_encoder_destroy(encoder);
}

/// A JPEG of a kind that our encoder doesn't make.
static void save_foreign(const char *name, J_COLOR_SPACE from, J_COLOR_SPACE to, int components,
                         bool progressive, bool arithmetic, bool tables) {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr errors;
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  jpeg_mem_dest(&codec, &bytes, &count);
  codec.image_width = 20;
  codec.image_height = 18;
  codec.input_components = components;
  codec.in_color_space = from;
  jpeg_set_defaults(&codec);
  jpeg_set_colorspace(&codec, to);
  jpeg_set_quality(&codec, 40, TRUE);
  codec.arith_code = arithmetic;
  if (progressive)
    jpeg_simple_progression(&codec);
  if (!tables) {
    // The quantization tables alone: what some cameras leave out is Huffman's.
    jpeg_suppress_tables(&codec, TRUE);
    for (int i = 0; i < 2; i++)
      codec.quant_tbl_ptrs[i]->sent_table = FALSE;
  }
  jpeg_start_compress(&codec, tables);
  for (int y = 0; y < 18; y++) {
    unsigned char row[20 * 4];
    for (int x = 0; x < 20 * 4; x++)
      row[x] = (unsigned char)(x * y + 3 * x);
    JSAMPROW rows[] = {row};
    jpeg_write_scanlines(&codec, rows, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  save_picture(name, bytes, count);
  free(bytes);
}

/// What detect.c reads from its input's end: a picture's kind, size and pattern, frames, threshold.
static void save_cards(void) {
  for (uint8_t i = 0; i < 8; i++) {
    uint8_t bytes[] = {20, 80, 140, 200, 33, 7, 0, i, (uint8_t)(i * 36 + 3), 180, 0, 240, 0, i};
    char name[16];
    snprintf(name, sizeof name, "card-%d", i);
    save("detect", name, bytes, sizeof bytes);
  }
}

static void save_streams(void) {
  static const char y4m[] = "YUV4MPEG2 W4 H4 F30:1 C420jpeg XCOLORRANGE=FULL\n"
                            "FRAME\n0123456789abcdefUUVVWWXX"
                            "FRAME Ip\n0123456789abcdefUUVVWWXX";
  save("replay", "y4m", y4m, sizeof y4m - 1);
  static const char script[] = "error@1;truncate@2-4/2,corrupt@3;black@0;drop@1;format@2";
  save("faults", "frames", script, sizeof script - 1);
  static const char gone[] = "unplug@1:0.001; stall@2:0.5; eio@3:1";
  save("faults", "gone", gone, sizeof gone - 1);
  static const char attributes[] = "0\nA camera\n81:0\n046d\n0825\nMaker\nWebcam\n0123\n"
                                   "pci-0000:00:14.0-usb-0:2:1.0-video-index0\n\n"
                                   "usb-Maker_Webcam_0123-video-index0\n\n/dev/video0";
  save("devices", "usual", attributes, sizeof attributes - 1);
}

static void save_settings(void) {
  uint8_t bytes[64];
  for (uint8_t i = 0; i < 18; i++) {
    char name[32];
    snprintf(name, sizeof name, "kind-%u", i);
    for (size_t at = 0; at < sizeof bytes; at++)
      bytes[at] = (uint8_t)(i * 29 + at * 53);
    // From the end: layout, width, height, stride, whether that holds.
    bytes[63] = i;
    bytes[62] = 20;
    bytes[61] = 12;
    bytes[59] = 1;
    save("image", name, bytes, sizeof bytes);
  }
  // No lies: list, choose, start, and take frames until the input ends.
  for (uint8_t nature = 0; nature < 8; nature++) {
    char name[32];
    snprintf(name, sizeof name, "honest-%u", nature);
    memset(bytes, 0, sizeof bytes);
    bytes[63] = nature;
    bytes[62] = 31;
    save("grabber", name, bytes, sizeof bytes);
  }
}

int main(int count, char **arguments) {
  REQUIRE(count == 2);
  root = arguments[1];
  save_own_pictures();
  save_foreign("progressive", JCS_RGB, JCS_YCbCr, 3, true, false, true);
  save_foreign("arithmetic", JCS_RGB, JCS_YCbCr, 3, false, true, true);
  save_foreign("rgb", JCS_RGB, JCS_RGB, 3, false, false, true);
  save_foreign("cmyk", JCS_CMYK, JCS_CMYK, 4, false, false, true);
  save_foreign("ycck", JCS_CMYK, JCS_YCCK, 4, false, false, true);
  save_foreign("bare", JCS_RGB, JCS_YCbCr, 3, false, false, false);
  save_cards();
  save_streams();
  save_settings();
  return 0;
}
