#ifndef VF_PNG_H
#define VF_PNG_H

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// Whether the bytes start like a PNG file.
int vf_png_matches(const uint8_t *bytes, size_t count);

/// What is known of a PNG file from its chunks, without decoding it.
typedef struct vf_png_info {
  /// Width and height, in pixels.
  uint32_t width, height;
  /// Where the TIFF data of the eXIf chunk start in the bytes, and their length; 0 when there are
  /// none.
  size_t exif_offset, exif_length;
} vf_png_info;

/// Walks a file chunk by chunk. Fails with `EBADMSG` only when it doesn't even tell its size; an
/// eXIf chunk that is damaged, or larger than 8 MiB, counts as none.
int vf_png_inspect(const uint8_t *bytes, size_t count, vf_png_info *info, vf_failure *failure);

/// How to decode.
typedef struct vf_png_options {
  /// The result's size, at most the picture's own each way; a width of 0 stands for that.
  uint32_t width, height;
  /// The part that the result shows, at full size: it can't be scaled. A width of 0 stands for the
  /// whole picture.
  vf_rectangle part;
  /// Pictures with more pixels fail with `EFBIG` before memory is taken. 0 stands for 200 million.
  uint64_t pixel_limit;
} vf_png_options;

/// Decodes a PNG of any colour type and depth to `VF_RGB24`, or `VF_RGBA32` when it has
/// transparency; grey becomes `VF_GREY` when it has none. 16-bit samples keep their upper 8 bits.
/// An incomplete or damaged file fails with `EBADMSG`; behind a part, nothing is read. A part comes
/// planar, as `vf_image_to_planar` has it. What has its full size may take 240 MiB, else `EFBIG`.
///
/// A part or a smaller result takes no more memory than its own, but for an interlaced picture, of
/// which every second, fourth or eighth pixel each way is held as far as the result needs them: at
/// most 192 MiB, else `EFBIG`. The caller releases `result` with `vf_image_free`.
int vf_png_decode(vf_image *result, const uint8_t *bytes, size_t count,
                  const vf_png_options *_Nullable options, vf_failure *failure);

/// Encodes an image of any uncompressed layout as an 8-bit PNG: grey, RGB, or RGBA when it has
/// alpha; with the TIFF data given as eXIf chunk and the resolution as pHYs (0: none). A quick one
/// is a little larger. Release with `vf_buffer_free`.
int vf_png_encode(const vf_image *image, const uint8_t *_Nullable tiff, size_t tiff_count,
                  uint32_t dots_per_inch, int is_quick, vf_buffer *result, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
