#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/encode.h"
#include "jpeg/error.h"
#include "jpeg/markers.h"
#include "jpeg/restarts.h"
#include "jpeg/rows.h"
#include "jpeg/scan.h"
#include "pixels/image.h"
#include "vf_jpeg.h"

/// What the compressor's tables were made for.
typedef struct encode_setup {
  uint32_t width, height;
  J_COLOR_SPACE colors;
  unsigned shift_x, shift_y;
  uint8_t quality;
} encode_setup;

struct vf_encoder {
  struct jpeg_compress_struct codec;
  vf_jpeg_error error;
  struct jpeg_destination_mgr destination;
  /// The result, in memory that grows and is kept.
  vf_jpeg_writer output;
  /// The strip that rows are made in.
  uint8_t *strip;
  size_t strip_size;
  encode_setup setup;
  vf_rows rows;
  vf_scan_tables tables;
};

// The destination: one block of memory, made larger when it is full.

static void begin_output(j_compress_ptr codec) {
  vf_encoder *encoder = codec->client_data;
  codec->dest->next_output_byte = encoder->output.buffer.bytes;
  codec->dest->free_in_buffer = encoder->output.capacity;
}

static boolean grow_output(j_compress_ptr codec) {
  vf_encoder *encoder = codec->client_data;
  // When libjpeg calls, the block is full, whatever the counters say.
  encoder->output.buffer.count = encoder->output.capacity;
  codec->dest->next_output_byte = vf_writer_reserve(&encoder->output, 1);
  if (encoder->output.failed)
    vf_jpeg_raise((j_common_ptr)codec, ENOMEM, "no memory for the picture");
  codec->dest->free_in_buffer = encoder->output.capacity - encoder->output.buffer.count;
  return TRUE;
}

static void end_output(j_compress_ptr codec) {
  vf_encoder *encoder = codec->client_data;
  encoder->output.buffer.count = encoder->output.capacity - codec->dest->free_in_buffer;
}

static int create_codec(vf_encoder *encoder, vf_failure *failure) {
  if (setjmp(encoder->error.escape))
    return vf_jpeg_error_report(&encoder->error, "JPEG encoder", failure);
  jpeg_create_compress(&encoder->codec);
  return 0;
}

vf_encoder *vf_encoder_create(vf_failure *failure) {
  vf_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) {
    vf_fail(failure, ENOMEM, "calloc", NULL);
    return NULL;
  }
  encoder->codec.err = vf_jpeg_error_init(&encoder->error);
  if (create_codec(encoder, failure) < 0) {
    vf_encoder_destroy(encoder);
    return NULL;
  }
  encoder->destination = (struct jpeg_destination_mgr){
      .init_destination = begin_output,
      .empty_output_buffer = grow_output,
      .term_destination = end_output,
  };
  encoder->codec.dest = &encoder->destination;
  encoder->codec.client_data = encoder;
  vf_scan_tables_begin(&encoder->tables);
  return encoder;
}

void vf_encoder_destroy(vf_encoder *encoder) {
  if (!encoder)
    return;
  jpeg_destroy_compress(&encoder->codec);
  vf_buffer_free(&encoder->output.buffer);
  free(encoder->strip);
  free(encoder);
}

static int is_rgb(const vf_layout *layout) { return layout->arrangement == VF_ARRANGEMENT_RGB; }

static J_COLOR_SPACE color_space(const vf_layout_detail *detail) {
  switch (detail->layout.arrangement) {
  case VF_ARRANGEMENT_GREY:
    return JCS_GRAYSCALE;
  case VF_ARRANGEMENT_RGB:
    if (detail->layout.bytes_per_pixel == 3)
      return detail->places[0] ? JCS_EXT_BGR : JCS_EXT_RGB;
    return detail->places[0] ? JCS_EXT_BGRX : JCS_EXT_RGBX;
  default:
    return JCS_YCbCr;
  }
}

/// Makes tables and sampling factors, unless the last picture had the same.
static void set_up(vf_encoder *encoder, const encode_setup *wanted) {
  j_compress_ptr codec = &encoder->codec;
  encode_setup *setup = &encoder->setup;
  if (setup->width == wanted->width && setup->height == wanted->height &&
      setup->colors == wanted->colors && setup->shift_x == wanted->shift_x &&
      setup->shift_y == wanted->shift_y && setup->quality == wanted->quality)
    return;
  // Stays this way when libjpeg leaves half-way.
  *setup = (encode_setup){0};
  int grey = wanted->colors == JCS_GRAYSCALE;
  codec->image_width = wanted->width;
  codec->image_height = wanted->height;
  codec->in_color_space = wanted->colors;
  codec->input_components = grey                                                               ? 1
                            : wanted->colors == JCS_EXT_RGBX || wanted->colors == JCS_EXT_BGRX ? 4
                                                                                               : 3;
  jpeg_set_defaults(codec);
  jpeg_set_quality(codec, wanted->quality, TRUE);
  // Ours comes behind the metadata.
  codec->write_JFIF_header = FALSE;
  codec->dct_method = JDCT_ISLOW;
  codec->raw_data_in = grey || wanted->colors == JCS_YCbCr;
  for (unsigned kind = 0; kind < 2; kind++)
    vf_scan_tables_set_steps(&encoder->tables, kind, codec->quant_tbl_ptrs[kind]->quantval);
  for (int i = 0; i < codec->num_components; i++) {
    codec->comp_info[i].h_samp_factor = i == 0 ? 1 << wanted->shift_x : 1;
    codec->comp_info[i].v_samp_factor = i == 0 ? 1 << wanted->shift_y : 1;
  }
  *setup = *wanted;
}

