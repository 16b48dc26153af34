#include "driver.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <time.h>

/// What a receiver measures of its source.
static struct v4l2_dv_timings timings(void) {
  struct v4l2_dv_timings timings = {.type = V4L2_DV_BT_656_1120};
  timings.bt.width = 1920;
  timings.bt.height = 1080;
  timings.bt.pixelclock = 148500000;
  return timings;
}

static uint32_t frame_size(const driver *driver) { return driver->width * driver->height * 2; }

static void describe_format(const driver *driver, struct v4l2_format *format) {
  if (driver->is_multiplanar) {
    format->fmt.pix_mp = (struct v4l2_pix_format_mplane){.width = driver->width,
                                                         .height = driver->height,
                                                         .pixelformat = driver->fourcc,
                                                         .num_planes = 1};
    format->fmt.pix_mp.plane_fmt[0].sizeimage = frame_size(driver);
    format->fmt.pix_mp.plane_fmt[0].bytesperline = driver->width * 2;
  } else {
    format->fmt.pix = (struct v4l2_pix_format){.width = driver->width,
                                               .height = driver->height,
                                               .pixelformat = driver->fourcc,
                                               .bytesperline = driver->width * 2,
                                               .sizeimage = frame_size(driver)};
  }
}

static int enumerate_sizes(struct v4l2_frmsizeenum *size) {
  if (size->pixel_format == VF_NV12) {
    size->type = V4L2_FRMSIZE_TYPE_STEPWISE;
    size->stepwise = (struct v4l2_frmsize_stepwise){16, 4096, 8, 8, 2304, 8};
    return size->index ? EINVAL : 0;
  }
  size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
  size->discrete = (struct v4l2_frmsize_discrete){16u << size->index % 4, 8u << size->index % 4};
  return size->index > 2 ? EINVAL : 0;
}

static int enumerate_intervals(struct v4l2_frmivalenum *interval) {
  if (interval->pixel_format == VF_NV12) {
    interval->type = V4L2_FRMIVAL_TYPE_STEPWISE;
    interval->stepwise = (struct v4l2_frmival_stepwise){{1, 120}, {1, 1}, {1, 120}};
    return interval->index ? EINVAL : 0;
  }
  interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
  interval->discrete = (struct v4l2_fract){1, 60 >> interval->index % 4};
  return interval->index > 2 ? EINVAL : 0;
}

static const struct v4l2_query_ext_ctrl controls[] = {
    {.id = V4L2_CID_BRIGHTNESS, .type = V4L2_CTRL_TYPE_INTEGER, .maximum = 255, .step = 1},
    {.id = V4L2_CID_POWER_LINE_FREQUENCY, .type = V4L2_CTRL_TYPE_MENU, .maximum = 3, .step = 1},
    {.id = V4L2_CID_CAMERA_CLASS_BASE + 20, .type = V4L2_CTRL_TYPE_INTEGER64, .maximum = 1000},
    {.id = V4L2_CID_CAMERA_CLASS_BASE + 21, .type = V4L2_CTRL_TYPE_INTEGER_MENU, .maximum = 3},
    {.id = V4L2_CID_CAMERA_CLASS_BASE + 22, .type = V4L2_CTRL_TYPE_STRING, .maximum = 20},
};

static int query_control(struct v4l2_query_ext_ctrl *query) {
  uint32_t id = query->id & 0x0fffffff;
  bool next = id != query->id;
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
    if (next ? controls[i].id <= id : controls[i].id != id)
      continue;
    *query = controls[i];
    snprintf(query->name, sizeof query->name, "Control %zu", i);
    return 0;
  }
  return EINVAL;
}

/// The planes of a buffer that the core described, or what stands for them.
static struct v4l2_plane *planes_of(const driver *driver, const struct v4l2_buffer *buffer) {
  return driver->is_multiplanar && buffer->length ? buffer->m.planes : NULL;
}

static int query_buffer(const driver *driver, struct v4l2_buffer *buffer) {
  struct v4l2_plane *planes = planes_of(driver, buffer);
  if (buffer->index >= driver->buffer_count)
    return EINVAL;
  for (uint32_t i = 0; planes && i < buffer->length; i++) {
    planes[i].length = frame_size(driver);
    planes[i].m.mem_offset = buffer->index << 16 | i << 8;
  }
  if (!driver->is_multiplanar) {
    buffer->length = frame_size(driver);
    buffer->m.offset = buffer->index << 16;
  }
  return 0;
}

