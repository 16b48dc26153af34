#ifndef VF_CORE_LAYOUT_H
#define VF_CORE_LAYOUT_H

#include <stdbool.h>

#include "vf_layout.h"

#pragma clang assume_nonnull begin

// The one table of pixel layouts, and where their samples lie. A leaf: it includes nothing of the
// core's other rooms, so that all of them may use it.

/// The widest and highest image, in pixels: what baseline JPEG holds.
#define VF_SIZE_LIMIT 65500u

/// A layout as the conversions need it.
typedef struct vf_layout_detail {
  vf_layout layout;
  /// The place of each byte in its group: Y0, Cb, Y1, Cr when packed; red, green, blue, alpha or
  /// filler in RGB; Cb, Cr when semi-planar; and when planar the place in memory of Y, Cb, Cr.
  uint8_t places[4];
} vf_layout_detail;

/// The detail of the uncompressed layout with this code, or NULL where `vf_layout_find` says so.
const vf_layout_detail *_Nullable vf_layout_detail_find(uint32_t fourcc);

/// The planar layout that keeps the chroma of `detail`'s.
uint32_t vf_layout_planar(const vf_layout_detail *detail);

/// The planar layout with this subsampling, or 0 when there is none.
uint32_t vf_layout_subsampled(uint32_t shift_x, uint32_t shift_y);

/// `size` over 2 to the `shift`, rounded up: how many chroma samples cover `size` pixels.
static inline uint32_t vf_subsampled(uint32_t size, uint32_t shift) {
  return (size + (1u << shift) - 1) >> shift;
}

// MARK: Geometry

/// Whether images of this size exist.
bool vf_size_is_possible(uint32_t width, uint32_t height);

/// The rows of a plane, and the bytes of one that carry samples.
void vf_layout_plane_size(const vf_layout_detail *detail, uint32_t width, uint32_t height,
                          uint32_t plane, size_t *row_bytes, size_t *rows);

/// Where the planes begin in one buffer that V4L2 laid out, and their strides.
typedef struct vf_placement {
  size_t offsets[3], strides[3];
  /// Bytes of all.
  size_t size;
} vf_placement;

/// Places planes whose first has rows `stride` bytes apart; 0 stands for the least. False when
/// `stride` is too small, or the size overflows.
bool vf_layout_place(const vf_layout_detail *detail, uint32_t width, uint32_t height, size_t stride,
                     vf_placement *placement);

#pragma clang assume_nonnull end

#endif
