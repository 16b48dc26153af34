#include "grab/grabber.h"

#include "failure.h"
#include "grab/calls.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Assumed where neither the driver nor the frames tell: 30 frames a second, in nanoseconds.
#define DEFAULT_INTERVAL 33333333

uint32_t vf_node_capabilities(uint32_t capabilities, uint32_t device_caps) {
  return capabilities & V4L2_CAP_DEVICE_CAPS ? device_caps : capabilities;
}

bool vf_node_is_loopback(const uint8_t driver[16]) {
  return strncmp((const char *)driver, "v4l2 loopback", 16) == 0;
}

/// Closes a grabber that isn't streaming, however much of it there is.
static void discard(vf_grabber *grabber) {
  if (grabber->stream)
    vf_stream_release(grabber->stream);
  if (grabber->fd >= 0)
    grabber->system->close(grabber->system->context, grabber->fd);
  if (grabber->wake >= 0)
    close(grabber->wake);
  pthread_rwlock_destroy(&grabber->fd_lock);
  pthread_mutex_destroy(&grabber->lock);
  free(grabber->path);
  free(grabber);
}

vf_grabber *vf_grabber_open(const vf_system *system, const char *path, vf_failure *failure) {
  vf_grabber *grabber = calloc(1, sizeof *grabber);
  if (!grabber) {
    vf_fail(failure, ENOMEM, "malloc", NULL);
    return NULL;
  }
  grabber->system = system;
  grabber->fd = grabber->wake = -1;
  pthread_rwlock_init(&grabber->fd_lock, NULL);
  pthread_mutex_init(&grabber->lock, NULL);

  struct v4l2_capability about = {0};
  grabber->path = strdup(path);
  if (!grabber->path) {
    vf_fail(failure, ENOMEM, "malloc", NULL);
    goto failed;
  }
  grabber->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (grabber->wake < 0) {
    vf_fail(failure, errno, "eventfd", NULL);
    goto failed;
  }
  grabber->fd = vf_open(system, path);
  if (grabber->fd < 0) {
    vf_fail(failure, errno, "open", NULL);
    goto failed;
  }
  if (vf_ioctl(system, grabber->fd, VIDIOC_QUERYCAP, &about) != 0) {
    // Other drivers than V4L2's refuse an unknown call in their own ways.
    int code = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ? ENOTTY : errno;
    vf_fail(failure, code, "VIDIOC_QUERYCAP", NULL);
    goto failed;
  }

  uint32_t capabilities = vf_node_capabilities(about.capabilities, about.device_caps);
  grabber->capabilities = capabilities;
  const char *lack = NULL;
  if (capabilities & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE)) {
    lack = "a memory-to-memory converter or codec";
  } else if (!(capabilities & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE))) {
    lack = capabilities & V4L2_CAP_META_CAPTURE ? "a metadata node" : "no video capture device";
  } else if (!(capabilities & V4L2_CAP_STREAMING)) {
    lack = "a node that doesn't stream";
  }
  if (lack) {
    vf_fail(failure, ENODEV, "VIDIOC_QUERYCAP", "%s", lack);
    goto failed;
  }
  grabber->is_loopback = vf_node_is_loopback(about.driver);
  grabber->type = capabilities & V4L2_CAP_VIDEO_CAPTURE ? V4L2_BUF_TYPE_VIDEO_CAPTURE
                                                        : V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  return grabber;

failed:
  discard(grabber);
  return NULL;
}

void vf_grabber_close(vf_grabber *grabber) {
  if (!grabber)
    return;
  vf_grabber_stop(grabber);
  discard(grabber);
}

void vf_grabber_interrupt(vf_grabber *grabber) {
  atomic_store_explicit(&grabber->interrupted, 1, memory_order_release);
  uint64_t one = 1;
  // Fails only when the counter is full: then the waiter wakes anyway.
  ssize_t written = write(grabber->wake, &one, sizeof one);
  (void)written;
}

// MARK: Streaming

/// Asks to be told when the source changes its format, and forgets what was told before. Returns
/// whether there will be events.
static bool subscribe(vf_grabber *grabber) {
  int input = 0;
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_INPUT, &input) != 0)
    input = 0;
  bool subscribed = false;
  // Most drivers send these events with id 0, some with the input's number.
  uint32_t ids[2] = {0, (uint32_t)input};
  for (int i = 0; i < (input > 0 ? 2 : 1); i += 1) {
    struct v4l2_event_subscription wish = {.type = V4L2_EVENT_SOURCE_CHANGE, .id = ids[i]};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_SUBSCRIBE_EVENT, &wish) == 0) {
      subscribed = true;
    }
  }
  struct v4l2_event event;
  for (int i = 0; subscribed && i < 64; i += 1) {
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_DQEVENT, &event) != 0)
      break;
  }
  return subscribed;
}

