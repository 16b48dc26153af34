#ifndef VF_SIM_BUFFERS_H
#define VF_SIM_BUFFERS_H

#include <linux/videodev2.h>

#include "simulate/frame.h"
#include "simulate/memory.h"

#pragma clang assume_nonnull begin

#define VF_SIM_BUFFERS 32u
/// A buffer's offset for mmap is its index shifted by this: opaque to the application.
#define VF_SIM_OFFSET_SHIFT 20

typedef enum vf_sim_buffer_state {
  VF_SIM_DEQUEUED,
  VF_SIM_QUEUED,
  VF_SIM_DONE
} vf_sim_buffer_state;

typedef struct vf_sim_buffer {
  vf_sim_memory memory;
  vf_sim_frame frame;
  vf_sim_buffer_state state;
  /// How often the application has it mapped.
  uint32_t mappings;
  /// What the last frame in it was; of its faults one bit for each kind.
  uint32_t sequence, faults, flags;
  int64_t timestamp;
} vf_sim_buffer;

/// Indices of buffers, first in, first out.
typedef struct vf_sim_ring {
  uint32_t slots[VF_SIM_BUFFERS], first, count;
} vf_sim_ring;

/// The device's buffers, and in which order they wait.
typedef struct vf_sim_buffers {
  vf_sim_buffer all[VF_SIM_BUFFERS];
  /// How many there are, and which set of them this is.
  uint32_t count, set;
  vf_sim_ring queued, done;
} vf_sim_buffers;

/// Makes up to `wanted` buffers; fewer, even none, when memory runs out. There must be none.
void vf_sim_buffers_make(vf_sim_buffers *buffers, uint32_t wanted, uint32_t length);

void vf_sim_buffers_free(vf_sim_buffers *buffers);

/// Takes all buffers back from both queues.
void vf_sim_buffers_dequeue_all(vf_sim_buffers *buffers);

/// Moves a buffer to the end of a queue.
vf_sim_buffer *vf_sim_buffers_push(vf_sim_buffers *buffers, vf_sim_ring *ring, uint32_t index,
                                   vf_sim_buffer_state state);

/// Takes the first buffer of a queue, which must not be empty.
uint32_t vf_sim_buffers_pop(vf_sim_ring *ring);

/// Describes a buffer as VIDIOC_QUERYBUF does.
void vf_sim_buffers_show(const vf_sim_buffers *buffers, uint32_t index, struct v4l2_buffer *result);

#pragma clang assume_nonnull end

#endif
