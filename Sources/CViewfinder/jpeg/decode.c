#include <errno.h>
#include <string.h>

#include "failure.h"
#include "jpeg/colour.h"
#include "jpeg/decoder.h"
#include "jpeg/scans.h"
#include "layouts/layout.h"
#include "pixels/image.h"

enum {
  /// Rows of a component in an MCU row: 4 blocks.
  MAXIMUM_ROWS = 32,
  /// Pixels around a rectangle that interpolated chroma at its edge may need.
  MARGIN = 16,
};

#define STANDARD_PIXEL_LIMIT ((uint64_t)200000000)

/// Bytes that the coefficients of a picture in several scans may take: beside the whole picture,
/// and beside a part or a small one, where the file's bytes come out of the same purse.
#define WHOLE_COEFFICIENTS ((size_t)384 << 20)
#define MOST_COEFFICIENTS ((size_t)160 << 20)
#define FEWEST_COEFFICIENTS ((size_t)40 << 20)
#define COEFFICIENTS_AND_FILE ((size_t)260 << 20)

/// The number that `size` samples of each block make of a whole picture's `length`.
static uint32_t scaled(uint32_t length, int sampling, int most, unsigned size) {
  uint64_t blocks = 8 * (uint64_t)most;
  return (uint32_t)(((uint64_t)length * (unsigned)sampling * size + blocks - 1) / blocks);
}

int vf_decoder_has_plain_planes(vf_decoder *decoder, int keeps_subsampling) {
  j_decompress_ptr codec = &decoder->codec;
  int count = codec->num_components;
  if (!(codec->jpeg_color_space == JCS_GRAYSCALE && count == 1) &&
      !(codec->jpeg_color_space == JCS_YCbCr && count == 3))
    return 0;
  decoder->shift_x = decoder->shift_y = 0;
  uint32_t widths[3], heights[3];
  for (int c = 0; c < count; c++) {
    const jpeg_component_info *component = &codec->comp_info[c];
    decoder->sizes[c] =
        (unsigned)(keeps_subsampling ? codec->min_DCT_scaled_size : component->DCT_scaled_size);
    widths[c] = scaled(codec->image_width, component->h_samp_factor, codec->max_h_samp_factor,
                       decoder->sizes[c]);
    heights[c] = scaled(codec->image_height, component->v_samp_factor, codec->max_v_samp_factor,
                        decoder->sizes[c]);
  }
  if (widths[0] != codec->output_width || heights[0] != codec->output_height)
    return 0;
  if (count == 1)
    return 1;

  const jpeg_component_info *luma = &codec->comp_info[0];
  const jpeg_component_info *cb = &codec->comp_info[1], *cr = &codec->comp_info[2];
  if (cb->h_samp_factor != cr->h_samp_factor || cb->v_samp_factor != cr->v_samp_factor ||
      decoder->sizes[1] != decoder->sizes[2])
    return 0;
  for (unsigned shift = 0; shift < 3; shift++) {
    unsigned across = (unsigned)cb->h_samp_factor * decoder->sizes[1] << shift;
    unsigned down = (unsigned)cb->v_samp_factor * decoder->sizes[1] << shift;
    if (across == (unsigned)luma->h_samp_factor * decoder->sizes[0])
      decoder->shift_x = shift | 4;
    if (down == (unsigned)luma->v_samp_factor * decoder->sizes[0])
      decoder->shift_y = shift | 4;
  }
  // The 4 tells that a shift was found at all.
  if (!(decoder->shift_x & 4) || !(decoder->shift_y & 4))
    return 0;
  decoder->shift_x &= 3;
  decoder->shift_y &= 3;
  return vf_layout_subsampled(decoder->shift_x, decoder->shift_y) != 0 &&
         widths[1] == vf_subsampled(codec->output_width, decoder->shift_x) &&
         heights[1] == vf_subsampled(codec->output_height, decoder->shift_y);
}

void vf_decoder_settle(vf_decoder *decoder) {
  const vf_decoder_part *wanted = &decoder->wanted;
  decoder->decoded = *wanted;
  unsigned mask_x = (1u << decoder->shift_x) - 1, mask_y = (1u << decoder->shift_y) - 1;
  if (!(wanted->x & mask_x) && !(wanted->y & mask_y))
    return;
  uint32_t left = wanted->x < MARGIN ? 0 : (wanted->x - MARGIN) & ~mask_x;
  uint32_t top = wanted->y < MARGIN ? 0 : (wanted->y - MARGIN) & ~mask_y;
  uint32_t right = wanted->x + wanted->width + MARGIN, bottom = wanted->y + wanted->height + MARGIN;
  if (right > decoder->codec.output_width)
    right = decoder->codec.output_width;
  if (bottom > decoder->codec.output_height)
    bottom = decoder->codec.output_height;
  decoder->decoded = (vf_decoder_part){left, top, right - left, bottom - top};
}

