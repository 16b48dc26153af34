#ifndef VF_LAYOUT_H
#define VF_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Pixel layouts, by the code that V4L2 gives them (`V4L2_PIX_FMT_…`, a little-endian fourcc).
///
/// Packed, one plane.
#define VF_YUYV 0x56595559u   ///< 4:2:2, bytes Y0 Cb Y1 Cr.
#define VF_UYVY 0x59565955u   ///< 4:2:2, bytes Cb Y0 Cr Y1.
#define VF_RGB24 0x33424752u  ///< Bytes R G B.
#define VF_BGR24 0x33524742u  ///< Bytes B G R.
#define VF_RGBX32 0x34324258u ///< Bytes R G B X (`V4L2_PIX_FMT_RGBX32`, 'XB24').
#define VF_RGBA32 0x34324241u ///< Bytes R G B A (`V4L2_PIX_FMT_RGBA32`, 'AB24').
#define VF_BGRX32 0x34325258u ///< Bytes B G R X (`V4L2_PIX_FMT_XBGR32`, 'XR24').
#define VF_BGRA32 0x34325241u ///< Bytes B G R A (`V4L2_PIX_FMT_ABGR32`, 'AR24').
#define VF_GREY 0x59455247u   ///< Y alone.
/// Semi-planar: a Y plane, then one plane of interleaved chroma at half width and height.
#define VF_NV12 0x3231564eu ///< Chroma bytes Cb Cr.
#define VF_NV21 0x3132564eu ///< Chroma bytes Cr Cb.
/// Planar: Y, Cb, Cr (`VF_YV12` stores Cr before Cb in memory; its `planes` are still Y, Cb, Cr).
#define VF_I420 0x32315559u ///< Chroma at half width and half height ('YU12').
#define VF_YV12 0x32315659u ///< As `VF_I420`, Cr first in memory.
#define VF_I422 0x50323234u ///< Chroma at half width ('422P').
#define VF_I440 0x50303434u ///< Chroma at half height ('440P'; ours, V4L2 has none).
#define VF_I411 0x50313134u ///< Chroma at a quarter of the width ('411P').
#define VF_I444 0x50343434u ///< Chroma at full size ('444P'; ours).
/// Compressed: no planes, a frame is a JPEG picture.
#define VF_MJPEG 0x47504a4du ///< Motion-JPEG.
#define VF_JPEG 0x4745504au  ///< JFIF JPEG.

/// How the samples of a layout are arranged.
typedef enum vf_arrangement {
  VF_ARRANGEMENT_GREY,
  VF_ARRANGEMENT_PACKED, ///< Pixel pairs that share chroma.
  VF_ARRANGEMENT_RGB,
  VF_ARRANGEMENT_SEMIPLANAR,
  VF_ARRANGEMENT_PLANAR,
  VF_ARRANGEMENT_JPEG, ///< No samples: frames are JPEG pictures.
} vf_arrangement;

/// What frames of a pixel format look like in memory.
typedef struct vf_layout {
  uint32_t fourcc;
  /// A short name, such as "YUYV". Static storage.
  const char *name;
  vf_arrangement arrangement;
  /// How many planes: 1, 2 or 3; 0 for JPEG.
  uint32_t plane_count;
  /// Bytes per pixel of the first plane (2 for YUYV, 3 for RGB24); 0 for JPEG.
  uint32_t bytes_per_pixel;
  /// log2 of the chroma subsampling across and down (YUYV 1, 0; I420 1, 1; I411 2, 0). Zero for RGB
  /// and grey.
  uint32_t chroma_shift_x, chroma_shift_y;
  /// 1 when the fourth byte of RGB is coverage.
  uint8_t has_alpha;
  /// 1 when planes come in buffers of their own (V4L2's names that end in M).
  uint8_t has_separate_planes;
  /// 1 when Viewfinder reads it. Of the others it knows the geometry alone.
  uint8_t is_readable;
} vf_layout;

/// The uncompressed layout with this code, or NULL when it is compressed, or none that is read.
const vf_layout *_Nullable vf_layout_find(uint32_t fourcc);

/// Row `index` of the table of all layouts; NULL past the last.
///
/// Those that are read come first, in the order of preference where several cost the same to read:
/// what encodes without resampling, what needs its colours converted, what is compressed, and what
/// has no colour.
const vf_layout *_Nullable vf_layout_at(size_t index);

/// A code's row in the table of all layouts, also of those that aren't read; NULL when it has none.
const vf_layout *_Nullable vf_layout_lookup(uint32_t fourcc);

/// The number of a code's row: the smaller, the better. -1 when frames of it can't be read.
int vf_layout_rank(uint32_t fourcc);

/// Bits that a pixel takes on average; for JPEG, a common camera's.
uint32_t vf_layout_bits_per_pixel(const vf_layout *layout);

/// Bytes that an image takes with `stride` bytes per row of its first plane, as V4L2 lays it out in
/// one buffer (chroma rows of planar layouts take a share of `stride`; chroma sizes round up).
/// `stride` 0 stands for the least. Returns 0 when the layout is unknown, the size is out of range
/// or `stride` is too small.
size_t vf_image_size(uint32_t fourcc, uint32_t width, uint32_t height, size_t stride);

#pragma clang assume_nonnull end

#endif