/// A stream for the granted format that hasn't asked for buffers yet. Returns NULL without memory.
static vf_stream *make_stream(vf_grabber *grabber, const vf_format *format,
                              const vf_granted *granted, const vf_stream_options *options) {
  vf_stream *stream = calloc(1, sizeof *stream);
  if (!stream)
    return NULL;
  stream->system = grabber->system;
  stream->fd = grabber->fd;
  stream->wake = grabber->wake;
  stream->type = grabber->type;
  stream->plane_count = granted->plane_count;
  memcpy(stream->expected, granted->expected, sizeof stream->expected);
  stream->compressed = granted->compressed;
  stream->emulated = granted->emulated;
  // It has two buffers, and its writer goes round them whether they are read or not.
  stream->copies = grabber->is_loopback && granted->plane_count == 1;
  stream->options = *options;
  stream->reserve = options->reserve ? options->reserve : 2;
  atomic_init(&stream->holders, 1);
  pthread_mutex_init(&stream->lock, NULL);
  int64_t interval = DEFAULT_INTERVAL;
  if (format->interval.denominator && format->interval.numerator) {
    interval = (int64_t)(format->interval.numerator * 1e9 / format->interval.denominator);
  }
  stream->late_age = interval + interval / 2;
  return stream;
}

static void replace_stream(vf_grabber *grabber, vf_stream *stream) {
  pthread_mutex_lock(&grabber->lock);
  vf_stream *old = grabber->stream;
  grabber->stream = stream;
  pthread_mutex_unlock(&grabber->lock);
  if (old)
    vf_stream_release(old);
}

/// Buffers for a stream's rate: those of a sixth of a second and one more, 4 to 6. Of 12
/// megapixels, which come slowly, each takes 24 MB.
static uint32_t default_buffer_count(vf_interval interval) {
  enum { FEWEST = 4, MOST = 6 };
  if (!interval.numerator || !interval.denominator)
    return MOST;
  uint64_t sixth = 6 * (uint64_t)interval.numerator;
  uint64_t count = (interval.denominator + sixth - 1) / sixth + 1;
  return count < FEWEST ? FEWEST : count > MOST ? MOST : (uint32_t)count;
}

/// Negotiates the format and starts a stream with it.
static int try_start(vf_grabber *grabber, vf_format *format, const vf_stream_options *options,
                     vf_failure *failure) {
  if (grabber->fd < 0)
    return vf_fail(failure, ENODEV, "open", NULL);
  bool wants_events = subscribe(grabber);
  vf_granted granted;
  vf_format answer = *format;
  int result = vf_grabber_negotiate(grabber, &answer, &granted, failure);
  if (result != 0)
    return result;
  vf_stream *stream = make_stream(grabber, &answer, &granted, options);
  if (!stream)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  stream->wants_events = wants_events;
  uint32_t count =
      options->buffer_count ? options->buffer_count : default_buffer_count(answer.interval);
  result = vf_stream_start(stream, count, failure);
  if (result != 0) {
    vf_stream_release(stream);
    return result;
  }
  replace_stream(grabber, stream);
  *format = answer;
  return 0;
}

int vf_grabber_start(vf_grabber *grabber, vf_format *format, const vf_stream_options *options,
                     vf_failure *failure) {
  vf_stream_options defaults = {0};
  if (!options)
    options = &defaults;
  if (grabber->stream && grabber->stream->running) {
    return vf_fail(failure, EBUSY, "starting", "the stream runs already");
  }
  uint32_t wish = options->buffer_count;
  if (wish && (wish < 2 || wish > VF_MAX_BUFFERS))
    return vf_fail(failure, EINVAL, "starting", "2 to 32 buffers, not %u", wish);
  return try_start(grabber, format, options, failure);
}

/// Closes the node, which takes the buffers that the driver wouldn't let go, and opens it anew.
static void reopen(vf_grabber *grabber) {
  pthread_rwlock_wrlock(&grabber->fd_lock);
  // The new descriptor first: many cameras forget their settings when the last one closes.
  int fd = vf_open(grabber->system, grabber->path);
  grabber->system->close(grabber->system->context, grabber->fd);
  if (fd < 0)
    fd = vf_open(grabber->system, grabber->path);
  grabber->fd = fd;
  pthread_rwlock_unlock(&grabber->fd_lock);
}

void vf_grabber_stop(vf_grabber *grabber) {
  vf_stream *stream = grabber->stream;
  if (!stream || !stream->running)
    return;
  if (vf_stream_stop(stream) == EBUSY)
    reopen(grabber);
}

vf_statistics vf_grabber_statistics(vf_grabber *grabber) {
  vf_statistics statistics = {0};
  pthread_mutex_lock(&grabber->lock);
  vf_stream *stream = grabber->stream;
  if (stream) {
    statistics = (vf_statistics){
        .produced = atomic_load_explicit(&stream->produced, memory_order_relaxed),
        .delivered = atomic_load_explicit(&stream->delivered, memory_order_relaxed),
        .lost = atomic_load_explicit(&stream->lost, memory_order_relaxed),
        .corrupt = atomic_load_explicit(&stream->corrupt, memory_order_relaxed),
        .starved = atomic_load_explicit(&stream->starved, memory_order_relaxed),
        .late = atomic_load_explicit(&stream->late, memory_order_relaxed),
        .restamped = atomic_load_explicit(&stream->restamped, memory_order_relaxed),
        .repeated = atomic_load_explicit(&stream->repeated, memory_order_relaxed),
        .lent = atomic_load_explicit(&stream->lent, memory_order_relaxed),
        .refused = atomic_load_explicit(&stream->refused, memory_order_relaxed),
        .buffer_count = stream->count,
        .measured_rate = atomic_load_explicit(&stream->measured_rate, memory_order_relaxed),
    };
  }
  pthread_mutex_unlock(&grabber->lock);
  return statistics;
}
