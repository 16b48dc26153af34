#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/// Failures in a row after which the stream counts as broken.
#define MAX_FAILURES 8
/// The wait between them, in milliseconds: an error that stays must not spin.
#define FAILURE_PAUSE 10

/// Whether somebody asked `vf_grabber_next` to return, which this answers.
static bool take_interruption(vf_grabber *grabber) {
  return atomic_load_explicit(&grabber->interrupted, memory_order_relaxed) &&
         atomic_exchange_explicit(&grabber->interrupted, 0, memory_order_acquire);
}

static void drain_wake(vf_grabber *grabber) {
  uint64_t count;
  // EAGAIN when it is drained already.
  ssize_t size = read(grabber->wake, &count, sizeof count);
  (void)size;
}

// MARK: Judging a frame

/// Fills in the frame's planes, and what a check finds of a compressed one. Returns false when it
/// is damaged.
static bool read_planes(vf_stream *stream, vf_slot *slot, const struct v4l2_buffer *buffer,
                        const struct v4l2_plane *planes, vf_frame_facts *facts) {
  bool is_multiplanar = stream->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  bool good = !(buffer->flags & V4L2_BUF_FLAG_ERROR);
  slot->frame.plane_count = stream->plane_count;
  for (uint32_t i = 0; i < stream->plane_count; i += 1) {
    size_t used = is_multiplanar ? planes[i].bytesused : buffer->bytesused;
    size_t offset = is_multiplanar ? planes[i].data_offset : 0;
    if (used > slot->lengths[i]) {
      used = slot->lengths[i];
      good = false;
    }
    if (offset > used) {
      offset = used;
      good = false;
    }
    size_t count = used - offset;
    if (!count || count < stream->expected[i])
      good = false;
    slot->frame.planes[i] = (const uint8_t *)slot->addresses[i] + offset;
    slot->frame.counts[i] = count;
  }
  if (good && stream->compressed && stream->plane_count == 1 && stream->options.check) {
    stream->options.check(stream->options.check_context, slot->frame.planes[0],
                          slot->frame.counts[0], facts);
    if (!facts->count)
      good = false;
    else if (facts->count < slot->frame.counts[0])
      slot->frame.counts[0] = facts->count;
    slot->frame.width = facts->width;
    slot->frame.height = facts->height;
    slot->frame.notes = facts->notes;
  }
  return good;
}

/// A driver's stamp in nanoseconds; 0, which no frame bears, when it is out of range.
static int64_t nanoseconds(const struct timeval *time) {
  int64_t seconds, fraction, result;
  if (__builtin_mul_overflow(time->tv_sec, 1000000000, &seconds) ||
      __builtin_mul_overflow(time->tv_usec, 1000, &fraction) ||
      __builtin_add_overflow(seconds, fraction, &result)) {
    return 0;
  }
  return result;
}

/// Whether the driver hands out the latest frame again.
static bool repeats(const vf_stream *stream, const struct v4l2_buffer *buffer) {
  return stream->tally.started && buffer->sequence == stream->tally.last && stream->last_stamp &&
         stream->last_stamp == nanoseconds(&buffer->timestamp);
}

