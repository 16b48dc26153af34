#include "simulate/machine/formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vf_layout.h"

typedef struct vf_sim_size {
  uint32_t width, height;
} vf_sim_size;

static const vf_sim_size sizes[] = {{320, 240},   {640, 480},   {800, 600},   {1280, 720},
                                    {1600, 1200}, {1920, 1080}, {2592, 1944}, {3840, 2160}};
#define SIZES (sizeof sizes / sizeof *sizes)

// Frames a second that a USB 2 camera could send, by size: raw formats by their bytes, Motion-JPEG
// as common cameras have it.
typedef struct known_format {
  uint32_t fourcc;
  const char *description;
  uint8_t fastest[SIZES];
} known_format;

static const known_format known[] = {
    {V4L2_PIX_FMT_YUYV, "YUYV 4:2:2", {60, 60, 30, 10, 5, 5, 2, 2}},
    {V4L2_PIX_FMT_MJPEG, "Motion-JPEG", {60, 60, 60, 60, 60, 60, 30, 30}},
    {V4L2_PIX_FMT_NV12, "Y/UV 4:2:0", {60, 60, 30, 15, 5, 10, 2, 2}},
    {V4L2_PIX_FMT_GREY, "8-bit Greyscale", {60, 60, 60, 30, 15, 15, 5, 5}},
};
#define FORMATS (sizeof known / sizeof *known)

static const uint8_t rates[] = {60, 30, 25, 20, 15, 10, 5, 2};

static const known_format *find_format(uint32_t fourcc) {
  for (size_t i = 0; i < FORMATS; i++)
    if (known[i].fourcc == fourcc)
      return &known[i];
  return NULL;
}

// Size number `index` of a format, or 0.
static int size_at(const vf_sim_formats *formats, const known_format *format, uint32_t index,
                   vf_sim_size *size) {
  const vf_sim_source_info *fixed = formats->fixed;
  if (fixed) {
    *size = (vf_sim_size){fixed->width, fixed->height};
    // Raw formats share chroma between pixels: an odd last column or row is left out.
    if (format->fourcc != V4L2_PIX_FMT_MJPEG)
      *size = (vf_sim_size){fixed->width & ~1u, fixed->height & ~1u};
    return index == 0;
  }
  if (formats->only_size) {
    *size = sizes[formats->only_size - 1];
    return index == 0;
  }
  if (index >= SIZES)
    return 0;
  *size = sizes[index];
  return 1;
}

// Interval number `index` of a format and size, or 0.
static int interval_at(const vf_sim_formats *formats, const known_format *format, uint32_t width,
                       uint32_t height, uint32_t index, uint32_t *numerator,
                       uint32_t *denominator) {
  if (formats->fixed) {
    *numerator = formats->fixed->numerator;
    *denominator = formats->fixed->denominator;
    return index == 0;
  }
  for (size_t i = 0; i < SIZES; i++) {
    if (sizes[i].width != width || sizes[i].height != height)
      continue;
    for (size_t rate = 0; rate < sizeof rates; rate++) {
      if (rates[rate] > format->fastest[i] || index-- > 0)
        continue;
      *numerator = 1;
      *denominator = rates[rate];
      return 1;
    }
  }
  return 0;
}

// Sets the interval nearest to what is asked.
static void adjust_interval(const vf_sim_formats *formats, vf_sim_format *format) {
  const known_format *row = find_format(format->fourcc);
  double wanted = format->numerator && format->denominator
                      ? (double)format->numerator / format->denominator
                      : 1.0 / 30;
  double best = 1e30;
  uint32_t numerator = 1, denominator = 30, n, d;
  for (uint32_t i = 0; interval_at(formats, row, format->width, format->height, i, &n, &d); i++) {
    double difference = (double)n / d - wanted;
    if (difference < 0)
      difference = -difference;
    if (difference >= best)
      continue;
    best = difference;
    numerator = n;
    denominator = d;
  }
  format->numerator = numerator;
  format->denominator = denominator;
}

// Sets the format nearest to what is asked.
static void adjust(const vf_sim_formats *formats, vf_sim_format *format) {
  const known_format *row = find_format(format->fourcc);
  if (!row)
    row = known;
  format->fourcc = row->fourcc;
  // As uvcvideo chooses: the size that overlaps best.
  uint64_t best = UINT64_MAX;
  vf_sim_size size, chosen = {0, 0};
  for (uint32_t i = 0; size_at(formats, row, i, &size); i++) {
    uint64_t both = (uint64_t)(size.width < format->width ? size.width : format->width) *
                    (size.height < format->height ? size.height : format->height);
    uint64_t distance =
        (uint64_t)size.width * size.height + (uint64_t)format->width * format->height - 2 * both;
    if (distance >= best)
      continue;
    best = distance;
    chosen = size;
  }
  format->width = chosen.width;
  format->height = chosen.height;
  const vf_layout *layout = vf_layout_find(row->fourcc);
  if (layout) {
    format->stride = chosen.width * layout->bytes_per_pixel;
    format->size = (uint32_t)vf_image_size(row->fourcc, chosen.width, chosen.height, 0);
  } else {
    // JPEGs take what they take.
    uint32_t least = 2 * chosen.width * chosen.height;
    format->stride = 0;
    format->size = least < 65536 ? 65536 : least;
    if (formats->fixed && format->size < formats->fixed->largest_jpeg)
      format->size = formats->fixed->largest_jpeg;
  }
  adjust_interval(formats, format);
}

