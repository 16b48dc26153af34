#ifndef VF_JPEG_DECODER_H
#define VF_JPEG_DECODER_H

#include "jpeg/baseline.h"
#include "jpeg/coefficients.h"
#include "jpeg/error.h"
#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// A part of a picture, in pixels at its scale.
typedef struct vf_decoder_part {
  uint32_t x, y, width, height;
} vf_decoder_part;

/// A picture that is being decoded, and how.
typedef struct vf_decoder {
  struct jpeg_decompress_struct codec;
  vf_jpeg_error error;
  struct jpeg_progress_mgr progress;
  /// Of a picture in several scans.
  vf_coefficients coefficients;
  /// What the caller gets, and what is decoded for it: the same, or a little more around it where
  /// chroma falls between samples.
  vf_decoder_part wanted, decoded;
  /// Receives `decoded`. Zeroed until it is made.
  vf_image image;
  unsigned shift_x, shift_y;
  /// Samples that a block of each component gives each way.
  unsigned sizes[3];
} vf_decoder;

/// What is done with a picture whose headers are read.
typedef int (*vf_decoder_step)(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                               const vf_decode_options *options, void *_Nullable context,
                               vf_failure *failure);

/// Reads the headers, settles what is wanted, and does `step` with it. Whatever comes of it, the
/// caller ends the decoder, whose image is then the caller's to release.
int vf_decoder_run(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                   const vf_decode_options *options, vf_decoder_step step, void *_Nullable context,
                   vf_failure *failure);

void vf_decoder_end(vf_decoder *decoder);

/// Whether the components are planes as our layouts have them; sets their sizes and the shifts.
///
/// libjpeg gives chroma that is coarse a larger size in a scaled picture, unless it shall stay as
/// coarse as it is.
int vf_decoder_has_plain_planes(vf_decoder *decoder, int keeps_subsampling);

/// Sets `decoded`: `wanted`, widened to where chroma samples start, and by a margin where that
/// isn't enough.
void vf_decoder_settle(vf_decoder *decoder);

/// Makes the image that `decoded` goes to.
int vf_decoder_make_image(vf_decoder *decoder, vf_failure *failure);

/// Decodes `decoded`, or rows of it, without libjpeg into the planes of an image, which begins at
/// row `y` of the picture. Returns 0 when it can't.
int vf_decoder_read_baseline(vf_decoder *decoder, const uint8_t *bytes, size_t count,
                             const vf_image *image, uint32_t y);

#pragma clang assume_nonnull end

#endif
