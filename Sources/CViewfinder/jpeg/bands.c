#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "failure.h"
#include "jpeg/decoder.h"
#include "pixels/image.h"

/// What is done with a band, and how many there are.
typedef struct band_work {
  const vf_image *_Nullable image;
  uint32_t band, bands;
} band_work;

/// The rows of MCUs that the part touches, and pixels in each.
typedef struct mcu_rows {
  uint32_t first, count, height;
} mcu_rows;

static mcu_rows rows_of_part(const vf_decoder *decoder) {
  const vf_decoder_part *part = &decoder->decoded;
  const struct jpeg_decompress_struct *codec = &decoder->codec;
  bool alone = codec->num_components == 1;
  uint32_t height = decoder->sizes[0] * (alone ? 1 : (uint32_t)codec->max_v_samp_factor);
  uint32_t first = part->y / height, last = (part->y + part->height - 1) / height;
  return (mcu_rows){first, last - first + 1, height};
}

/// Where a band begins, in rows of the picture; that of the band after the last is the end.
static uint32_t band_top(const vf_decoder *decoder, uint32_t band, uint32_t bands) {
  const vf_decoder_part *part = &decoder->decoded;
  mcu_rows rows = rows_of_part(decoder);
  uint64_t row = rows.first + (uint64_t)rows.count * band / bands;
  uint64_t y = row * rows.height, bottom = (uint64_t)part->y + part->height;
  return (uint32_t)(band == bands || y > bottom ? bottom : y < part->y ? part->y : y);
}

static int count_bands(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                       const vf_decode_options *options, void *context, vf_failure *failure) {
  // Rows of MCUs in a band, below which a core isn't worth waking.
  enum { FEWEST_ROWS = 8 };
  (void)bytes, (void)count;
  band_work *work = context;
  uint32_t most = work->bands;
  work->bands = 1;
  vf_scan scan;
  if (!decoder->codec.restart_interval || !vf_baseline_describe(&decoder->codec, &scan) ||
      !vf_decoder_has_plain_planes(decoder, options->keeps_subsampling))
    return 0;
  vf_decoder_settle(decoder);
  if (memcmp(&decoder->wanted, &decoder->decoded, sizeof decoder->wanted) != 0)
    return 0;
  uint32_t bands = rows_of_part(decoder).count / FEWEST_ROWS;
  if (bands > most)
    bands = most;
  if (bands < 2)
    return 0;
  decoder->codec.raw_data_out = TRUE;
  int failed = vf_decoder_make_image(decoder, failure);
  if (!failed)
    work->bands = bands;
  return failed;
}

int vf_jpeg_decode_bands(vf_image *result, const uint8_t *bytes, size_t count,
                         const vf_decode_options *_Nullable options, uint32_t most, uint32_t *bands,
                         vf_failure *failure) {
  static const vf_decode_options standard = {0};
  if (!options)
    options = &standard;
  *result = (vf_image){0};
  *bands = 1;
  vf_decoder decoder;
  band_work work = {.bands = most};
  int failed = vf_decoder_run(&decoder, bytes, count, options, count_bands, &work, failure);
  vf_decoder_end(&decoder);
  if (failed) {
    vf_image_free(&decoder.image);
    return failed;
  }
  *result = decoder.image;
  *bands = work.bands;
  return 0;
}

static int decode_band(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                       const vf_decode_options *options, void *context, vf_failure *failure) {
  const band_work *work = context;
  if (!vf_decoder_has_plain_planes(decoder, options->keeps_subsampling))
    return vf_fail(failure, EINVAL, "JPEG decoder", "not a picture in bands");
  vf_decoder_settle(decoder);
  const vf_decoder_part *part = &decoder->decoded;
  if (work->image->width != part->width || work->image->height != part->height)
    return vf_fail(failure, EINVAL, "JPEG decoder", "an image of another picture");
  uint32_t top = band_top(decoder, work->band, work->bands);
  uint32_t bottom = band_top(decoder, work->band + 1, work->bands);
  vf_image image = vf_image_part(work->image, 0, top - part->y, part->width, bottom - top);
  if (top < bottom && !vf_decoder_read_baseline(decoder, bytes, count, &image, top))
    return vf_fail(failure, EBADMSG, "JPEG decoder", "damaged");
  return 0;
}

int vf_jpeg_decode_band(const vf_image *image, const uint8_t *bytes, size_t count,
                        const vf_decode_options *_Nullable options, uint32_t band, uint32_t bands,
                        vf_failure *failure) {
  static const vf_decode_options standard = {0};
  if (!options)
    options = &standard;
  vf_decoder decoder;
  band_work work = {.image = image, .band = band, .bands = bands};
  int failed = vf_decoder_run(&decoder, bytes, count, options, decode_band, &work, failure);
  vf_decoder_end(&decoder);
  return failed;
}
