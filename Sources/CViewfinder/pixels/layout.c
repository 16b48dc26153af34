#include "pixels/layout.h"

static const vf_layout_detail details[] = {
    {{VF_YUYV, "YUYV", 1, 2, 1, 0}, VF_ARRANGEMENT_PACKED, {0, 1, 2, 3}, false},
    {{VF_UYVY, "UYVY", 1, 2, 1, 0}, VF_ARRANGEMENT_PACKED, {1, 0, 3, 2}, false},
    {{VF_RGB24, "RGB24", 1, 3, 0, 0}, VF_ARRANGEMENT_RGB, {0, 1, 2, 0}, false},
    {{VF_BGR24, "BGR24", 1, 3, 0, 0}, VF_ARRANGEMENT_RGB, {2, 1, 0, 0}, false},
    {{VF_RGBX32, "RGBX32", 1, 4, 0, 0}, VF_ARRANGEMENT_RGB, {0, 1, 2, 3}, false},
    {{VF_RGBA32, "RGBA32", 1, 4, 0, 0}, VF_ARRANGEMENT_RGB, {0, 1, 2, 3}, true},
    {{VF_BGRX32, "BGRX32", 1, 4, 0, 0}, VF_ARRANGEMENT_RGB, {2, 1, 0, 3}, false},
    {{VF_BGRA32, "BGRA32", 1, 4, 0, 0}, VF_ARRANGEMENT_RGB, {2, 1, 0, 3}, true},
    {{VF_GREY, "GREY", 1, 1, 0, 0}, VF_ARRANGEMENT_GREY, {0}, false},
    {{VF_NV12, "NV12", 2, 1, 1, 1}, VF_ARRANGEMENT_SEMIPLANAR, {0, 1}, false},
    {{VF_NV21, "NV21", 2, 1, 1, 1}, VF_ARRANGEMENT_SEMIPLANAR, {1, 0}, false},
    {{VF_I420, "I420", 3, 1, 1, 1}, VF_ARRANGEMENT_PLANAR, {0, 1, 2}, false},
    {{VF_YV12, "YV12", 3, 1, 1, 1}, VF_ARRANGEMENT_PLANAR, {0, 2, 1}, false},
    {{VF_I422, "I422", 3, 1, 1, 0}, VF_ARRANGEMENT_PLANAR, {0, 1, 2}, false},
    {{VF_I440, "I440", 3, 1, 0, 1}, VF_ARRANGEMENT_PLANAR, {0, 1, 2}, false},
    {{VF_I411, "I411", 3, 1, 2, 0}, VF_ARRANGEMENT_PLANAR, {0, 1, 2}, false},
    {{VF_I444, "I444", 3, 1, 0, 0}, VF_ARRANGEMENT_PLANAR, {0, 1, 2}, false},
};

static const size_t detail_count = sizeof details / sizeof details[0];

const vf_layout_detail *vf_layout_detail_find(uint32_t fourcc) {
  for (size_t i = 0; i < detail_count; i++) {
    if (details[i].layout.fourcc == fourcc)
      return &details[i];
  }
  return NULL;
}

const vf_layout *vf_layout_find(uint32_t fourcc) {
  const vf_layout_detail *detail = vf_layout_detail_find(fourcc);
  return detail ? &detail->layout : NULL;
}

uint32_t vf_layout_subsampled(uint32_t shift_x, uint32_t shift_y) {
  static const uint32_t fourccs[3][2] = {{VF_I444, VF_I440}, {VF_I422, VF_I420}, {VF_I411, 0}};
  return shift_x < 3 && shift_y < 2 ? fourccs[shift_x][shift_y] : 0;
}

uint32_t vf_layout_planar(const vf_layout_detail *detail) {
  if (detail->arrangement == VF_ARRANGEMENT_GREY)
    return VF_GREY;
  return vf_layout_subsampled(detail->layout.chroma_shift_x, detail->layout.chroma_shift_y);
}

void vf_layout_plane_size(const vf_layout_detail *detail, uint32_t width, uint32_t height,
                          uint32_t plane, size_t *row_bytes, size_t *rows) {
  const vf_layout *layout = &detail->layout;
  if (plane == 0) {
    // A packed row holds whole pairs, also when the last pixel has no partner.
    bool pairs = detail->arrangement == VF_ARRANGEMENT_PACKED;
    *row_bytes = (size_t)(pairs ? (width + 1) & ~1u : width) * layout->bytes_per_pixel;
    *rows = height;
  } else {
    size_t bytes = detail->arrangement == VF_ARRANGEMENT_SEMIPLANAR ? 2 : 1;
    *row_bytes = vf_subsampled(width, layout->chroma_shift_x) * bytes;
    *rows = vf_subsampled(height, layout->chroma_shift_y);
  }
}
