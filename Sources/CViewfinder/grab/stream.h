#ifndef VF_GRAB_STREAM_H
#define VF_GRAB_STREAM_H

#include "grab/tally.h"
#include "vf_grabber.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#pragma clang assume_nonnull begin

#define VF_MAX_PLANES 3
#define VF_MAX_BUFFERS 32
/// How many frames are copied at a time; see `vf_stream.copies`.
#define VF_COPIES 6
/// The last of them, which are lent as reserved.
#define VF_RESERVED_COPIES 2

struct v4l2_buffer;
typedef struct vf_stream vf_stream;

/// Where a buffer is.
enum vf_slot_state {
  /// Out of rotation: never queued, or the driver refused it.
  VF_SLOT_OUT,
  /// With the driver.
  VF_SLOT_QUEUED,
  /// Dequeued, in the hands of `vf_grabber_next`.
  VF_SLOT_HELD,
  VF_SLOT_LENT,
};

/// One of the driver's buffers, or a copy of one. A lent frame's pointer is its slot's.
typedef struct vf_slot {
  vf_frame frame;
  vf_stream *stream;
  atomic_uint holders;
  uint32_t index;
  /// Guarded by the stream's lock.
  enum vf_slot_state state;
  void *_Nullable addresses[VF_MAX_PLANES];
  size_t lengths[VF_MAX_PLANES];
  /// Of a copy: bytes that its memory holds, which may be more than the buffer it was made of.
  size_t capacity;
} vf_slot;

/// A stream, from VIDIOC_REQBUFS to the release of the last frame, which may be long after the
/// grabber is gone.
struct vf_stream {
  const vf_system *system;
  /// The grabber's, valid while `running`.
  int fd, wake;
  uint32_t type, plane_count;
  uint32_t count, reserve;
  uint32_t expected[VF_MAX_PLANES];
  bool compressed, emulated;
  /// Whether the driver writes to its buffers while we hold them: frames are copied then, into the
  /// slots past `count`.
  bool copies;
  vf_stream_options options;

  /// One for the grabber and one for each lent frame.
  atomic_uint holders;
  pthread_mutex_t lock;
  /// Guarded by `lock`: whether buffers may go to the driver; whether `vf_grabber_next` sleeps
  /// until one does; whether the device is gone; how many buffers aren't out of rotation.
  bool running, waiting, gone;
  uint32_t in_rotation, queued;

  /// Only for `vf_grabber_next`: the error that ended the stream, failures in a row, whether events
  /// are worth waiting for.
  int broken;
  uint32_t failures;
  bool wants_events;
  /// From this age on, in nanoseconds, a newer frame may wait.
  int64_t late_age;
  /// When the stream was started, on CLOCK_MONOTONIC in nanoseconds: no frame is older.
  int64_t begin;
  vf_tally tally;
  /// The driver's time stamp of the latest frame, in nanoseconds; 0 for none.
  int64_t last_stamp;

  atomic_ullong produced, delivered, lost, corrupt, starved, late, restamped, repeated;
  atomic_uint lent, refused;
  _Atomic double measured_rate;

  vf_slot slots[VF_MAX_BUFFERS + VF_COPIES];
};

/// Asks for buffers, maps and queues them and starts the stream; after a failure the device has no
/// buffers. The stream belongs to the caller, who ends it with `vf_stream_stop` and lets it go with
/// `vf_stream_release`.
int vf_stream_start(vf_stream *stream, uint32_t buffer_count, vf_failure *failure);

/// Stops the device and takes its buffers away. Returns `EBUSY` when the driver keeps them because
/// frames are lent out: only closing the node frees them then. Else 0.
int vf_stream_stop(vf_stream *stream);

/// Takes a holder off a stream.
void vf_stream_release(vf_stream *stream);

/// Dequeues a buffer. Returns the slot with `*buffer` and `planes` filled in, or NULL with `errno`;
/// `ENOMSG` for a buffer that can't be ours.
vf_slot *_Nullable vf_stream_dequeue(vf_stream *stream, struct v4l2_buffer *buffer);

/// Copies the first `count` bytes of a held buffer, which the driver has back then, and leaves room
/// for a tail. Returns the held copy, or NULL when all copies are lent out.
vf_slot *_Nullable vf_stream_copy(vf_stream *stream, vf_slot *slot, size_t count);

/// Appends `tail_count` bytes to a held frame in the first plane: where it lies, or in a copy when
/// the buffer ends there. Returns the frame's slot, or NULL when all copies are lent out.
vf_slot *_Nullable vf_stream_append(vf_stream *stream, vf_slot *slot, const uint8_t *tail,
                                    size_t tail_count);

/// Gives a held buffer back to the driver.
void vf_stream_requeue(vf_stream *stream, vf_slot *slot);

/// Lends a held buffer out, or a copy when the driver needs it. Returns what was lent; NULL when
/// nothing can be: the driver has its buffer back then.
vf_slot *_Nullable vf_stream_lend(vf_stream *stream, vf_slot *slot);

#pragma clang assume_nonnull end

#endif