/// One component on its way from libjpeg into a plane.
typedef struct plane_copy {
  const vf_plane *plane;
  /// The part of the component that the plane takes.
  size_t x, y, width, height;
  /// Rows in an MCU row, and memory for those that libjpeg can't write into the plane itself.
  size_t rows, row_bytes;
  uint8_t *strip;
  uint8_t *row[MAXIMUM_ROWS];
} plane_copy;

static plane_copy begin_plane(vf_decoder *decoder, int index) {
  j_decompress_ptr codec = &decoder->codec;
  const jpeg_component_info *component = &codec->comp_info[index];
  unsigned shift_x = index ? decoder->shift_x : 0, shift_y = index ? decoder->shift_y : 0;
  plane_copy copy = {
      .plane = &decoder->image.planes[index],
      .x = decoder->decoded.x >> shift_x,
      .y = decoder->decoded.y >> shift_y,
      .width = vf_subsampled(decoder->decoded.width, shift_x),
      .height = vf_subsampled(decoder->decoded.height, shift_y),
      .rows = (size_t)component->v_samp_factor * (size_t)component->DCT_scaled_size,
      .row_bytes = (size_t)component->width_in_blocks * (size_t)component->DCT_scaled_size,
  };
  copy.strip =
      codec->mem->alloc_large((j_common_ptr)codec, JPOOL_IMAGE, copy.rows * copy.row_bytes);
  return copy;
}

/// Points the rows of an MCU row into the plane where it has them and room for whole blocks, else
/// into the strip.
static void point_rows(plane_copy *copy, size_t mcu_row) {
  int fits = copy->x == 0 && copy->row_bytes <= copy->plane->stride;
  for (size_t i = 0; i < copy->rows; i++) {
    // Rows above the part wrap around to large numbers.
    size_t y = mcu_row * copy->rows + i - copy->y;
    copy->row[i] = fits && y < copy->height ? copy->plane->data + y * copy->plane->stride
                                            : copy->strip + i * copy->row_bytes;
  }
}

static void copy_rows(const plane_copy *copy, size_t mcu_row) {
  for (size_t i = 0; i < copy->rows; i++) {
    size_t y = mcu_row * copy->rows + i - copy->y;
    if (y >= copy->height)
      continue;
    uint8_t *row = copy->plane->data + y * copy->plane->stride;
    if (copy->row[i] != row)
      memcpy(row, copy->row[i] + copy->x, copy->width);
  }
}

static void read_planes(vf_decoder *decoder) {
  j_decompress_ptr codec = &decoder->codec;
  plane_copy copies[3];
  JSAMPARRAY rows[3] = {copies[0].row, copies[1].row, copies[2].row};
  for (int c = 0; c < codec->num_components; c++)
    copies[c] = begin_plane(decoder, c);
  jpeg_start_decompress(codec);

  size_t lines = (size_t)codec->max_v_samp_factor * (size_t)codec->min_DCT_scaled_size;
  size_t bottom = (size_t)decoder->decoded.y + decoder->decoded.height;
  for (size_t mcu_row = 0; mcu_row * lines < bottom; mcu_row++) {
    // Rows above the part must be entropy-decoded, but nobody needs their samples.
    boolean needed = (mcu_row + 1) * lines > decoder->decoded.y;
    for (int c = 0; c < codec->num_components; c++) {
      codec->comp_info[c].component_needed = needed;
      point_rows(&copies[c], mcu_row);
    }
    if (!jpeg_read_raw_data(codec, rows, (JDIMENSION)lines))
      vf_jpeg_raise((j_common_ptr)codec, EBADMSG,
                    "it ends too early; copy it again from where it came from");
    for (int c = 0; needed && c < codec->num_components; c++)
      copy_rows(&copies[c], mcu_row);
  }
}

