#include "vf_outline.h"

vf_point vf_orient_point(vf_point point, uint32_t width, uint32_t height, uint32_t orientation) {
  double x = point.x, y = point.y, mirrored_x = width - x, mirrored_y = height - y;
  switch (orientation) {
  case 2:
    return (vf_point){mirrored_x, y};
  case 3:
    return (vf_point){mirrored_x, mirrored_y};
  case 4:
    return (vf_point){x, mirrored_y};
  case 5:
    return (vf_point){y, x};
  case 6:
    return (vf_point){mirrored_y, x};
  case 7:
    return (vf_point){mirrored_y, mirrored_x};
  case 8:
    return (vf_point){y, mirrored_x};
  default:
    return point;
  }
}

vf_rectangle vf_stored_rectangle(vf_rectangle upright, uint32_t width, uint32_t height,
                                 uint32_t orientation) {
  uint32_t x = upright.x, y = upright.y, w = upright.width, h = upright.height;
  switch (orientation) {
  case 2:
    return (vf_rectangle){width - x - w, y, w, h};
  case 3:
    return (vf_rectangle){width - x - w, height - y - h, w, h};
  case 4:
    return (vf_rectangle){x, height - y - h, w, h};
  case 5:
    return (vf_rectangle){y, x, h, w};
  case 6:
    return (vf_rectangle){y, height - x - w, h, w};
  case 7:
    return (vf_rectangle){width - y - h, height - x - w, h, w};
  case 8:
    return (vf_rectangle){width - y - h, x, h, w};
  default:
    return upright;
  }
}
