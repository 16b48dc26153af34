#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "layouts/layout.h"
#include "png/error.h"
#include "vf_png.h"

enum { SIGNATURE_COUNT = 8, MAXIMUM_CHUNK = 8 << 20 };

#define STANDARD_PIXEL_LIMIT ((uint64_t)200000000)

typedef struct decoder {
  png_structp png;
  png_infop info;
  vf_png_error error;
  const uint8_t *bytes;
  size_t left;
  vf_image image;
} decoder;

int vf_png_matches(const uint8_t *bytes, size_t count) {
  return count >= SIGNATURE_COUNT && png_sig_cmp(bytes, 0, SIGNATURE_COUNT) == 0;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  decoder *decoder = png_get_io_ptr(png);
  if (count > decoder->left)
    png_error(png, VF_PNG_INCOMPLETE);
  memcpy(bytes, decoder->bytes, count);
  decoder->bytes += count;
  decoder->left -= count;
}

/// Libpng takes an eXIf chunk's word for its length, before there is a byte of it. Rows need less
/// than any chunk may.
static void *allocate(png_structp png, png_alloc_size_t size) {
  return size <= MAXIMUM_CHUNK ? vf_png_allocate(png, size) : NULL;
}

/// Makes libpng pass over what nobody asks for: text and profiles may unpack to a lot of memory.
static void ignore_chunks(png_structp png) {
  static const png_byte names[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0hIST\0pCAL\0sCAL";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, sizeof names / 5);
}

/// Asks libpng for 8-bit samples of the layout that the result gets, and returns that.
static uint32_t set_transformations(decoder *decoder) {
  png_structp png = decoder->png;
  int type = png_get_color_type(png, decoder->info);
  int transparent =
      (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, decoder->info, PNG_INFO_tRNS);
  png_set_expand(png);
  png_set_strip_16(png);
  if (!(type & PNG_COLOR_MASK_COLOR)) {
    if (!transparent)
      return VF_GREY;
    png_set_gray_to_rgb(png);
  }
  return transparent ? VF_RGBA32 : VF_RGB24;
}

static void read_rows(decoder *decoder, int passes) {
  const vf_plane *plane = &decoder->image.planes[0];
  for (int pass = 0; pass < passes; pass++)
    for (size_t y = 0; y < decoder->image.height; y++)
      png_read_row(decoder->png, plane->data + y * plane->stride, NULL);
}

static int check_size(png_uint_32 width, png_uint_32 height, uint64_t limit, vf_failure *failure) {
  if (width > VF_SIZE_LIMIT || height > VF_SIZE_LIMIT ||
      (uint64_t)width * height > (limit ? limit : STANDARD_PIXEL_LIMIT))
    return vf_fail(failure, EFBIG, "PNG decoder",
                   "it is too large: %u x %u pixels; make it smaller", width, height);
  return 0;
}

static int copy_tiff(decoder *decoder, vf_buffer *tiff, vf_failure *failure) {
  png_uint_32 count = 0;
  png_bytep bytes = NULL;
  if (!png_get_eXIf_1(decoder->png, decoder->info, &count, &bytes) || !count)
    return 0;
  tiff->bytes = malloc(count);
  if (!tiff->bytes)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  memcpy(tiff->bytes, bytes, count);
  tiff->count = count;
  return 0;
}

static int decode_guarded(decoder *decoder, uint64_t pixel_limit, vf_buffer *_Nullable tiff,
                          vf_failure *failure) {
  if (setjmp(decoder->error.escape))
    return vf_png_error_report(&decoder->error, "PNG decoder", failure);
  decoder->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &decoder->error, vf_png_fail,
                                          vf_png_ignore, &decoder->error, allocate, vf_png_release);
  if (decoder->png)
    decoder->info = png_create_info_struct(decoder->png);
  if (!decoder->info)
    return vf_fail(failure, ENOMEM, "PNG decoder", NULL);
  png_structp png = decoder->png;
  png_set_read_fn(png, decoder, read_bytes);
  // The size is checked below, with a code of its own.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, MAXIMUM_CHUNK);
  ignore_chunks(png);
  png_read_info(png, decoder->info);

  png_uint_32 width = png_get_image_width(png, decoder->info);
  png_uint_32 height = png_get_image_height(png, decoder->info);
  int failed = check_size(width, height, pixel_limit, failure);
  if (failed)
    return failed;
  uint32_t fourcc = set_transformations(decoder);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, decoder->info);
  failed = vf_image_create(&decoder->image, fourcc, width, height, 0, failure);
  if (failed)
    return failed;
  if (png_get_rowbytes(png, decoder->info) > decoder->image.planes[0].stride)
    return vf_fail(failure, EBADMSG, "PNG decoder", "its header is damaged");
  read_rows(decoder, passes);
  png_read_end(png, decoder->info);
  return tiff ? copy_tiff(decoder, tiff, failure) : 0;
}

int vf_png_decode(vf_image *result, const uint8_t *bytes, size_t count, uint64_t pixel_limit,
                  vf_buffer *_Nullable tiff, vf_failure *failure) {
  *result = (vf_image){0};
  if (tiff)
    *tiff = (vf_buffer){0};
  if (!vf_png_matches(bytes, count))
    return vf_fail(failure, EBADMSG, "PNG decoder", "it is no PNG, whatever its name says");
  decoder decoder = {.bytes = bytes, .left = count};
  int failed = decode_guarded(&decoder, pixel_limit, tiff, failure);
  png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
  if (failed)
    vf_image_free(&decoder.image);
  else
    *result = decoder.image;
  return failed;
}
