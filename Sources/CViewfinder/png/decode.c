#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "layouts/layout.h"
#include "pixels/image.h"
#include "png/decode.h"
#include "png/error.h"
#include "vf_png.h"

enum { SIGNATURE_COUNT = 8 };

#define STANDARD_PIXEL_LIMIT ((uint64_t)200000000)

/// Bytes that a picture at its full size may have.
#define PICTURE_LIMIT ((uint64_t)240 << 20)

/// Bytes that may be held of an interlaced picture beside a smaller result.
#define GRID_LIMIT ((uint64_t)192 << 20)

typedef struct decoder {
  png_structp png;
  png_infop info;
  vf_png_error error;
  const uint8_t *bytes;
  size_t left;
  /// What libpng gives, and how large the result is to be.
  uint32_t fourcc;
  size_t pixel;
  uint32_t width, height;
  /// What of the picture the result shows.
  vf_rectangle part;
  /// Receives the rows of a picture that isn't interlaced.
  vf_shrinker *shrinker;
  /// Receives those of a part.
  vf_image planar;
  /// Receives every `step`th pixel each way of one that is.
  vf_image grid;
  uint32_t step;
  uint8_t *row;
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

/// Libpng takes a chunk's word for its length, before there is a byte of it. Rows need less than
/// any chunk may.
static void *allocate(png_structp png, png_alloc_size_t size) {
  return size <= VF_PNG_CHUNK_LIMIT ? vf_png_allocate(png, size) : NULL;
}

/// Makes libpng pass over what nobody asks for: text and profiles may unpack to a lot of memory.
static void ignore_chunks(png_structp png) {
  static const png_byte names[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0hIST\0pCAL\0sCAL\0eXIf";
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

static void write_planar(const decoder *decoder, uint32_t y, uint8_t *pixels) {
  vf_image row = {.fourcc = decoder->fourcc, .width = decoder->part.width, .height = 1};
  row.planes[0] = (vf_plane){pixels, row.width * decoder->pixel};
  vf_image place = vf_image_part(&decoder->planar, 0, y, row.width, 1);
  vf_image_write_planar(&place, &row);
}

static void read_rows(decoder *decoder) {
  const vf_rectangle *part = &decoder->part;
  for (uint32_t y = 0; y < part->y + part->height; y++) {
    png_read_row(decoder->png, decoder->row, NULL);
    uint8_t *pixels = decoder->row + part->x * decoder->pixel;
    if (decoder->shrinker)
      vf_shrinker_add(decoder->shrinker, pixels);
    else if (y >= part->y)
      write_planar(decoder, y - part->y, pixels);
  }
}

/// Reads the seven passes, of which the first ones have the pixels of the grid.
static void read_passes(decoder *decoder, uint32_t width, uint32_t height) {
  const vf_plane *plane = &decoder->grid.planes[0];
  size_t pixel = decoder->pixel;
  uint32_t step = decoder->step;
  for (int pass = 0; pass < 7; pass++) {
    uint32_t columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
    uint32_t left = PNG_PASS_START_COL(pass), top = PNG_PASS_START_ROW(pass);
    uint32_t across = 1u << PNG_PASS_COL_SHIFT(pass), down = 1u << PNG_PASS_ROW_SHIFT(pass);
    // A pass is part of the grid as a whole, or not at all. What wraps around lies before the part.
    int is_part = left % step == 0 && top % step == 0;
    for (uint32_t i = 0; columns && i < rows; i++) {
      png_read_row(decoder->png, decoder->row, NULL);
      uint32_t y = top + i * down - decoder->part.y;
      if (!is_part || y >= decoder->part.height)
        continue;
      uint8_t *out = vf_row(plane, y / step);
      for (uint32_t k = 0; k < columns; k++) {
        uint32_t x = left + k * across - decoder->part.x;
        if (x < decoder->part.width)
          memcpy(out + x / step * pixel, decoder->row + k * pixel, pixel);
      }
    }
  }
}

/// The largest step between pixels that leaves the result at least `margin` each way, or 1.
static uint32_t step_for(const decoder *decoder, uint32_t width, uint32_t height, uint32_t margin) {
  for (uint32_t step = 8; step > 1; step /= 2)
    if ((width + step - 1) / step >= (uint64_t)margin * decoder->width &&
        (height + step - 1) / step >= (uint64_t)margin * decoder->height)
      return step;
  return 1;
}

/// Makes room for an interlaced picture: twice the result's size each way, so that pixels are
/// averaged, or as much as there may be.
static int create_grid(decoder *decoder, vf_failure *failure) {
  uint32_t width = decoder->part.width, height = decoder->part.height;
  bool is_whole = decoder->width == width && decoder->height == height;
  for (uint32_t margin = is_whole ? 1 : 2; margin > 0; margin--) {
    uint32_t step = decoder->step = step_for(decoder, width, height, margin);
    uint32_t across = (width + step - 1) / step, down = (height + step - 1) / step;
    if (is_whole || (uint64_t)across * down * decoder->pixel <= GRID_LIMIT)
      return vf_image_create(&decoder->grid, decoder->fourcc, across, down, 0, failure);
  }
  return vf_fail(failure, EFBIG, "PNG decoder",
                 "it is too large: %u x %u interlaced pixels; make it smaller", width, height);
}

/// Shrinks the grid to the result.
static int shrink_grid(decoder *decoder, vf_failure *failure) {
  const vf_image *grid = &decoder->grid;
  decoder->shrinker = vf_shrinker_create(decoder->fourcc, grid->width, grid->height, decoder->width,
                                         decoder->height, failure);
  if (!decoder->shrinker)
    return -failure->code;
  for (uint32_t y = 0; y < grid->height; y++)
    vf_shrinker_add(decoder->shrinker, vf_row(&grid->planes[0], y));
  return 0;
}

static int check_size(png_uint_32 width, png_uint_32 height, uint64_t limit, vf_failure *failure) {
  if (width > VF_SIZE_LIMIT || height > VF_SIZE_LIMIT ||
      (uint64_t)width * height > (limit ? limit : STANDARD_PIXEL_LIMIT))
    return vf_fail(failure, EFBIG, "PNG decoder",
                   "it is too large: %u x %u pixels; make it smaller", width, height);
  return 0;
}

static int choose_part(decoder *decoder, uint32_t width, uint32_t height, const vf_rectangle *part,
                       bool is_scaled, vf_failure *failure) {
  decoder->part = (vf_rectangle){0, 0, width, height};
  if (!part->width)
    return 0;
  if (is_scaled)
    return vf_fail(failure, EINVAL, "PNG decoder", "a part can't be scaled");
  if (!part->height || part->x >= width || part->y >= height || part->width > width - part->x ||
      part->height > height - part->y)
    return vf_fail(failure, EINVAL, "PNG decoder", "the part isn't inside %u x %u pixels", width,
                   height);
  decoder->part = *part;
  return 0;
}

/// Makes what receives the pixels.
static int prepare(decoder *decoder, uint32_t width, uint32_t height, bool is_interlaced,
                   const vf_png_options *options, vf_failure *failure) {
  decoder->fourcc = set_transformations(decoder);
  decoder->pixel = vf_layout_find(decoder->fourcc)->bytes_per_pixel;
  png_read_update_info(decoder->png, decoder->info);
  if (png_get_rowbytes(decoder->png, decoder->info) != width * decoder->pixel)
    return vf_fail(failure, EBADMSG, "PNG decoder", "its header is damaged");
  int failed = choose_part(decoder, width, height, &options->part, options->width, failure);
  if (failed)
    return failed;
  const vf_rectangle *part = &decoder->part;
  // Of a grid, a planar copy is made.
  uint64_t copies = is_interlaced && options->part.width ? 2 : 1;
  if (!options->width &&
      (uint64_t)part->width * part->height * decoder->pixel * copies > PICTURE_LIMIT)
    return vf_fail(failure, EFBIG, "PNG decoder",
                   "it is too large: %u x %u pixels at once; make it smaller", part->width,
                   part->height);
  decoder->width = options->width ? options->width : part->width;
  decoder->height = options->width ? options->height : part->height;
  if (!decoder->height || decoder->width > width || decoder->height > height)
    return vf_fail(failure, EINVAL, "PNG decoder", "%u x %u pixels can't become %u x %u", width,
                   height, decoder->width, decoder->height);
  decoder->row = malloc(width * decoder->pixel);
  if (!decoder->row)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  if (is_interlaced)
    return create_grid(decoder, failure);
  if (options->part.width)
    return vf_image_create(&decoder->planar, decoder->fourcc == VF_GREY ? VF_GREY : VF_I444,
                           part->width, part->height, decoder->fourcc == VF_RGBA32, failure);
  decoder->shrinker = vf_shrinker_create(decoder->fourcc, part->width, part->height, decoder->width,
                                         decoder->height, failure);
  return decoder->shrinker ? 0 : -failure->code;
}

static int decode_guarded(decoder *decoder, const vf_png_options *options, vf_failure *failure) {
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
  png_set_chunk_malloc_max(png, VF_PNG_CHUNK_LIMIT);
  ignore_chunks(png);
  png_read_info(png, decoder->info);

  png_uint_32 width = png_get_image_width(png, decoder->info);
  png_uint_32 height = png_get_image_height(png, decoder->info);
  bool is_interlaced = png_get_interlace_type(png, decoder->info) != PNG_INTERLACE_NONE;
  int failed = check_size(width, height, options->pixel_limit, failure);
  if (!failed)
    failed = prepare(decoder, width, height, is_interlaced, options, failure);
  if (failed)
    return failed;
  if (is_interlaced)
    read_passes(decoder, width, height);
  else
    read_rows(decoder);
  if (decoder->part.y + decoder->part.height == height)
    png_read_end(png, decoder->info);
  return 0;
}

/// Hands over the result: the grid itself where it has the size.
static int finish(decoder *decoder, bool is_part, vf_image *result, vf_failure *failure) {
  vf_image *grid = &decoder->grid, *planar = &decoder->planar;
  if (grid->storage && is_part)
    return vf_image_to_planar(result, grid, failure);
  vf_image *whole = planar->storage ? planar : grid;
  if (whole->width == decoder->width && whole->height == decoder->height) {
    *result = *whole;
    *whole = (vf_image){0};
    return 0;
  }
  int failed = decoder->shrinker ? 0 : shrink_grid(decoder, failure);
  if (!failed)
    *result = vf_shrinker_take(decoder->shrinker);
  return failed;
}

int vf_png_decode(vf_image *result, const uint8_t *bytes, size_t count,
                  const vf_png_options *_Nullable options, vf_failure *failure) {
  static const vf_png_options standard = {0};
  *result = (vf_image){0};
  if (!vf_png_matches(bytes, count))
    return vf_fail(failure, EBADMSG, "PNG decoder", "it is no PNG, whatever its name says");
  decoder decoder = {.bytes = bytes, .left = count};
  int failed = decode_guarded(&decoder, options ? options : &standard, failure);
  png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
  if (!failed)
    failed = finish(&decoder, options && options->part.width, result, failure);
  vf_shrinker_destroy(decoder.shrinker);
  vf_image_free(&decoder.grid);
  vf_image_free(&decoder.planar);
  free(decoder.row);
  return failed;
}
