#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"
#include "layouts/layout.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>

static bool is_jpeg(uint32_t fourcc) {
  const vf_layout *layout = vf_layout_lookup(fourcc);
  return layout && layout->arrangement == VF_ARRANGEMENT_JPEG;
}

/// Rows of the first plane's stride that a raw frame in one buffer takes, times two. Unknown
/// layouts have at least their height.
static uint32_t double_rows(uint32_t fourcc, uint32_t height) {
  const vf_layout *layout = vf_layout_lookup(fourcc);
  if (!layout || layout->plane_count < 2 || layout->has_separate_planes)
    return 2 * height;
  return 2 * height + (4 * vf_subsampled(height, layout->chroma_shift_y) >> layout->chroma_shift_x);
}

/// Rows, times two, of a plane in a buffer of its own. Unknown chroma has at least half the height.
static uint32_t double_plane_rows(uint32_t fourcc, uint32_t plane, uint32_t height) {
  const vf_layout *layout = vf_layout_lookup(fourcc);
  uint32_t shift = layout && layout->has_separate_planes ? layout->chroma_shift_y : 1;
  return 2 * vf_subsampled(height, plane ? shift : 0);
}

/// Bytes that a whole plane has. The driver's own size is the most it can be: what lies between is
/// padding behind the picture.
static uint32_t whole(uint32_t double_rows, uint32_t stride, uint32_t size) {
  uint64_t bytes = (uint64_t)stride * double_rows / 2;
  return bytes && bytes < size ? (uint32_t)bytes : size;
}

/// The flags of a format in the driver's list, 0 where it isn't listed.
static uint32_t format_flags(vf_grabber *grabber, uint32_t fourcc) {
  for (uint32_t i = 0; i < 128; i += 1) {
    struct v4l2_fmtdesc item = {.index = i, .type = grabber->type};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_ENUM_FMT, &item) != 0)
      break;
    if (item.pixelformat == fourcc)
      return item.flags;
  }
  return 0;
}

static bool resolves_to_limited(uint32_t fourcc, uint32_t colour_space, uint32_t quantization) {
  if (quantization == V4L2_QUANTIZATION_DEFAULT) {
    // JPEG pictures are full range whatever colour space the driver reports with them.
    if (is_jpeg(fourcc))
      return false;
    const vf_layout *layout = vf_layout_lookup(fourcc);
    bool is_rgb = layout && layout->arrangement == VF_ARRANGEMENT_RGB;
    quantization = V4L2_MAP_QUANTIZATION_DEFAULT(is_rgb, colour_space, 0);
  }
  return quantization == V4L2_QUANTIZATION_LIM_RANGE;
}

/// Takes over what VIDIOC_G_FMT said.
static int read_format(vf_grabber *grabber, const struct v4l2_format *answer, vf_format *format,
                       vf_granted *granted, vf_failure *failure) {
  uint32_t colour_space, quantization;
  *granted = (vf_granted){.plane_count = 1};
  if (grabber->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    const struct v4l2_pix_format_mplane *pixels = &answer->fmt.pix_mp;
    if (!pixels->num_planes || pixels->num_planes > VF_MAX_PLANES) {
      return vf_fail(failure, ENOTSUP, "VIDIOC_G_FMT", "%u planes", pixels->num_planes);
    }
    granted->plane_count = pixels->num_planes;
    format->fourcc = pixels->pixelformat;
    format->width = pixels->width;
    format->height = pixels->height;
    format->stride = pixels->plane_fmt[0].bytesperline;
    uint64_t size = 0;
    for (uint32_t i = 0; i < granted->plane_count; i += 1) {
      granted->expected[i] =
          whole(granted->plane_count > 1 ? double_plane_rows(pixels->pixelformat, i, pixels->height)
                                         : double_rows(pixels->pixelformat, pixels->height),
                pixels->plane_fmt[i].bytesperline, pixels->plane_fmt[i].sizeimage);
      size += pixels->plane_fmt[i].sizeimage;
    }
    format->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    colour_space = pixels->colorspace;
    quantization = pixels->quantization;
  } else {
    const struct v4l2_pix_format *pixels = &answer->fmt.pix;
    format->fourcc = pixels->pixelformat;
    format->width = pixels->width;
    format->height = pixels->height;
    format->stride = pixels->bytesperline;
    format->size = pixels->sizeimage;
    granted->expected[0] = whole(double_rows(pixels->pixelformat, pixels->height),
                                 pixels->bytesperline, pixels->sizeimage);
    colour_space = pixels->colorspace;
    quantization = pixels->quantization;
  }
  if (!format->width || !format->height || format->height > UINT16_MAX) {
    return vf_fail(failure, EINVAL, "VIDIOC_G_FMT", "%u × %u", format->width, format->height);
  }
  uint32_t flags = format_flags(grabber, format->fourcc);
  granted->compressed = is_jpeg(format->fourcc) || (flags & V4L2_FMT_FLAG_COMPRESSED);
  granted->emulated = (flags & V4L2_FMT_FLAG_EMULATED) != 0;
  format->limited_range = resolves_to_limited(format->fourcc, colour_space, quantization);
  if (granted->compressed) {
    format->stride = 0;
    memset(granted->expected, 0, sizeof granted->expected);
  }
  return 0;
}

