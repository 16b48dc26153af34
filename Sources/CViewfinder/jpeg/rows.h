#ifndef VF_JPEG_ROWS_H
#define VF_JPEG_ROWS_H

#include "vf_image.h"
#include "vf_kernels.h"

#pragma clang assume_nonnull begin

enum { VF_MAXIMUM_MCU_ROWS = 16 };

/// Turns an image into the rows of its components, one MCU row at a time.
///
/// Rows that need no change are pointers into the image. Others go through a strip of memory small
/// enough to stay in the processor's cache.
typedef struct vf_rows {
  const vf_image *image;
  const vf_layout *layout;
  const vf_kernels *kernels;
  /// 1 (grey) or 3.
  unsigned components;
  /// How coarse the picture's chroma is across (log2).
  unsigned shift_x;
  /// Rows of luma and of chroma in an MCU row.
  unsigned luma_rows, chroma_rows;
  /// Samples of a row, and the same rounded up to whole blocks, of luma and of chroma.
  size_t luma_width, luma_blocks, chroma_width, chroma_blocks;
  /// Rows of chroma in the image.
  size_t chroma_height;
  /// Whether two rows of the image's chroma make one of the picture's.
  uint8_t halves_chroma;
  /// Memory for rows that are made.
  uint8_t *luma_strip, *_Nonnull chroma_strip[2], *_Nonnull spare[4];
  /// The rows of the current MCU row: their first blocks begin with their first samples.
  uint8_t *_Nonnull row[3][VF_MAXIMUM_MCU_ROWS];
} vf_rows;

/// Whether rows of this layout can become a picture with this chroma subsampling (log2 across and
/// down): the same across, the same or half as many down. Grey always can.
int vf_rows_can(const vf_layout *layout, unsigned shift_x, unsigned shift_y);

/// Bytes of memory that `vf_rows_begin` needs for images of this width.
size_t vf_rows_memory(uint32_t width);

/// Prepares rows of `image`, which must be one that `vf_rows_can` do.
void vf_rows_begin(vf_rows *rows, const vf_image *image, const vf_layout *layout, unsigned shift_x,
                   unsigned shift_y, uint8_t *memory);

/// Blocks of luma across an MCU.
static inline unsigned vf_rows_luma_across(const vf_rows *rows) { return 1u << rows->shift_x; }

/// Makes the MCU row whose first luma row is `y`. Past the right and lower edge the last samples
/// repeat.
void vf_rows_fill(vf_rows *rows, size_t y);

#pragma clang assume_nonnull end

#endif
