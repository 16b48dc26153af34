#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <string.h>

static bool is_same(const struct v4l2_bt_timings *a, const struct v4l2_bt_timings *b) {
  // Receivers measure: the clock may be off by a little.
  uint64_t tolerance = a->pixelclock / 200;
  return a->width == b->width && a->height == b->height && a->interlaced == b->interlaced &&
         a->pixelclock + tolerance >= b->pixelclock && b->pixelclock + tolerance >= a->pixelclock;
}

/// Brings the device to the timings that arrive. Returns 1 when they are others than before, 0 when
/// not, or -1 with `errno` and the `step` that failed.
static int follow(const vf_system *system, int fd, const char **step) {
  struct v4l2_dv_timings detected = {0}, current = {0};
  *step = "VIDIOC_QUERY_DV_TIMINGS";
  if (vf_ioctl(system, fd, VIDIOC_QUERY_DV_TIMINGS, &detected) != 0)
    return -1;
  if (detected.type != V4L2_DV_BT_656_1120)
    return 0;
  if (vf_ioctl(system, fd, VIDIOC_G_DV_TIMINGS, &current) == 0 &&
      is_same(&detected.bt, &current.bt))
    return 0;
  *step = "VIDIOC_S_DV_TIMINGS";
  return vf_ioctl(system, fd, VIDIOC_S_DV_TIMINGS, &detected) == 0 ? 1 : -1;
}

void vf_follow_timings(const vf_system *system, int fd) {
  int index = 0;
  if (vf_ioctl(system, fd, VIDIOC_G_INPUT, &index) != 0 || index < 0)
    return;
  struct v4l2_input input = {.index = (uint32_t)index};
  if (vf_ioctl(system, fd, VIDIOC_ENUMINPUT, &input) != 0 ||
      !(input.capabilities & V4L2_IN_CAP_DV_TIMINGS)) {
    return;
  }
  // No cable, no stable signal, or another program that streams: the driver keeps what it has.
  const char *step;
  follow(system, fd, &step);
}

int vf_grabber_follow_source(vf_grabber *grabber, vf_failure *failure) {
  if (grabber->fd < 0)
    return vf_fail(failure, ENODEV, "open", NULL);
  const char *step;
  int result = follow(grabber->system, grabber->fd, &step);
  if (result >= 0)
    return result;
  if (strcmp(step, "VIDIOC_QUERY_DV_TIMINGS") != 0)
    return vf_fail(failure, errno, step, NULL);
  switch (errno) {
  case ENOLINK:
    return vf_fail(failure, ENOLINK, step, "no signal");
  case ENOLCK:
    return vf_fail(failure, ENOLINK, step, "an unstable signal");
  case ERANGE:
    return vf_fail(failure, ENOLINK, step, "a signal out of range");
  // Cameras, and sockets without timings. A camera that went away says so at the next call.
  default:
    return 0;
  }
}
