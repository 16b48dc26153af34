#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>

static bool is_same(const struct v4l2_bt_timings *a, const struct v4l2_bt_timings *b) {
  // Receivers measure: the clock may be off by a little.
  uint64_t tolerance = a->pixelclock / 200;
  return a->width == b->width && a->height == b->height && a->interlaced == b->interlaced &&
         a->pixelclock + tolerance >= b->pixelclock && b->pixelclock + tolerance >= a->pixelclock;
}

int vf_grabber_follow_source(vf_grabber *grabber, vf_failure *failure) {
  if (grabber->fd < 0)
    return vf_fail(failure, ENODEV, "open", NULL);
  struct v4l2_dv_timings detected = {0}, current = {0};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_QUERY_DV_TIMINGS, &detected) != 0) {
    switch (errno) {
    case ENOLINK:
      return vf_fail(failure, ENOLINK, "VIDIOC_QUERY_DV_TIMINGS", "no signal");
    case ENOLCK:
      return vf_fail(failure, ENOLINK, "VIDIOC_QUERY_DV_TIMINGS", "an unstable signal");
    case ERANGE:
      return vf_fail(failure, ENOLINK, "VIDIOC_QUERY_DV_TIMINGS", "a signal out of range");
    // Cameras, and sockets without timings. A camera that went away says so at the next call.
    default:
      return 0;
    }
  }
  if (detected.type != V4L2_DV_BT_656_1120)
    return 0;
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_DV_TIMINGS, &current) == 0 &&
      is_same(&detected.bt, &current.bt))
    return 0;
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_S_DV_TIMINGS, &detected) != 0)
    return vf_fail(failure, errno, "VIDIOC_S_DV_TIMINGS", NULL);
  return 1;
}