/// The header that JFIF (ITU-T T.871) asks for.
typedef struct jfif_header {
  uint8_t bytes[14];
} jfif_header;

static jfif_header jfif(uint16_t dots_per_inch) {
  enum { DOTS_PER_INCH = 1 };
  uint16_t density = dots_per_inch ? dots_per_inch : 1;
  uint8_t high = (uint8_t)(density >> 8), low = (uint8_t)density;
  return (jfif_header){
      {'J', 'F', 'I', 'F', 0, 1, 1, dots_per_inch ? DOTS_PER_INCH : 0, high, low, high, low, 0, 0}};
}

/// The encoder of our own, which allocates nothing for a picture.
static int encode_directly(vf_encoder *encoder, const vf_encode_options *options,
                           vf_failure *failure) {
  vf_jpeg_writer *output = &encoder->output;
  vf_jpeg_append_start(output, options->segments, options->segment_count);
  jfif_header header = jfif(options->dots_per_inch);
  vf_jpeg_segment segment = {
      .marker = VF_MARKER_APP0, .bytes = header.bytes, .count = sizeof header.bytes};
  vf_jpeg_append_segment(output, &segment);
  vf_scan_append(output, &encoder->tables, &encoder->rows, encoder->codec.restart_interval);
  return output->failed ? vf_fail(failure, ENOMEM, "malloc", NULL) : 0;
}

/// Where this processor has nothing better.
static void write_raw(vf_encoder *encoder) {
  vf_rows *rows = &encoder->rows;
  JSAMPARRAY planes[3] = {rows->row[0], rows->row[1], rows->row[2]};
  for (size_t y = 0; y < rows->image->height; y += rows->luma_rows) {
    vf_rows_fill(rows, y);
    jpeg_write_raw_data(&encoder->codec, planes, rows->luma_rows);
  }
}

static void write_scanlines(vf_encoder *encoder, const vf_image *image) {
  const vf_plane *plane = &image->planes[0];
  JSAMPROW lines[VF_MAXIMUM_MCU_ROWS];
  for (size_t y = 0; y < image->height;) {
    size_t count = image->height - y;
    if (count > VF_MAXIMUM_MCU_ROWS)
      count = VF_MAXIMUM_MCU_ROWS;
    for (size_t i = 0; i < count; i++)
      lines[i] = plane->data + (y + i) * plane->stride;
    y += jpeg_write_scanlines(&encoder->codec, lines, (JDIMENSION)count);
  }
}

/// Restart intervals in a row of MCUs.
static unsigned count_restarts(unsigned mcus, const vf_encode_options *options) {
  return options->restarts_per_row ? vf_restarts_per_row(mcus, options->restarts_per_row) : 0;
}

static unsigned count_mcus(const encode_setup *setup) {
  unsigned mcu_width = 8u << setup->shift_x;
  return (setup->width + mcu_width - 1) / mcu_width;
}

static int encode_guarded(vf_encoder *encoder, const vf_image *image, const encode_setup *setup,
                          const vf_encode_options *options, vf_failure *failure) {
  j_compress_ptr codec = &encoder->codec;
  if (setjmp(encoder->error.escape)) {
    jpeg_abort_compress(codec);
    return vf_jpeg_error_report(&encoder->error, "JPEG encoder", failure);
  }
  set_up(encoder, setup);
  unsigned mcus = count_mcus(setup), restarts = count_restarts(mcus, options);
  // At most 8188 MCUs make a row, so the interval fits into DRI's 16 bits.
  codec->restart_interval = restarts ? mcus / restarts : 0;
  if (codec->raw_data_in && encoder->rows.kernels->encodes)
    return encode_directly(encoder, options, failure);
  jpeg_start_compress(codec, TRUE);
  for (size_t i = 0; i < options->segment_count; i++)
    jpeg_write_marker(codec, options->segments[i].marker, options->segments[i].bytes,
                      (unsigned)options->segments[i].count);
  jfif_header header = jfif(options->dots_per_inch);
  jpeg_write_marker(codec, VF_MARKER_APP0, header.bytes, sizeof header.bytes);
  if (codec->raw_data_in)
    write_raw(encoder);
  else
    write_scanlines(encoder, image);
  jpeg_finish_compress(codec);
  return 0;
}

static int reserve(uint8_t **bytes, size_t *size, size_t wanted, vf_failure *failure) {
  if (*size >= wanted)
    return 0;
  free(*bytes);
  *size = 0;
  *bytes = malloc(wanted);
  if (!*bytes)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  *size = wanted;
  return 0;
}

