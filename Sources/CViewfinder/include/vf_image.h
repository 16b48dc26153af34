#ifndef VF_IMAGE_H
#define VF_IMAGE_H

#include "vf_failure.h"
#include "vf_layout.h"

#pragma clang assume_nonnull begin

/// A rectangle of whole pixels.
typedef struct vf_rectangle {
  uint32_t x, y, width, height;
} vf_rectangle;

/// One plane of an image.
typedef struct vf_plane {
  /// The first row. NULL where the layout has no such plane.
  uint8_t *_Nullable data;
  /// Distance from one row to the next, in bytes.
  size_t stride;
} vf_plane;

/// An uncompressed picture in memory.
///
/// A struct of plain values: copy it freely. It may own its memory (made by a call that says so:
/// `storage` is then non-NULL, and `vf_image_free` releases it), or be a view of somebody else's,
/// such as a camera's buffer; a view is only read. Samples are 8 bits, YCbCr per ITU-R BT.601.
typedef struct vf_image {
  /// The layout, one of the uncompressed `VF_…` codes.
  uint32_t fourcc;
  /// Width and height, in pixels. From 1 to 65500.
  uint32_t width, height;
  /// The planes that the layout has; Y, Cb, Cr in this order where it is planar.
  vf_plane planes[3];
  /// Coverage of each pixel, one byte, 0 transparent to 255 opaque. NULL data: all opaque.
  vf_plane alpha;
  /// 0: Y, Cb and Cr use 0…255 (JPEG's range). 1: Y uses 16…235, Cb and Cr 16…240.
  uint8_t limited_range;
  /// Memory that `vf_image_free` releases; NULL for a view.
  void *_Nullable storage;
} vf_image;

/// Makes `*image` a view of `count` bytes at `bytes` that V4L2 laid out.
///
/// Fails with `EBADMSG` when `count` is short for the layout, and `ENOTSUP` when the layout is
/// unknown. The bytes must outlive the image.
int vf_image_view(vf_image *image, uint32_t fourcc, uint32_t width, uint32_t height, size_t stride,
                  const uint8_t *bytes, size_t count, vf_failure *failure);

/// Allocates an image of any uncompressed layout; with an alpha plane when `with_alpha` isn't 0.
/// The contents are undefined. The caller releases it with `vf_image_free`.
int vf_image_create(vf_image *image, uint32_t fourcc, uint32_t width, uint32_t height,
                    int with_alpha, vf_failure *failure);

/// Releases what the image owns and zeroes the struct. Accepts a view and a zeroed struct.
void vf_image_free(vf_image *image);

/// A new planar image with the same picture: `VF_GREY` for grey, else `VF_I420`, `VF_I422`,
/// `VF_I440`, `VF_I411` or `VF_I444`, whichever keeps the source's own chroma (RGB becomes
/// `VF_I444`). Full range. Alpha comes along (from `VF_RGBA32`, `VF_BGRA32` too).
int vf_image_to_planar(vf_image *result, const vf_image *source, vf_failure *failure);

/// A new `VF_RGB24` image, or `VF_RGBA32` when the source has alpha. Chroma is interpolated
/// ("fancy upsampling" as libjpeg has it).
int vf_image_to_rgb(vf_image *result, const vf_image *source, vf_failure *failure);

/// Converts between any two uncompressed layouts, into a new image. Chroma is averaged where it
/// gets coarser, and interpolated where it gets finer. Full range. The simulated camera and tests
/// use it; it is exact rather than fast.
int vf_image_convert(vf_image *result, uint32_t fourcc, const vf_image *source,
                     vf_failure *failure);

/// A new planar image turned upright: what `source` shows when EXIF says `orientation` (1 to 8;
/// EXIF tag 0x0112). 5 to 8 swap width and height. The source may have any uncompressed layout.
int vf_image_orient(vf_image *result, const vf_image *source, uint32_t orientation,
                    vf_failure *failure);

/// A new planar image of the `width` × `height` pixels at (x, y). Exact to the pixel at any offset:
/// chroma that falls between samples is interpolated. The rectangle must lie inside the source.
int vf_image_crop(vf_image *result, const vf_image *source, uint32_t x, uint32_t y, uint32_t width,
                  uint32_t height, vf_failure *failure);

/// A new planar image of another size: area average where it shrinks, bicubic where it grows.
int vf_image_scale(vf_image *result, const vf_image *source, uint32_t width, uint32_t height,
                   vf_failure *failure);

/// A new image of another size for a thumbnail: `vf_image_scale`, but where it shrinks to a quarter
/// or less, its pixels are means of whole pixels, taken straight from a camera's layout. It is
/// `VF_I420` or `VF_GREY` then, without alpha, full range.
int vf_image_thumbnail(vf_image *result, const vf_image *source, uint32_t width, uint32_t height,
                       vf_failure *failure);

/// Scales a picture down while it is read row by row, so that only the result is ever in memory.
///
/// Calls on one shrinker must not overlap.
typedef struct vf_shrinker vf_shrinker;

/// Makes a shrinker from `source_width` × `source_height` pixels to `width` × `height`, at most as
/// many each way. `fourcc` is the layout of the rows and of the result: `VF_GREY`, `VF_RGB24` or
/// `VF_RGBA32`. Only the result's size counts against `VF_SIZE_LIMIT`. The caller releases it with
/// `vf_shrinker_destroy`. Returns NULL with `*failure` set when it fails.
vf_shrinker *_Nullable vf_shrinker_create(uint32_t fourcc, uint32_t source_width,
                                          uint32_t source_height, uint32_t width, uint32_t height,
                                          vf_failure *failure);

/// Takes the next row of the source, from the top: `source_width` pixels without padding. Rows past
/// the last are ignored.
void vf_shrinker_add(vf_shrinker *shrinker, const uint8_t *row);

/// Takes the result out: area average, as `vf_image_scale` has it; black where rows are missing.
/// The caller releases it with `vf_image_free`.
vf_image vf_shrinker_take(vf_shrinker *shrinker);

/// Releases the shrinker, and its result where nobody took it. Accepts NULL.
void vf_shrinker_destroy(vf_shrinker *_Nullable shrinker);

/// A small grey picture, for programs that look at each frame: fills `width` × `height` bytes at
/// `pixels`, 0 to 255 (full range), each with the mean of up to 4 × 4 pixels spread over its part
/// of the image. Fails with `EINVAL` when it would be larger than the image.
int vf_image_luminance(uint8_t *pixels, uint32_t width, uint32_t height, const vf_image *image,
                       vf_failure *failure);

/// How often each value from 0 to 255 (full range) occurs: fills 4 × 256 `counts`, of luma, red,
/// green and blue in this order. Looks at up to 320 × 240 pixels, spread evenly, so that its time
/// is bounded whatever the size.
int vf_image_histogram(uint32_t *counts, const vf_image *image, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