static int queue_buffer(driver *driver, const struct v4l2_buffer *buffer) {
  REQUIRE(buffer->index < 32);
  // After a lie at dequeuing we and the core don't agree on what is queued.
  if (driver->queue >> buffer->index & 1)
    return EINVAL;
  driver->queue |= (uint64_t)1 << buffer->index;
  return 0;
}

static int dequeue_buffer(driver *driver, struct v4l2_buffer *buffer) {
  if (!driver->queue)
    return EAGAIN;
  buffer->index = (uint32_t)__builtin_ctzll(driver->queue);
  driver->queue &= driver->queue - 1;
  buffer->sequence = driver->sequence++;
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  // Stamps from before the stream's start are not believed.
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  buffer->timestamp = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  struct v4l2_plane *planes = planes_of(driver, buffer);
  for (uint32_t i = 0; planes && i < buffer->length; i++)
    planes[i].bytesused = frame_size(driver);
  if (!driver->is_multiplanar)
    buffer->bytesused = frame_size(driver);
  return 0;
}

int camera_answer(driver *driver, unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_QUERYCAP: {
    struct v4l2_capability *about = argument;
    about->device_caps =
        V4L2_CAP_STREAMING |
        (driver->is_multiplanar ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE);
    about->capabilities = about->device_caps | V4L2_CAP_DEVICE_CAPS;
    // Its frames are copied.
    if (driver->is_loopback)
      memcpy(about->driver, "v4l2 loopback", sizeof "v4l2 loopback");
    return 0;
  }
  case VIDIOC_ENUM_FMT: {
    static const uint32_t fourccs[] = {VF_YUYV, VF_MJPEG, VF_NV12};
    struct v4l2_fmtdesc *format = argument;
    if (format->index > 2)
      return EINVAL;
    format->pixelformat = fourccs[format->index];
    format->flags = format->index == 1 ? V4L2_FMT_FLAG_COMPRESSED : 0;
    return 0;
  }
  case VIDIOC_ENUM_FRAMESIZES:
    return enumerate_sizes(argument);
  case VIDIOC_ENUM_FRAMEINTERVALS:
    return enumerate_intervals(argument);
  case VIDIOC_G_FMT:
  case VIDIOC_S_FMT:
  case VIDIOC_TRY_FMT:
    describe_format(driver, argument);
    return 0;
  case VIDIOC_G_PARM:
  case VIDIOC_S_PARM: {
    struct v4l2_streamparm *parameters = argument;
    parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
    parameters->parm.capture.timeperframe = (struct v4l2_fract){1, 30};
    return 0;
  }
  case VIDIOC_QUERY_EXT_CTRL:
    return query_control(argument);
  case VIDIOC_REQBUFS: {
    struct v4l2_requestbuffers *wish = argument;
    driver->buffer_count = wish->count;
    driver->queue = 0;
    return 0;
  }
  case VIDIOC_QUERYBUF:
    return query_buffer(driver, argument);
  case VIDIOC_QBUF:
    return queue_buffer(driver, argument);
  case VIDIOC_DQBUF:
    return dequeue_buffer(driver, argument);
  case VIDIOC_STREAMOFF:
    driver->queue = 0;
    return 0;
  case VIDIOC_DQEVENT:
    return ENOENT;
  case VIDIOC_EXPBUF:
    ((struct v4l2_exportbuffer *)argument)->fd = FIRST_FD;
    return 0;
  case VIDIOC_QUERY_DV_TIMINGS:
  case VIDIOC_G_DV_TIMINGS:
    *(struct v4l2_dv_timings *)argument = timings();
    return 0;
  case VIDIOC_G_INPUT:
  case VIDIOC_ENUMINPUT:
  case VIDIOC_SUBSCRIBE_EVENT:
  case VIDIOC_STREAMON:
  case VIDIOC_QUERYMENU:
  case VIDIOC_G_EXT_CTRLS:
  case VIDIOC_S_EXT_CTRLS:
  case VIDIOC_S_DV_TIMINGS:
    return 0;
  default:
    return ENOTTY;
  }
}
