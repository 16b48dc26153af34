#include "vf_output.h"

#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"
#include "pixels/image.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/// How long a device may take none of a frame, in milliseconds.
#define PATIENCE 1000

struct vf_output {
  const vf_system *system;
  int fd;
  vf_format format;
  /// Bytes of a raw frame; 0 for compressed formats, and layouts that we don't know.
  size_t frame_size;
  /// A frame whose rows had to be moved, made at first use.
  uint8_t *_Nullable packed;
};

/// Asks the node whether frames can be written to it.
static int check(const vf_output *output, vf_failure *failure) {
  struct v4l2_capability about = {0};
  if (vf_ioctl(output->system, output->fd, VIDIOC_QUERYCAP, &about) != 0) {
    // Other drivers than V4L2's refuse an unknown call in their own ways.
    int code = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ? ENOTTY : errno;
    return vf_fail(failure, code, "VIDIOC_QUERYCAP", NULL);
  }
  uint32_t capabilities = vf_node_capabilities(about.capabilities, about.device_caps);
  if (capabilities & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE)) {
    return vf_fail(failure, ENODEV, "VIDIOC_QUERYCAP",
                   "the node converts video from memory to memory");
  }
  bool outputs = capabilities & V4L2_CAP_VIDEO_OUTPUT;
  if (outputs && (capabilities & V4L2_CAP_READWRITE))
    return 0;
  if (outputs)
    return vf_fail(failure, ENODEV, "VIDIOC_QUERYCAP", "the node takes no frames by write()");
  // With exclusive_caps a node is either: an output until somebody writes to it, then a camera.
  if (vf_node_is_loopback(about.driver))
    return vf_fail(failure, EBUSY, "VIDIOC_QUERYCAP", "another program writes to the node");
  return vf_fail(failure, ENODEV, "VIDIOC_QUERYCAP", "the node is no video output");
}

static int set_format(vf_output *output, vf_format *format, vf_failure *failure) {
  struct v4l2_format request = {
      .type = V4L2_BUF_TYPE_VIDEO_OUTPUT,
      .fmt.pix = {
          .width = format->width,
          .height = format->height,
          .pixelformat = format->fourcc,
          .field = V4L2_FIELD_NONE,
          .colorspace = format->limited_range ? V4L2_COLORSPACE_SMPTE170M : V4L2_COLORSPACE_JPEG,
      }};
  if (vf_ioctl(output->system, output->fd, VIDIOC_S_FMT, &request) != 0)
    return vf_fail(failure, errno == EINVAL ? ENOTSUP : errno, "VIDIOC_S_FMT", NULL);
  const struct v4l2_pix_format *pixels = &request.fmt.pix;
  if (pixels->pixelformat != format->fourcc || pixels->width != format->width ||
      pixels->height != format->height) {
    return vf_fail(failure, ENOTSUP, "VIDIOC_S_FMT", "%.4s %ux%u",
                   (const char *)&pixels->pixelformat, pixels->width, pixels->height);
  }
  format->stride = pixels->bytesperline;
  format->size = pixels->sizeimage;
  output->format = *format;
  output->frame_size = vf_image_size(format->fourcc, format->width, format->height, format->stride);
  return 0;
}

static void set_interval(const vf_output *output) {
  vf_interval interval = output->format.interval;
  if (!interval.numerator || !interval.denominator)
    return;
  struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  parameters.parm.output.timeperframe =
      (struct v4l2_fract){interval.numerator, interval.denominator};
  // Readers would like to know; frames go through without.
  vf_ioctl(output->system, output->fd, VIDIOC_S_PARM, &parameters);
}

vf_output *vf_output_open(const vf_system *system, const char *path, vf_format *format,
                          vf_failure *failure) {
  if (!system->write) {
    vf_fail(failure, ENODEV, "open", "the node takes no frames by write()");
    return NULL;
  }
  vf_output *output = calloc(1, sizeof *output);
  if (!output) {
    vf_fail(failure, ENOMEM, "malloc", NULL);
    return NULL;
  }
  output->system = system;
  output->fd = vf_open(system, path);
  if (output->fd < 0) {
    vf_fail(failure, errno, "open", NULL);
    goto failed;
  }
  if (check(output, failure) != 0 || set_format(output, format, failure) != 0)
    goto failed;
  set_interval(output);
  // v4l2loopback 0.12 takes a program for a writer only if it turns the stream on. Otherwise, with
  // exclusive_caps, the node is no output any more once the program has closed it. Drivers that
  // want buffers for a stream refuse, and start it with the first frame.
  int type = V4L2_BUF_TYPE_VIDEO_OUTPUT;
  vf_ioctl(system, output->fd, VIDIOC_STREAMON, &type);
  return output;

failed:
  vf_output_close(output);
  return NULL;
}

