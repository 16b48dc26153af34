#include "layouts/layout.h"

bool vf_size_is_possible(uint32_t width, uint32_t height) {
  return width >= 1 && width <= VF_SIZE_LIMIT && height >= 1 && height <= VF_SIZE_LIMIT;
}

uint32_t vf_layout_bits_per_pixel(const vf_layout *layout) {
  if (layout->arrangement == VF_ARRANGEMENT_JPEG)
    return 4;
  uint32_t bits = 8 * layout->bytes_per_pixel;
  if (layout->plane_count > 1)
    bits += 16 >> (layout->chroma_shift_x + layout->chroma_shift_y);
  return bits;
}

void vf_layout_plane_size(const vf_layout_detail *detail, uint32_t width, uint32_t height,
                          uint32_t plane, size_t *row_bytes, size_t *rows) {
  const vf_layout *layout = &detail->layout;
  if (plane == 0) {
    // A packed row holds whole pairs, also when the last pixel has no partner.
    bool pairs = layout->arrangement == VF_ARRANGEMENT_PACKED;
    *row_bytes = (size_t)(pairs ? (width + 1) & ~1u : width) * layout->bytes_per_pixel;
    *rows = height;
  } else {
    size_t bytes = layout->arrangement == VF_ARRANGEMENT_SEMIPLANAR ? 2 : 1;
    *row_bytes = vf_subsampled(width, layout->chroma_shift_x) * bytes;
    *rows = vf_subsampled(height, layout->chroma_shift_y);
  }
}

/// The stride of a plane in a buffer that V4L2 laid out, as the kernel computes it.
static size_t plane_stride(const vf_layout *layout, size_t stride, uint32_t plane) {
  if (plane == 0)
    return stride;
  size_t ratio = (size_t)1 << layout->chroma_shift_x;
  size_t share = stride / ratio + (stride % ratio != 0);
  return layout->arrangement == VF_ARRANGEMENT_SEMIPLANAR ? 2 * share : share;
}

/// The least stride of the first plane, or `stride` when it is large enough; else 0.
static size_t settle_stride(const vf_layout_detail *detail, uint32_t width, size_t stride) {
  size_t least, rows;
  vf_layout_plane_size(detail, width, 1, 0, &least, &rows);
  if (stride == 0)
    return least;
  // Half of the address space is more than any buffer, and leaves room to round up.
  return stride >= least && stride <= SIZE_MAX / 2 ? stride : 0;
}

bool vf_layout_place(const vf_layout_detail *detail, uint32_t width, uint32_t height, size_t stride,
                     vf_placement *placement) {
  *placement = (vf_placement){0};
  stride = settle_stride(detail, width, stride);
  if (!stride)
    return false;
  size_t total = 0;
  for (uint32_t place = 0; place < detail->layout.plane_count; place++) {
    bool planar = detail->layout.arrangement == VF_ARRANGEMENT_PLANAR;
    // The permutations are their own inverses, so `places` tells which plane is at a place.
    uint32_t plane = planar ? detail->places[place] : place;
    size_t row_bytes, rows, bytes;
    vf_layout_plane_size(detail, width, height, plane, &row_bytes, &rows);
    placement->offsets[plane] = total;
    placement->strides[plane] = plane_stride(&detail->layout, stride, plane);
    if (__builtin_mul_overflow(placement->strides[plane], rows, &bytes))
      return false;
    if (__builtin_add_overflow(total, bytes, &total))
      return false;
  }
  placement->size = total;
  return true;
}

size_t vf_image_size(uint32_t fourcc, uint32_t width, uint32_t height, size_t stride) {
  const vf_layout_detail *detail = vf_layout_detail_find(fourcc);
  vf_placement placement;
  if (!detail || !vf_size_is_possible(width, height) ||
      !vf_layout_place(detail, width, height, stride, &placement))
    return 0;
  return placement.size;
}
