#ifndef VF_CORE_LAYOUT_H
#define VF_CORE_LAYOUT_H

#include <stdbool.h>

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// The widest and highest image, in pixels: what baseline JPEG holds.
#define VF_SIZE_LIMIT 65500u

/// How the samples of a layout are arranged.
typedef enum vf_arrangement {
  VF_ARRANGEMENT_GREY,
  VF_ARRANGEMENT_PACKED, ///< Pixel pairs that share chroma.
  VF_ARRANGEMENT_RGB,
  VF_ARRANGEMENT_SEMIPLANAR,
  VF_ARRANGEMENT_PLANAR,
} vf_arrangement;

/// A layout as the conversions need it.
typedef struct vf_layout_detail {
  vf_layout layout;
  vf_arrangement arrangement;
  /// The place of each byte in its group: Y0, Cb, Y1, Cr when packed; red, green, blue, alpha or
  /// filler in RGB; Cb, Cr when semi-planar; and when planar the place in memory of Y, Cb, Cr.
  uint8_t places[4];
  /// Whether the fourth byte of RGB is coverage.
  bool has_alpha;
} vf_layout_detail;

/// The detail of the layout with this code, or NULL.
const vf_layout_detail *_Nullable vf_layout_detail_find(uint32_t fourcc);

/// The planar layout that keeps the chroma of `detail`'s.
uint32_t vf_layout_planar(const vf_layout_detail *detail);

/// The planar layout with this subsampling, or 0 when there is none.
uint32_t vf_layout_subsampled(uint32_t shift_x, uint32_t shift_y);

/// `size` over 2 to the `shift`, rounded up: how many chroma samples cover `size` pixels.
static inline uint32_t vf_subsampled(uint32_t size, uint32_t shift) {
  return (size + (1u << shift) - 1) >> shift;
}

/// The rows of a plane, and the bytes of one that carry samples.
void vf_layout_plane_size(const vf_layout_detail *detail, uint32_t width, uint32_t height,
                          uint32_t plane, size_t *row_bytes, size_t *rows);

#pragma clang assume_nonnull end

#endif