static int set_format(vf_grabber *grabber, const vf_format *wanted, vf_failure *failure) {
  struct v4l2_format request = {.type = grabber->type};
  struct v4l2_format current = {.type = grabber->type};
  // What the wish leaves open stays as it is.
  if ((!wanted->fourcc || !wanted->width || !wanted->height) &&
      vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_FMT, &current) != 0) {
    return vf_fail(failure, errno, "VIDIOC_G_FMT", NULL);
  }
  bool keeps_size = !wanted->width || !wanted->height;
  if (grabber->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    struct v4l2_pix_format_mplane *now = &current.fmt.pix_mp, *pixels = &request.fmt.pix_mp;
    pixels->pixelformat = wanted->fourcc ? wanted->fourcc : now->pixelformat;
    pixels->width = keeps_size ? now->width : wanted->width;
    pixels->height = keeps_size ? now->height : wanted->height;
    pixels->field = V4L2_FIELD_ANY;
  } else {
    struct v4l2_pix_format *now = &current.fmt.pix, *pixels = &request.fmt.pix;
    pixels->pixelformat = wanted->fourcc ? wanted->fourcc : now->pixelformat;
    pixels->width = keeps_size ? now->width : wanted->width;
    pixels->height = keeps_size ? now->height : wanted->height;
    pixels->field = V4L2_FIELD_ANY;
  }
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_S_FMT, &request) != 0) {
    return vf_fail(failure, errno, "VIDIOC_S_FMT", NULL);
  }
  return 0;
}

/// Sets the interval where the driver can, and reads back what it will be.
static int set_interval(vf_grabber *grabber, vf_interval wanted, vf_interval *granted,
                        vf_failure *failure) {
  *granted = (vf_interval){0, 0};
  struct v4l2_streamparm parameters = {.type = grabber->type};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_PARM, &parameters) != 0) {
    // Not every driver knows its rate: HDMI receivers get it with the signal.
    return errno == ENODEV ? vf_fail(failure, errno, "VIDIOC_G_PARM", NULL) : 0;
  }
  bool can_set = parameters.parm.capture.capability & V4L2_CAP_TIMEPERFRAME;
  if (can_set && wanted.numerator && wanted.denominator) {
    parameters = (struct v4l2_streamparm){.type = grabber->type};
    parameters.parm.capture.timeperframe =
        (struct v4l2_fract){wanted.numerator, wanted.denominator};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_S_PARM, &parameters) != 0 &&
        (errno == ENODEV || errno == EBUSY)) {
      return vf_fail(failure, errno, "VIDIOC_S_PARM", NULL);
    }
    parameters = (struct v4l2_streamparm){.type = grabber->type};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_PARM, &parameters) != 0) {
      return vf_fail(failure, errno, "VIDIOC_G_PARM", NULL);
    }
  }
  struct v4l2_fract time = parameters.parm.capture.timeperframe;
  if (time.numerator && time.denominator) {
    *granted = (vf_interval){time.numerator, time.denominator};
  }
  return 0;
}

int vf_grabber_negotiate(vf_grabber *grabber, vf_format *format, vf_granted *granted,
                         vf_failure *failure) {
  vf_follow_timings(grabber->system, grabber->fd);
  int result = set_format(grabber, format, failure);
  if (result != 0)
    return result;
  vf_interval interval;
  result = set_interval(grabber, format->interval, &interval, failure);
  if (result != 0)
    return result;
  // Read back only now: setting the interval may change the format.
  struct v4l2_format answer = {.type = grabber->type};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_FMT, &answer) != 0) {
    return vf_fail(failure, errno, "VIDIOC_G_FMT", NULL);
  }
  result = read_format(grabber, &answer, format, granted, failure);
  if (result != 0)
    return result;
  format->interval = interval;
  return 0;
}