static void read_pixels(vf_decoder *decoder) {
  j_decompress_ptr codec = &decoder->codec;
  jpeg_start_decompress(codec);
  size_t pixel = (size_t)codec->output_components;
  JSAMPROW row =
      codec->mem->alloc_large((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * pixel);
  size_t top = decoder->decoded.y, bottom = top + decoder->decoded.height;
  for (size_t y = 0; y < bottom; y++) {
    if (!jpeg_read_scanlines(codec, &row, 1))
      vf_jpeg_raise((j_common_ptr)codec, EBADMSG,
                    "it ends too early; copy it again from where it came from");
    if (y < top)
      continue;
    const uint8_t *pixels = row + decoder->decoded.x * pixel;
    if (codec->out_color_space == JCS_YCbCr)
      vf_row_from_ycc(&decoder->image, y - top, pixels);
    else if (codec->out_color_space == JCS_RGB)
      vf_row_from_rgb(&decoder->image, y - top, pixels);
    else
      vf_row_from_cmyk(&decoder->image, y - top, pixels, codec->saw_Adobe_marker);
  }
}

static J_COLOR_SPACE pixel_space(j_decompress_ptr codec) {
  switch (codec->jpeg_color_space) {
  case JCS_YCbCr:
  case JCS_RGB:
  case JCS_CMYK:
    return codec->jpeg_color_space;
  case JCS_YCCK:
    return JCS_CMYK;
  default:
    vf_jpeg_raise((j_common_ptr)codec, ENOTSUP,
                  "its colours are of an unknown kind; save it as an ordinary JPEG");
  }
}

static int check_size(vf_decoder *decoder, const vf_decode_options *options, vf_failure *failure) {
  j_decompress_ptr codec = &decoder->codec;
  uint64_t limit = options->pixel_limit ? options->pixel_limit : STANDARD_PIXEL_LIMIT;
  if ((uint64_t)codec->image_width * codec->image_height <= limit)
    return 0;
  return vf_fail(failure, EFBIG, "JPEG decoder", "it is too large: %u x %u pixels; make it smaller",
                 codec->image_width, codec->image_height);
}

/// Sets what is wanted of the picture, whose size is known.
static int settle_wanted(vf_decoder *decoder, const vf_decode_options *options,
                         vf_failure *failure) {
  uint32_t width = decoder->codec.output_width, height = decoder->codec.output_height;
  decoder->wanted = (vf_decoder_part){0, 0, width, height};
  if (!options->width)
    return 0;
  decoder->wanted = (vf_decoder_part){options->x, options->y, options->width, options->height};
  if (options->height && options->x < width && options->y < height &&
      options->width <= width - options->x && options->height <= height - options->y)
    return 0;
  return vf_fail(failure, EINVAL, "JPEG decoder", "the part isn't inside %u x %u pixels", width,
                 height);
}

static size_t coefficient_limit(size_t count, const vf_decode_options *options) {
  if (!options->width && options->scale % 8 == 0)
    return WHOLE_COEFFICIENTS;
  size_t limit = count < COEFFICIENTS_AND_FILE ? COEFFICIENTS_AND_FILE - count : 0;
  if (limit < FEWEST_COEFFICIENTS)
    return FEWEST_COEFFICIENTS;
  return limit < MOST_COEFFICIENTS ? limit : MOST_COEFFICIENTS;
}

int vf_decoder_make_image(vf_decoder *decoder, vf_failure *failure) {
  vf_decoder_settle(decoder);
  int grey = decoder->codec.raw_data_out && decoder->codec.num_components == 1;
  uint32_t fourcc = grey ? VF_GREY : vf_layout_subsampled(decoder->shift_x, decoder->shift_y);
  vf_image_free(&decoder->image);
  return vf_image_create(&decoder->image, fourcc, decoder->decoded.width, decoder->decoded.height,
                         0, failure);
}

int vf_decoder_read_baseline(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                             const vf_image *image, uint32_t y) {
  const vf_baseline_part part = {
      .image = image,
      .x = decoder->decoded.x,
      .y = y,
      .shift_x = decoder->shift_x,
      .shift_y = decoder->shift_y,
      .sizes = {decoder->sizes[0], decoder->sizes[1], decoder->sizes[2]},
  };
  return vf_baseline_decode(&decoder->codec, bytes, count, &part);
}

/// Decodes without libjpeg where that can be done. Returns 1 when it is done, or 0, or a failure.
static int decode_baseline(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                           const vf_decode_options *options, vf_failure *failure) {
  if (!vf_decoder_has_plain_planes(decoder, options->keeps_subsampling))
    return 0;
  decoder->codec.raw_data_out = TRUE;
  int failed = vf_decoder_make_image(decoder, failure);
  if (failed)
    return failed;
  return vf_decoder_read_baseline(decoder, bytes, count, &decoder->image, decoder->decoded.y);
}

/// Decodes what is wanted, by whatever way.
static int decode_all(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                      const vf_decode_options *options, void *context, vf_failure *failure) {
  (void)context;
  j_decompress_ptr codec = &decoder->codec;
  // libjpeg's chroma isn't the same where it is scaled less than luma, and then made coarse again.
  int is_ours = vf_jpeg_is_optimized() || options->keeps_subsampling;
  int done = is_ours ? decode_baseline(decoder, bytes, count, options, failure) : 0;
  if (done)
    return done < 0 ? done : 0;

  codec->raw_data_out = vf_decoder_has_plain_planes(decoder, 0);
  if (!codec->raw_data_out) {
    decoder->shift_x = decoder->shift_y = 0;
    codec->out_color_space = pixel_space(codec);
  } else {
    codec->out_color_space = codec->jpeg_color_space;
  }
  int failed = vf_decoder_make_image(decoder, failure);
  if (failed)
    return failed;
  if (codec->raw_data_out)
    read_planes(decoder);
  else
    read_pixels(decoder);
  return 0;
}

static int run_guarded(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                       const vf_decode_options *options, vf_decoder_step step, void *context,
                       vf_failure *failure) {
  j_decompress_ptr codec = &decoder->codec;
  if (setjmp(decoder->error.escape))
    return vf_jpeg_error_report(&decoder->error, "JPEG decoder", failure);

  jpeg_create_decompress(codec);
  decoder->progress.progress_monitor = vf_jpeg_limit_scans;
  codec->progress = &decoder->progress;
  jpeg_mem_src(codec, bytes, count);
  jpeg_read_header(codec, TRUE);
  int failed = check_size(decoder, options, failure);
  if (failed)
    return failed;

  vf_coefficients_hold(&decoder->coefficients, (j_common_ptr)codec,
                       coefficient_limit(count, options));
  codec->scale_num = options->scale ? options->scale : 8;
  codec->scale_denom = 8;
  codec->dct_method = JDCT_ISLOW;
  jpeg_calc_output_dimensions(codec);
  failed = settle_wanted(decoder, options, failure);
  return failed ? failed : step(decoder, bytes, count, options, context, failure);
}

int vf_decoder_run(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                   const vf_decode_options *options, vf_decoder_step step, void *context,
                   vf_failure *failure) {
  *decoder = (vf_decoder){0};
  decoder->codec.err = vf_jpeg_error_init(&decoder->error);
  unsigned scale = options->scale;
  if (scale != 0 && scale != 1 && scale != 2 && scale != 4 && scale != 8)
    return vf_fail(failure, EINVAL, "JPEG decoder", "scale %u", scale);
  return run_guarded(decoder, bytes, count, options, step, context, failure);
}

void vf_decoder_end(vf_decoder *decoder) {
  jpeg_destroy_decompress(&decoder->codec);
  vf_coefficients_free(&decoder->coefficients);
}

/// Makes the chroma of a picture that libjpeg scaled as coarse as it is stored.
static int coarsen(vf_decoder *decoder, vf_failure *failure) {
  if (!vf_decoder_has_plain_planes(decoder, 1) || decoder->codec.num_components == 1)
    return 0;
  uint32_t fourcc = vf_layout_subsampled(decoder->shift_x, decoder->shift_y);
  if (fourcc == decoder->image.fourcc)
    return 0;
  vf_image coarse;
  int failed = vf_image_convert(&coarse, fourcc, &decoder->image, failure);
  if (failed)
    return failed;
  vf_image_free(&decoder->image);
  decoder->image = coarse;
  return 0;
}

int vf_jpeg_is_optimized(void) {
#ifdef __OPTIMIZE__
  return 1;
#else
  return 0;
#endif
}

int vf_jpeg_decode(vf_image *result, const uint8_t *bytes, size_t count,
                   const vf_decode_options *_Nullable options, uint32_t *_Nullable warnings,
                   vf_failure *failure) {
  static const vf_decode_options standard = {0};
  if (!options)
    options = &standard;
  *result = (vf_image){0};
  if (warnings)
    *warnings = 0;
  vf_decoder decoder;
  int failed = vf_decoder_run(&decoder, bytes, count, options, decode_all, NULL, failure);
  if (warnings)
    *warnings = (uint32_t)decoder.error.manager.num_warnings;
  const vf_decoder_part *wanted = &decoder.wanted, *decoded = &decoder.decoded;
  if (!failed && memcmp(wanted, decoded, sizeof *wanted) != 0)
    failed = vf_image_cut(&decoder.image, wanted->x - decoded->x, wanted->y - decoded->y,
                          wanted->width, wanted->height, failure);
  if (!failed && options->keeps_subsampling)
    failed = coarsen(&decoder, failure);
  vf_decoder_end(&decoder);
  if (!failed)
    *result = decoder.image;
  else
    vf_image_free(&decoder.image);
  return failed;
}