void vf_output_close(vf_output *output) {
  if (!output)
    return;
  if (output->fd >= 0)
    output->system->close(output->system->context, output->fd);
  free(output->packed);
  free(output);
}

// MARK: Writing

/// Waits until the device takes a frame, no longer than to `deadline`. Returns 0 or an `errno`.
static int wait_for_room(const vf_output *output, int64_t deadline) {
  const vf_system *system = output->system;
  int64_t left = (deadline - vf_clock(CLOCK_MONOTONIC)) / 1000000;
  if (left <= 0)
    return ETIMEDOUT;
  struct pollfd device = {.fd = output->fd, .events = POLLOUT};
  if (system->poll(system->context, &device, 1, (int)left) < 0)
    return errno == EINTR ? 0 : errno;
  if (device.revents & (POLLHUP | POLLNVAL))
    return ENODEV;
  return device.revents & POLLERR ? EIO : 0;
}

int vf_output_write(vf_output *output, const uint8_t *bytes, size_t count, vf_failure *failure) {
  const vf_system *system = output->system;
  if (output->format.size && count > output->format.size) {
    return vf_fail(failure, EFBIG, "write", "%zu bytes where the node takes %u", count,
                   output->format.size);
  }
  if (!count || count < output->frame_size)
    return vf_fail(failure, EINVAL, "write", "%zu bytes of %zu", count, output->frame_size);
  int64_t deadline = vf_clock(CLOCK_MONOTONIC) + (int64_t)PATIENCE * 1000000;
  for (;;) {
    ssize_t written = system->write(system->context, output->fd, bytes, count);
    if (written == (ssize_t)count)
      return 0;
    // The rest would go out as a frame of its own.
    if (written >= 0)
      return vf_fail(failure, EIO, "write", "the node took %zd of %zu bytes", written, count);
    if (errno == EAGAIN) {
      int code = wait_for_room(output, deadline);
      if (code)
        return vf_fail(failure, code, "poll", NULL);
    } else if (errno != EINTR) {
      return vf_fail(failure, errno, "write", NULL);
    } else if (vf_clock(CLOCK_MONOTONIC) >= deadline) {
      return vf_fail(failure, ETIMEDOUT, "write", NULL);
    }
  }
}

/// Whether two images are one place in memory.
static bool is_same(const vf_image *a, const vf_image *b) {
  for (int plane = 0; plane < 3; plane += 1) {
    if (a->planes[plane].data != b->planes[plane].data ||
        a->planes[plane].stride != b->planes[plane].stride)
      return false;
  }
  return true;
}

int vf_output_write_image(vf_output *output, const vf_image *image, vf_failure *failure) {
  const vf_format *format = &output->format;
  const vf_layout_detail *detail = vf_layout_detail_find(format->fourcc);
  if (!detail || image->fourcc != format->fourcc || image->width != format->width ||
      image->height != format->height) {
    return vf_fail(failure, EINVAL, "write", "%.4s %ux%u, not %.4s %ux%u",
                   (const char *)&image->fourcc, image->width, image->height,
                   (const char *)&format->fourcc, format->width, format->height);
  }
  if (vf_image_check(image, "write", failure) != 0)
    return -failure->code;
  vf_image wanted;
  int result = vf_image_view(&wanted, format->fourcc, format->width, format->height, format->stride,
                             image->planes[0].data, output->frame_size, failure);
  if (result != 0)
    return result;
  if (is_same(&wanted, image))
    return vf_output_write(output, image->planes[0].data, output->frame_size, failure);

  if (!output->packed)
    output->packed = calloc(1, output->frame_size);
  if (!output->packed)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  result = vf_image_view(&wanted, format->fourcc, format->width, format->height, format->stride,
                         output->packed, output->frame_size, failure);
  if (result != 0)
    return result;
  for (uint32_t plane = 0; plane < detail->layout.plane_count; plane += 1) {
    size_t row_bytes, rows;
    vf_layout_plane_size(detail, format->width, format->height, plane, &row_bytes, &rows);
    vf_plane_copy(&wanted.planes[plane], &image->planes[plane], row_bytes, rows);
  }
  return vf_output_write(output, output->packed, output->frame_size, failure);
}
