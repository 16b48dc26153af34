#ifndef VF_GRAB_GRABBER_H
#define VF_GRAB_GRABBER_H

#include "grab/stream.h"
#include "vf_grabber.h"

#include <pthread.h>
#include <stdatomic.h>

#pragma clang assume_nonnull begin

struct vf_grabber {
  const vf_system *system;
  char *path;
  /// Guards `fd`, which a stop may replace while other threads use controls.
  pthread_rwlock_t fd_lock;
  /// -1 when the node could not be opened again.
  int fd;
  /// `V4L2_CAP_…` of the node.
  uint32_t capabilities;
  /// `V4L2_BUF_TYPE_VIDEO_CAPTURE` or `…_MPLANE`.
  uint32_t type;
  /// Whether the driver is v4l2loopback.
  bool is_loopback;
  /// An eventfd that ends waiting, and whether somebody asked for that.
  int wake;
  atomic_int interrupted;
  /// Guards the pointer `stream`, which statistics read from any thread.
  pthread_mutex_t lock;
  /// The running stream, or the last one for its statistics.
  vf_stream *_Nullable stream;
};

/// The capabilities of the node itself: `device_caps` where the driver tells them.
uint32_t vf_node_capabilities(uint32_t capabilities, uint32_t device_caps);

/// Whether a node's driver, as VIDIOC_QUERYCAP names it, is v4l2loopback.
bool vf_node_is_loopback(const uint8_t driver[_Nonnull 16]);

/// Brings a digital video input (HDMI) to the timings that arrive. Does nothing for cameras.
void vf_follow_timings(const vf_system *system, int fd);

/// What the grabber must know of the granted format besides `vf_format`.
typedef struct vf_granted {
  uint32_t plane_count;
  /// Bytes that a whole frame has, by plane; 0 where any number will do.
  uint32_t expected[VF_MAX_PLANES];
  int compressed, emulated;
} vf_granted;

/// Sets the format and the interval and reads both back.
int vf_grabber_negotiate(vf_grabber *grabber, vf_format *format, vf_granted *granted,
                         vf_failure *failure);

#pragma clang assume_nonnull end

#endif