void vf_sim_formats_reset(vf_sim_formats *formats) {
  formats->only_size = 0;
  formats->current = (vf_sim_format){
      .fourcc = V4L2_PIX_FMT_YUYV, .width = 640, .height = 480, .numerator = 1, .denominator = 30};
  adjust(formats, &formats->current);
}

void vf_sim_formats_change_source(vf_sim_formats *formats) {
  if (!formats->fixed) {
    uint32_t index = 0;
    while (index + 1 < SIZES && sizes[index].width != formats->current.width)
      index++;
    formats->only_size = 1 + (index > 0 ? index - 1 : 1);
  }
  adjust(formats, &formats->current);
}

int64_t vf_sim_formats_interval(const vf_sim_formats *formats) {
  const vf_sim_format *format = &formats->current;
  return (int64_t)format->numerator * 1000000000 / format->denominator;
}

static void show_format(const vf_sim_format *format, struct v4l2_pix_format *pixels) {
  *pixels = (struct v4l2_pix_format){
      .width = format->width,
      .height = format->height,
      .pixelformat = format->fourcc,
      .field = V4L2_FIELD_NONE,
      .bytesperline = format->stride,
      .sizeimage = format->size,
      // Full-range BT.601 with sRGB's primaries and curve, which is what JPEG means.
      .colorspace = V4L2_COLORSPACE_JPEG,
      .priv = V4L2_PIX_FMT_PRIV_MAGIC,
      .ycbcr_enc = V4L2_YCBCR_ENC_601,
      .quantization = V4L2_QUANTIZATION_FULL_RANGE,
      .xfer_func = V4L2_XFER_FUNC_SRGB,
  };
}

int vf_sim_formats_get(const vf_sim_formats *formats, struct v4l2_format *argument) {
  if (argument->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  memset(&argument->fmt, 0, sizeof argument->fmt);
  show_format(&formats->current, &argument->fmt.pix);
  return 0;
}

int vf_sim_formats_set(vf_sim_formats *formats, struct v4l2_format *argument, int applies,
                       int busy) {
  if (argument->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  if (applies && busy)
    return EBUSY;
  vf_sim_format format = formats->current;
  format.fourcc = argument->fmt.pix.pixelformat;
  format.width = argument->fmt.pix.width;
  format.height = argument->fmt.pix.height;
  adjust(formats, &format);
  show_format(&format, &argument->fmt.pix);
  if (applies)
    formats->current = format;
  return 0;
}

int vf_sim_formats_rate(vf_sim_formats *formats, struct v4l2_streamparm *argument, int applies,
                        int busy) {
  if (argument->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  vf_sim_format format = formats->current;
  if (applies) {
    if (busy)
      return EBUSY;
    format.numerator = argument->parm.capture.timeperframe.numerator;
    format.denominator = argument->parm.capture.timeperframe.denominator;
    adjust_interval(formats, &format);
    formats->current = format;
  }
  memset(&argument->parm, 0, sizeof argument->parm);
  argument->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
  argument->parm.capture.timeperframe = (struct v4l2_fract){format.numerator, format.denominator};
  return 0;
}

int vf_sim_formats_list(const vf_sim_formats *formats, unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_ENUM_FMT: {
    struct v4l2_fmtdesc *row = argument;
    uint32_t index = row->index;
    if (row->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || index >= FORMATS)
      return EINVAL;
    *row = (struct v4l2_fmtdesc){
        .index = index,
        .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
        .pixelformat = known[index].fourcc,
        .flags = known[index].fourcc == V4L2_PIX_FMT_MJPEG ? V4L2_FMT_FLAG_COMPRESSED : 0u};
    snprintf((char *)row->description, sizeof row->description, "%s", known[index].description);
    return 0;
  }
  case VIDIOC_ENUM_FRAMESIZES: {
    struct v4l2_frmsizeenum *row = argument;
    const known_format *format = find_format(row->pixel_format);
    vf_sim_size size;
    if (!format || !size_at(formats, format, row->index, &size))
      return EINVAL;
    row->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    row->discrete = (struct v4l2_frmsize_discrete){size.width, size.height};
    memset(row->reserved, 0, sizeof row->reserved);
    return 0;
  }
  case VIDIOC_ENUM_FRAMEINTERVALS: {
    struct v4l2_frmivalenum *row = argument;
    const known_format *format = find_format(row->pixel_format);
    if (!format)
      return EINVAL;
    vf_sim_size size;
    uint32_t index = 0;
    while (size_at(formats, format, index, &size) &&
           (size.width != row->width || size.height != row->height))
      index++;
    if (!size_at(formats, format, index, &size))
      return EINVAL;
    struct v4l2_fract interval;
    if (!interval_at(formats, format, row->width, row->height, row->index, &interval.numerator,
                     &interval.denominator))
      return EINVAL;
    row->type = V4L2_FRMIVAL_TYPE_DISCRETE;
    row->discrete = interval;
    memset(row->reserved, 0, sizeof row->reserved);
    return 0;
  }
  default:
    return ENOTTY;
  }
}