static int check(const vf_image *image, const vf_encode_options *options, vf_failure *failure) {
  int failed = vf_image_check(image, "JPEG encoder", failure);
  if (failed)
    return failed;
  if (options->quality < 1 || options->quality > 100)
    return vf_fail(failure, EINVAL, "JPEG encoder", "quality %u", options->quality);
  if (options->subsampling != 0 && options->subsampling != 444 && options->subsampling != 422 &&
      options->subsampling != 420)
    return vf_fail(failure, EINVAL, "JPEG encoder", "subsampling %u", options->subsampling);
  return vf_jpeg_check_segments(options->segments, options->segment_count, failure);
}

/// Empties the output and gives it room. Most pictures need less; it grows for the others.
static int begin_picture(vf_encoder *encoder, const vf_image *image, vf_failure *failure) {
  encoder->output.buffer.count = 0;
  encoder->output.failed = 0;
  size_t expected = (size_t)image->width * image->height / 2 + 4096;
  return vf_writer_reserve(&encoder->output, expected) ? 0
                                                       : vf_fail(failure, ENOMEM, "malloc", NULL);
}

static int encode_image(vf_encoder *encoder, const vf_image *image, const vf_layout *layout,
                        const encode_setup *setup, const vf_encode_options *options,
                        vf_failure *failure) {
  int failed = begin_picture(encoder, image, failure);
  if (!failed && !is_rgb(layout)) {
    failed = reserve(&encoder->strip, &encoder->strip_size, vf_rows_memory(image->width), failure);
    if (!failed)
      vf_rows_begin(&encoder->rows, image, layout, setup->shift_x, setup->shift_y, encoder->strip);
  }
  return failed ? failed : encode_guarded(encoder, image, setup, options, failure);
}

static encode_setup plan(const vf_image *image, const vf_layout *layout,
                         const vf_encode_options *options) {
  encode_setup setup = {
      .width = image->width,
      .height = image->height,
      .colors = color_space(vf_layout_detail_find(image->fourcc)),
      .shift_x = layout->chroma_shift_x,
      .shift_y = layout->chroma_shift_y,
      .quality = options->quality,
  };
  if (layout->arrangement != VF_ARRANGEMENT_GREY && (options->subsampling || is_rgb(layout))) {
    setup.shift_x = options->subsampling != 444;
    setup.shift_y = options->subsampling == 420 || options->subsampling == 0;
  }
  return setup;
}

/// Whether the rows of an image need nothing that the encoder doesn't do by itself.
static int is_direct(const vf_layout *layout, const encode_setup *setup) {
  return is_rgb(layout) || vf_rows_can(layout, setup->shift_x, setup->shift_y);
}

int vf_encode_grid_find(vf_encode_grid *grid, const vf_image *image,
                        const vf_encode_options *options, vf_failure *failure) {
  int failed = check(image, options, failure);
  if (failed)
    return failed;
  const vf_layout *layout = vf_layout_find(image->fourcc);
  encode_setup setup = plan(image, layout, options);
  *grid = (vf_encode_grid){
      .mcu_height = 8u << setup.shift_y,
      .restarts_per_row = count_restarts(count_mcus(&setup), options),
      .is_direct = is_direct(layout, &setup) != 0,
  };
  return 0;
}

int vf_encoder_encode(vf_encoder *encoder, const vf_image *image, const vf_encode_options *options,
                      const uint8_t *_Nullable *_Nonnull bytes, size_t *count,
                      vf_failure *failure) {
  *bytes = NULL;
  *count = encoder->output.buffer.count = 0;
  int failed = check(image, options, failure);
  if (failed)
    return failed;
  const vf_layout *layout = vf_layout_find(image->fourcc);
  encode_setup setup = plan(image, layout, options);

  if (is_direct(layout, &setup)) {
    failed = encode_image(encoder, image, layout, &setup, options, failure);
  } else {
    // Chroma finer than the source's, or a step that rows don't do: seldom asked for.
    uint32_t fourcc = !setup.shift_x ? VF_I444 : setup.shift_y ? VF_I420 : VF_I422;
    vf_image planar;
    failed = vf_image_convert(&planar, fourcc, image, failure);
    if (failed)
      return failed;
    const vf_layout *planar_layout = vf_layout_find(fourcc);
    failed = encode_image(encoder, &planar, planar_layout, &setup, options, failure);
    vf_image_free(&planar);
  }
  if (failed) {
    // Of what was begun, nothing can be taken.
    encoder->output.buffer.count = 0;
    return failed;
  }
  *bytes = encoder->output.buffer.bytes;
  *count = encoder->output.buffer.count;
  return 0;
}

vf_buffer vf_encoder_take(vf_encoder *encoder) {
  vf_buffer result = {0};
  vf_failure failure;
  if (encoder->output.buffer.count && !vf_writer_finish(&encoder->output, &result, &failure))
    encoder->output = (vf_jpeg_writer){0};
  return result;
}