/// Reads the frame's times. Returns its age in nanoseconds, or -1 when it bears no usable stamp.
static int64_t read_times(vf_stream *stream, vf_frame *frame, const struct v4l2_buffer *buffer) {
  int64_t now = vf_clock(CLOCK_MONOTONIC);
  int64_t wall = vf_clock(CLOCK_REALTIME);
  int64_t stamp = nanoseconds(&buffer->timestamp);
  stream->last_stamp = stamp;
  bool is_monotonic =
      (buffer->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  // Frames come in order, none before the stream began or from the far future.
  bool usable = is_monotonic && stamp >= stream->begin &&
                stamp >= vf_tally_latest(&stream->tally) && stamp <= now + stream->late_age;
  if (!usable)
    atomic_fetch_add_explicit(&stream->restamped, 1, memory_order_relaxed);
  // Some drivers stamp the end that they expect of the exposure.
  if (!usable || stamp > now)
    stamp = now;
  frame->timestamp = stamp;
  frame->wall_time = stamp + (wall - now);
  return usable ? now - stamp : -1;
}

/// The driver's number of a frame.
static uint32_t read_number(vf_stream *stream, const struct v4l2_buffer *buffer) {
  vf_tally *tally = &stream->tally;
  // v4l2loopback sets the numbers of the frames that it holds to 0 whenever a reader asks for
  // buffers.
  if (stream->copies && tally->started) {
    if (!buffer->sequence)
      return tally->last ? tally->last + 1 : 0;
    if (!tally->last)
      tally->last = buffer->sequence - 1;
  }
  return buffer->sequence;
}

/// Whether a frame came after the one that follows it: uvcvideo puts frames together in parallel,
/// and a busy system may finish them out of order.
static bool is_overtaken(const vf_stream *stream, const struct v4l2_buffer *buffer) {
  uint32_t distance = stream->tally.last - buffer->sequence;
  int64_t stamp = nanoseconds(&buffer->timestamp);
  // Numbers alone go back for other reasons.
  return stream->tally.started && distance && distance < stream->count &&
         atomic_load_explicit(&stream->lost, memory_order_relaxed) && stamp >= stream->begin &&
         stamp < stream->last_stamp;
}

/// What a dequeued buffer is good for.
typedef struct verdict {
  vf_slot *_Nullable slot;
  /// Nanoseconds; -1 unknown.
  int64_t age;
} verdict;

/// Dequeues a buffer and judges it; damaged ones go straight back. Returns 0, with no slot when
/// there is nothing to deliver, or an `errno`.
static int take(vf_stream *stream, verdict *verdict) {
  struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
  struct v4l2_buffer buffer = {.m.planes = planes};
  verdict->slot = NULL;
  vf_slot *slot = vf_stream_dequeue(stream, &buffer);
  if (!slot)
    return errno;

  if (is_overtaken(stream, &buffer)) {
    vf_tally_take_back(&stream->tally);
    atomic_fetch_sub_explicit(&stream->lost, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&stream->late, 1, memory_order_relaxed);
    vf_stream_requeue(stream, slot);
    return 0;
  }
  if (repeats(stream, &buffer))
    atomic_fetch_add_explicit(&stream->repeated, 1, memory_order_relaxed);
  uint64_t lost;
  uint32_t sequence = vf_tally_sequence(&stream->tally, read_number(stream, &buffer), &lost);
  atomic_store_explicit(&stream->lost, lost, memory_order_relaxed);
  atomic_store_explicit(&stream->produced, sequence + 1ull, memory_order_relaxed);

  if (stream->copies) {
    slot = vf_stream_copy(stream, slot, buffer.bytesused);
    if (!slot) {
      atomic_fetch_add_explicit(&stream->starved, 1, memory_order_relaxed);
      return 0;
    }
  }
  memset(&slot->frame, 0, sizeof slot->frame);
  slot->frame.sequence = sequence;

  vf_frame_facts facts = {0};
  bool good = read_planes(stream, slot, &buffer, planes, &facts);
  verdict->age = read_times(stream, &slot->frame, &buffer);
  slot->frame.damaged = !good;
  bool delivers = good || (stream->options.delivers_damaged_frames && slot->frame.counts[0]);
  if (!delivers) {
    atomic_fetch_add_explicit(&stream->corrupt, 1, memory_order_relaxed);
    vf_stream_requeue(stream, slot);
    return 0;
  }
  if (good && facts.tail_count) {
    slot = vf_stream_append(stream, slot, facts.tail, facts.tail_count);
    if (!slot) {
      atomic_fetch_add_explicit(&stream->starved, 1, memory_order_relaxed);
      return 0;
    }
  }
  double rate = vf_tally_rate(&stream->tally, slot->frame.timestamp);
  atomic_store_explicit(&stream->measured_rate, rate, memory_order_relaxed);
  verdict->slot = slot;
  return 0;
}

// MARK: Waiting

/// Reads the pending events. Returns true when one says that the source changed.
static bool source_changed(vf_stream *stream) {
  for (int i = 0; i < 64; i += 1) {
    struct v4l2_event event = {0};
    if (vf_ioctl(stream->system, stream->fd, VIDIOC_DQEVENT, &event) != 0) {
      // Events that can't be read would wake us forever.
      if (i == 0)
        stream->wants_events = false;
      return false;
    }
    if (event.type == V4L2_EVENT_SOURCE_CHANGE)
      return true;
  }
  return false;
}

/// Ends the stream with an error that all further calls return.
static int break_stream(vf_stream *stream, int code, const char *step, const char *detail,
                        vf_failure *failure) {
  stream->broken = code;
  return vf_fail(failure, code, step, detail ? "%s" : NULL, detail);
}

static int remaining(int64_t deadline) {
  if (deadline < 0)
    return -1;
  int64_t left = deadline - vf_clock(CLOCK_MONOTONIC);
  if (left <= 0)
    return 0;
  // Rounded up, so as not to spin through the last millisecond.
  left = (left + 999999) / 1000000;
  return left < INT32_MAX ? (int)left : INT32_MAX;
}

/// What there is to wait for.
typedef enum target { TARGET_DEVICE, TARGET_RETURN, TARGET_GONE, TARGET_NONE } target;

/// The kernel says POLLERR while no buffer is queued: then only the return of one is worth waiting
/// for.
static target find_target(vf_stream *stream) {
  target result = TARGET_DEVICE;
  pthread_mutex_lock(&stream->lock);
  if (stream->gone) {
    result = TARGET_GONE;
  } else if (!stream->in_rotation) {
    result = TARGET_NONE;
  } else if (!stream->queued) {
    stream->waiting = true;
    result = TARGET_RETURN;
  }
  pthread_mutex_unlock(&stream->lock);
  return result;
}

/// Sleeps until the device or the wake-up descriptor has something. Returns the device's `revents`,
/// or a negative error. `*timed_out` is set when nothing came.
static int wait_for_device(vf_grabber *grabber, vf_stream *stream, bool watches_device, int timeout,
                           bool *timed_out) {
  short events = POLLIN;
  if (stream->wants_events)
    events |= POLLPRI;
  struct pollfd descriptors[2] = {
      {.fd = grabber->wake, .events = POLLIN},
      {.fd = stream->fd, .events = events},
  };
  int ready =
      stream->system->poll(stream->system->context, descriptors, watches_device ? 2 : 1, timeout);
  if (ready < 0)
    return errno == EINTR ? 0 : -errno;
  *timed_out = ready == 0;
  if (descriptors[0].revents)
    drain_wake(grabber);
  return watches_device ? descriptors[1].revents : 0;
}

/// Whether a frame or an error waits. Asked before the dequeuing of what may not be there: libv4l2
/// writes a line to stderr each time there isn't.
static bool has_more(vf_stream *stream) {
  struct pollfd device = {.fd = stream->fd, .events = POLLIN};
  return stream->system->poll(stream->system->context, &device, 1, 0) > 0 &&
         (device.revents & POLLIN);
}

/// Takes frames until there is one to deliver or none left. With late frames skipped, the newest of
/// those that wait. Returns 0 or an `errno`.
static int take_newest(vf_stream *stream, vf_slot *_Nullable *_Nonnull newest) {
  *newest = NULL;
  // A camera that fills buffers faster than we empty them must not keep us here.
  for (uint32_t i = 0; i < stream->count; i += 1) {
    verdict verdict;
    int code = take(stream, &verdict);
    // With a frame in hand, an error can wait for the next call.
    if (code)
      return *newest ? 0 : code;
    if (!verdict.slot) {
      if (*newest)
        continue;
      return 0;
    }
    if (*newest) {
      atomic_fetch_add_explicit(&stream->late, 1, memory_order_relaxed);
      vf_stream_requeue(stream, *newest);
    }
    *newest = verdict.slot;
    bool on_time = verdict.age >= 0 && verdict.age <= stream->late_age;
    if (stream->options.keeps_late_frames || on_time || !has_more(stream))
      return 0;
  }
  return 0;
}

int vf_grabber_next(vf_grabber *grabber, int timeout_milliseconds, vf_frame **frame,
                    vf_failure *failure) {
  *frame = NULL;
  vf_stream *stream = grabber->stream;
  if (!stream || !stream->running)
    return vf_fail(failure, EINVAL, "waiting", "not streaming");
  int64_t deadline = -1;
  if (timeout_milliseconds > 0) {
    deadline = vf_clock(CLOCK_MONOTONIC) + (int64_t)timeout_milliseconds * 1000000;
  } else if (timeout_milliseconds == 0) {
    deadline = 0;
  }

  int timeout = timeout_milliseconds < 0 ? -1 : timeout_milliseconds;
  for (bool first = true;; first = false) {
    if (take_interruption(grabber))
      return 0;
    if (stream->broken)
      return vf_fail(failure, stream->broken, "waiting", "the stream has ended");
    if (!first) {
      // A camera whose frames are all withheld mustn't hold us past the deadline.
      timeout = remaining(deadline);
      if (timeout == 0)
        return 0;
    }
    target target = find_target(stream);
    if (target == TARGET_GONE) {
      return break_stream(stream, ENODEV, "VIDIOC_QBUF", NULL, failure);
    }
    if (target == TARGET_NONE) {
      return break_stream(stream, EIO, "VIDIOC_QBUF", "the driver refused every buffer", failure);
    }

    bool timed_out = false;
    int events = wait_for_device(grabber, stream, target == TARGET_DEVICE, timeout, &timed_out);
    if (events < 0)
      return break_stream(stream, -events, "poll", NULL, failure);
    if (timed_out) {
      take_interruption(grabber);
      return 0;
    }
    if (!events)
      continue;
    if (events & POLLHUP)
      return break_stream(stream, ENODEV, "poll", NULL, failure);
    if (events & POLLNVAL)
      return break_stream(stream, EBADF, "poll", NULL, failure);
    if ((events & POLLPRI) && source_changed(stream)) {
      return break_stream(stream, EPIPE, "VIDIOC_DQEVENT", "the source changed", failure);
    }
    if (!(events & (POLLIN | POLLERR)))
      continue;

    vf_slot *slot;
    int code = take_newest(stream, &slot);
    if (slot && code == 0) {
      stream->failures = 0;
      slot = vf_stream_lend(stream, slot);
      bool starves = !slot || slot->frame.reserved;
      atomic_fetch_add_explicit(starves ? &stream->starved : &stream->delivered, 1,
                                memory_order_relaxed);
      if (!slot)
        continue;
      *frame = &slot->frame;
      return 1;
    }
    switch (code) {
    case 0:
      stream->failures = 0;
      continue;
    // A buffer that isn't ours, or a wake-up for nothing.
    case ENOMSG:
    case EAGAIN:
      if (!(events & POLLERR))
        continue;
      break;
    case ENODEV:
    case ENXIO:
      return break_stream(stream, ENODEV, "VIDIOC_DQBUF", NULL, failure);
    case EPIPE:
      return break_stream(stream, EPIPE, "VIDIOC_DQBUF", NULL, failure);
    default:
      break;
    }
    // Signal loss and the like: may pass.
    stream->failures += 1;
    if (stream->failures >= MAX_FAILURES) {
      stream->broken = EIO;
      return vf_fail(failure, EIO, "VIDIOC_DQBUF", "%u failures in a row, last errno %d",
                     stream->failures, code);
    }
    struct pollfd wake = {.fd = grabber->wake, .events = POLLIN};
    stream->system->poll(stream->system->context, &wake, 1, FAILURE_PAUSE);
    if (wake.revents)
      drain_wake(grabber);
  }
}
