#include "layouts/layout.h"

// V4L2's codes of layouts that aren't read, as <linux/videodev2.h> spells them.
#define CODE(a, b, c, d)                                                                           \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define PACKED VF_ARRANGEMENT_PACKED, 1, 2, 1, 0, .is_readable = 1
#define SEMIPLANAR VF_ARRANGEMENT_SEMIPLANAR, 2, 1, 1, 1, .is_readable = 1
#define PLANAR(shift_x, shift_y) VF_ARRANGEMENT_PLANAR, 3, 1, shift_x, shift_y, .is_readable = 1
#define RGB(bytes) VF_ARRANGEMENT_RGB, 1, bytes, 0, 0, .is_readable = 1
#define JPEG VF_ARRANGEMENT_JPEG, 0, 0, 0, 0, .is_readable = 1
#define UNREAD(arrangement, planes, bytes, shift_x)                                                \
  VF_ARRANGEMENT_##arrangement, planes, bytes, shift_x, 0, .is_readable = 0

// What costs the same to read comes in the order of preference.
static const vf_layout_detail table[] = {
    // Encodes without resampling.
    {{VF_YUYV, "YUYV", PACKED}, {0, 1, 2, 3}},
    {{VF_UYVY, "UYVY", PACKED}, {1, 0, 3, 2}},
    {{VF_I422, "I422", PLANAR(1, 0)}, {0, 1, 2}},
    {{VF_NV12, "NV12", SEMIPLANAR}, {0, 1}},
    {{VF_NV21, "NV21", SEMIPLANAR}, {1, 0}},
    {{VF_I420, "I420", PLANAR(1, 1)}, {0, 1, 2}},
    {{VF_YV12, "YV12", PLANAR(1, 1)}, {0, 2, 1}},
    {{VF_I444, "I444", PLANAR(0, 0)}, {0, 1, 2}},
    {{VF_I440, "I440", PLANAR(0, 1)}, {0, 1, 2}},
    {{VF_I411, "I411", PLANAR(2, 0)}, {0, 1, 2}},
    // Needs its colours converted.
    {{VF_RGB24, "RGB24", RGB(3)}, {0, 1, 2}},
    {{VF_BGR24, "BGR24", RGB(3)}, {2, 1, 0}},
    {{VF_BGRX32, "BGRX32", RGB(4)}, {2, 1, 0, 3}},
    {{VF_RGBX32, "RGBX32", RGB(4)}, {0, 1, 2, 3}},
    {{VF_BGRA32, "BGRA32", RGB(4), .has_alpha = 1}, {2, 1, 0, 3}},
    {{VF_RGBA32, "RGBA32", RGB(4), .has_alpha = 1}, {0, 1, 2, 3}},
    // Is compressed.
    {{VF_MJPEG, "MJPEG", JPEG}, {0}},
    {{VF_JPEG, "JPEG", JPEG}, {0}},
    // Has no colour.
    {{VF_GREY, "GREY", VF_ARRANGEMENT_GREY, 1, 1, 0, 0, .is_readable = 1}, {0}},

    // Known by their geometry and colours alone: a driver may grant them to who asks. RGB by the
    // order of its bytes.
    {{CODE('N', 'V', '1', '6'), "NV16", UNREAD(SEMIPLANAR, 2, 1, 1)}, {0, 1}},
    {{CODE('N', 'M', '1', '6'), "NV16M", UNREAD(SEMIPLANAR, 2, 1, 1), .has_separate_planes = 1},
     {0, 1}},
    {{CODE('Y', 'M', '1', '6'), "YUV422M", UNREAD(PLANAR, 3, 1, 1), .has_separate_planes = 1},
     {0, 1, 2}},
    {{CODE('B', 'X', '2', '4'), "XRGB32", UNREAD(RGB, 1, 4, 0)}, {1, 2, 3, 0}},
    {{CODE('B', 'A', '2', '4'), "ARGB32", UNREAD(RGB, 1, 4, 0)}, {1, 2, 3, 0}},
    {{CODE('R', 'X', '2', '4'), "XBGR32", UNREAD(RGB, 1, 4, 0)}, {3, 2, 1, 0}},
    {{CODE('R', 'A', '2', '4'), "ABGR32", UNREAD(RGB, 1, 4, 0)}, {3, 2, 1, 0}},
    {{CODE('R', 'G', 'B', '4'), "RGB4", UNREAD(RGB, 1, 4, 0)}, {1, 2, 3, 0}},
    {{CODE('B', 'G', 'R', '4'), "BGR4", UNREAD(RGB, 1, 4, 0)}, {2, 1, 0, 3}},
    {{CODE('R', 'G', 'B', 'P'), "RGB565", UNREAD(RGB, 1, 2, 0)}, {0}},
    {{CODE('R', 'G', 'B', 'R'), "RGB565X", UNREAD(RGB, 1, 2, 0)}, {0}},
    {{CODE('R', 'G', 'B', 'O'), "RGB555", UNREAD(RGB, 1, 2, 0)}, {0}},
};

static const size_t count = sizeof table / sizeof *table;

static const vf_layout_detail *look_up(uint32_t fourcc) {
  for (size_t i = 0; i < count; i++) {
    if (table[i].layout.fourcc == fourcc)
      return &table[i];
  }
  return NULL;
}

const vf_layout_detail *vf_layout_detail_find(uint32_t fourcc) {
  const vf_layout_detail *detail = look_up(fourcc);
  bool has_samples = detail && detail->layout.arrangement != VF_ARRANGEMENT_JPEG;
  return has_samples && detail->layout.is_readable ? detail : NULL;
}

const vf_layout *vf_layout_find(uint32_t fourcc) {
  const vf_layout_detail *detail = vf_layout_detail_find(fourcc);
  return detail ? &detail->layout : NULL;
}

const vf_layout *vf_layout_at(size_t index) { return index < count ? &table[index].layout : NULL; }

const vf_layout *vf_layout_lookup(uint32_t fourcc) {
  const vf_layout_detail *detail = look_up(fourcc);
  return detail ? &detail->layout : NULL;
}

int vf_layout_rank(uint32_t fourcc) {
  const vf_layout_detail *detail = look_up(fourcc);
  return detail && detail->layout.is_readable ? (int)(detail - table) : -1;
}

uint32_t vf_layout_subsampled(uint32_t shift_x, uint32_t shift_y) {
  static const uint32_t fourccs[3][2] = {{VF_I444, VF_I440}, {VF_I422, VF_I420}, {VF_I411, 0}};
  return shift_x < 3 && shift_y < 2 ? fourccs[shift_x][shift_y] : 0;
}

uint32_t vf_layout_planar(const vf_layout_detail *detail) {
  if (detail->layout.arrangement == VF_ARRANGEMENT_GREY)
    return VF_GREY;
  return vf_layout_subsampled(detail->layout.chroma_shift_x, detail->layout.chroma_shift_y);
}
