#include "grab/stream.h"

#include "failure.h"
#include "grab/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_multiplanar(const vf_stream *stream) {
  return stream->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
}

/// A buffer description to ask the driver with. `planes` is used for multi-planar ones.
static struct v4l2_buffer describe(const vf_stream *stream, uint32_t index,
                                   struct v4l2_plane *planes) {
  struct v4l2_buffer buffer = {.index = index, .type = stream->type, .memory = V4L2_MEMORY_MMAP};
  if (is_multiplanar(stream)) {
    buffer.m.planes = planes;
    buffer.length = stream->plane_count;
  }
  return buffer;
}

static bool is_copy(const vf_stream *stream, const vf_slot *slot) {
  return slot->index >= stream->count;
}

/// Queues a buffer. Called with the lock held.
static int queue(vf_stream *stream, vf_slot *slot) {
  if (is_copy(stream, slot)) {
    slot->state = VF_SLOT_OUT;
    return 0;
  }
  struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
  struct v4l2_buffer buffer = describe(stream, slot->index, planes);
  if (vf_ioctl(stream->system, stream->fd, VIDIOC_QBUF, &buffer) != 0) {
    if (slot->state != VF_SLOT_OUT) {
      stream->in_rotation -= 1;
      atomic_fetch_add_explicit(&stream->refused, 1, memory_order_relaxed);
    }
    slot->state = VF_SLOT_OUT;
    if (errno == ENODEV)
      stream->gone = true;
    return -1;
  }
  if (slot->state == VF_SLOT_OUT)
    stream->in_rotation += 1;
  slot->state = VF_SLOT_QUEUED;
  stream->queued += 1;
  return 0;
}

static void unmap(vf_stream *stream, vf_slot *slot) {
  for (uint32_t i = 0; i < VF_MAX_PLANES; i += 1) {
    if (!slot->addresses[i])
      continue;
    stream->system->munmap(stream->system->context, slot->addresses[i], slot->lengths[i]);
    slot->addresses[i] = NULL;
  }
}

/// Maps every plane of a buffer.
static int map(vf_stream *stream, vf_slot *slot, vf_failure *failure) {
  struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
  struct v4l2_buffer buffer = describe(stream, slot->index, planes);
  if (vf_ioctl(stream->system, stream->fd, VIDIOC_QUERYBUF, &buffer) != 0) {
    return vf_fail(failure, errno, "VIDIOC_QUERYBUF", NULL);
  }
  if (!is_multiplanar(stream)) {
    planes[0].length = buffer.length;
    planes[0].m.mem_offset = buffer.m.offset;
  }
  for (uint32_t i = 0; i < stream->plane_count; i += 1) {
    if (!planes[i].length)
      return vf_fail(failure, EINVAL, "VIDIOC_QUERYBUF", "an empty buffer");
    void *address =
        stream->system->mmap(stream->system->context, planes[i].length, PROT_READ | PROT_WRITE,
                             stream->fd, planes[i].m.mem_offset);
    if (address == MAP_FAILED || !address) {
      return vf_fail(failure, address ? errno : ENOMEM, "mmap", NULL);
    }
    slot->addresses[i] = address;
    slot->lengths[i] = planes[i].length;
  }
  return 0;
}

static int request_buffers(vf_stream *stream, uint32_t *count) {
  struct v4l2_requestbuffers request = {
      .count = *count, .type = stream->type, .memory = V4L2_MEMORY_MMAP};
  if (vf_ioctl(stream->system, stream->fd, VIDIOC_REQBUFS, &request) != 0)
    return errno;
  *count = request.count;
  return 0;
}

int vf_stream_start(vf_stream *stream, uint32_t buffer_count, vf_failure *failure) {
  uint32_t count = buffer_count;
  int code = request_buffers(stream, &count);
  if (code)
    return vf_fail(failure, code, "VIDIOC_REQBUFS", NULL);
  if (!count)
    return vf_fail(failure, ENOMEM, "VIDIOC_REQBUFS", "no buffers");
  stream->count = count < VF_MAX_BUFFERS ? count : VF_MAX_BUFFERS;
  // A driver with fewer buffers than the reserve must still deliver.
  if (stream->reserve >= stream->count)
    stream->reserve = stream->count - 1;

  int result = 0;
  pthread_mutex_lock(&stream->lock);
  for (uint32_t i = 0; i < stream->count && result == 0; i += 1) {
    stream->slots[i].stream = stream;
    stream->slots[i].index = i;
    result = map(stream, &stream->slots[i], failure);
  }
  for (uint32_t i = 0; i < stream->count && result == 0; i += 1) {
    if (queue(stream, &stream->slots[i]) != 0)
      result = vf_fail(failure, errno, "VIDIOC_QBUF", NULL);
  }
  for (uint32_t i = stream->count; i < stream->count + VF_COPIES; i += 1) {
    stream->slots[i].stream = stream;
    stream->slots[i].index = i;
  }
  stream->begin = vf_clock(CLOCK_MONOTONIC);
  int type = (int)stream->type;
  if (result == 0 && vf_ioctl(stream->system, stream->fd, VIDIOC_STREAMON, &type) != 0) {
    result = vf_fail(failure, errno, "VIDIOC_STREAMON", NULL);
  }
  stream->running = true;
  pthread_mutex_unlock(&stream->lock);
  if (result != 0)
    vf_stream_stop(stream);
  return result;
}

int vf_stream_stop(vf_stream *stream) {
  pthread_mutex_lock(&stream->lock);
  stream->running = false;
  int type = (int)stream->type;
  // Fails only when the device is gone, or was never started.
  vf_ioctl(stream->system, stream->fd, VIDIOC_STREAMOFF, &type);
  for (uint32_t i = 0; i < stream->count; i += 1) {
    vf_slot *slot = &stream->slots[i];
    if (slot->state == VF_SLOT_LENT)
      continue;
    unmap(stream, slot);
    slot->state = VF_SLOT_OUT;
  }
  stream->queued = 0;
  uint32_t none = 0;
  int code = request_buffers(stream, &none);
  pthread_mutex_unlock(&stream->lock);
  return code == EBUSY ? EBUSY : 0;
}

void vf_stream_release(vf_stream *stream) {
  if (atomic_fetch_sub_explicit(&stream->holders, 1, memory_order_acq_rel) != 1)
    return;
  pthread_mutex_destroy(&stream->lock);
  for (uint32_t i = 0; i < VF_COPIES; i += 1)
    free(stream->slots[stream->count + i].addresses[0]);
  free(stream);
}

vf_slot *vf_stream_dequeue(vf_stream *stream, struct v4l2_buffer *buffer) {
  struct v4l2_plane *planes = buffer->m.planes;
  *buffer = describe(stream, 0, planes);
  if (vf_ioctl(stream->system, stream->fd, VIDIOC_DQBUF, buffer) != 0)
    return NULL;
  vf_slot *slot = NULL;
  pthread_mutex_lock(&stream->lock);
  // Drivers have returned buffers that nobody queued, and one buffer twice.
  if (buffer->index < stream->count && stream->slots[buffer->index].state == VF_SLOT_QUEUED) {
    slot = &stream->slots[buffer->index];
    slot->state = VF_SLOT_HELD;
    stream->queued -= 1;
  }
  pthread_mutex_unlock(&stream->lock);
  if (!slot)
    errno = ENOMSG;
  return slot;
}

vf_slot *vf_stream_copy(vf_stream *stream, vf_slot *slot, size_t count) {
  vf_slot *copy = NULL;
  pthread_mutex_lock(&stream->lock);
  for (uint32_t i = stream->count; i < stream->count + VF_COPIES && !copy; i += 1) {
    if (stream->slots[i].state == VF_SLOT_OUT)
      copy = &stream->slots[i];
  }
  if (copy) {
    // A driver's buffers may differ in length.
    size_t capacity = slot->lengths[0] + VF_TAIL_LIMIT;
    if (copy->capacity < capacity) {
      free(copy->addresses[0]);
      copy->addresses[0] = malloc(capacity);
      copy->capacity = copy->addresses[0] ? capacity : 0;
    }
    if (copy->addresses[0])
      copy->state = VF_SLOT_HELD;
    else
      copy = NULL;
  }
  pthread_mutex_unlock(&stream->lock);
  if (copy) {
    copy->lengths[0] = slot->lengths[0];
    memcpy(copy->addresses[0], slot->addresses[0],
           count < slot->lengths[0] ? count : slot->lengths[0]);
  }
  vf_stream_requeue(stream, slot);
  return copy;
}

vf_slot *vf_stream_append(vf_stream *stream, vf_slot *slot, const uint8_t *tail,
                          size_t tail_count) {
  size_t offset = (size_t)(slot->frame.planes[0] - (const uint8_t *)slot->addresses[0]);
  size_t end = offset + slot->frame.counts[0];
  size_t room = is_copy(stream, slot) ? slot->capacity : slot->lengths[0];
  if (room - end < tail_count) {
    vf_frame frame = slot->frame;
    slot = vf_stream_copy(stream, slot, end);
    if (!slot)
      return NULL;
    slot->frame = frame;
    slot->frame.planes[0] = (const uint8_t *)slot->addresses[0] + offset;
  }
  memcpy((uint8_t *)slot->addresses[0] + end, tail, tail_count);
  slot->frame.counts[0] += tail_count;
  return slot;
}

void vf_stream_requeue(vf_stream *stream, vf_slot *slot) {
  pthread_mutex_lock(&stream->lock);
  queue(stream, slot);
  pthread_mutex_unlock(&stream->lock);
}

/// Whether the driver can do without a held buffer.
static bool can_spare(vf_stream *stream, const vf_slot *slot) {
  if (is_copy(stream, slot))
    return true;
  pthread_mutex_lock(&stream->lock);
  uint32_t reserve = stream->reserve;
  // With buffers out of rotation the reserve must leave at least one to lend.
  if (reserve >= stream->in_rotation)
    reserve = stream->in_rotation - 1;
  bool spares = stream->queued >= reserve;
  pthread_mutex_unlock(&stream->lock);
  return spares;
}

vf_slot *vf_stream_lend(vf_stream *stream, vf_slot *slot) {
  if (!can_spare(stream, slot)) {
    if (!stream->options.lends_copies || stream->plane_count != 1) {
      vf_stream_requeue(stream, slot);
      return NULL;
    }
    vf_frame frame = slot->frame;
    size_t offset = (size_t)(frame.planes[0] - (const uint8_t *)slot->addresses[0]);
    slot = vf_stream_copy(stream, slot, offset + frame.counts[0]);
    if (!slot)
      return NULL;
    frame.planes[0] = (const uint8_t *)slot->addresses[0] + offset;
    slot->frame = frame;
  }
  slot->frame.reserved =
      stream->options.lends_copies && slot->index >= stream->count + VF_COPIES - VF_RESERVED_COPIES;
  pthread_mutex_lock(&stream->lock);
  slot->state = VF_SLOT_LENT;
  atomic_store_explicit(&slot->holders, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&stream->holders, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&stream->lent, 1, memory_order_relaxed);
  pthread_mutex_unlock(&stream->lock);
  return slot;
}

vf_frame *vf_frame_retain(vf_frame *frame) {
  vf_slot *slot = (vf_slot *)frame;
  atomic_fetch_add_explicit(&slot->holders, 1, memory_order_relaxed);
  return frame;
}

void vf_frame_release(vf_frame *frame) {
  if (!frame)
    return;
  vf_slot *slot = (vf_slot *)frame;
  if (atomic_fetch_sub_explicit(&slot->holders, 1, memory_order_acq_rel) != 1)
    return;
  vf_stream *stream = slot->stream;
  pthread_mutex_lock(&stream->lock);
  atomic_fetch_sub_explicit(&stream->lent, 1, memory_order_relaxed);
  if (stream->running) {
    queue(stream, slot);
    if (stream->waiting) {
      stream->waiting = false;
      uint64_t one = 1;
      // Fails only when the counter is full: then the waiter wakes anyway.
      ssize_t written = write(stream->wake, &one, sizeof one);
      (void)written;
    }
  } else {
    slot->state = VF_SLOT_OUT;
    if (!is_copy(stream, slot))
      unmap(stream, slot);
  }
  pthread_mutex_unlock(&stream->lock);
  vf_stream_release(stream);
}

int vf_frame_export(vf_frame *frame, uint32_t plane, vf_failure *failure) {
  vf_slot *slot = (vf_slot *)frame;
  vf_stream *stream = slot->stream;
  if (plane >= stream->plane_count)
    return vf_fail(failure, EINVAL, "VIDIOC_EXPBUF", "no such plane");
  // The device's buffer holds what libv4l2 converted from, not the frame.
  if (stream->emulated)
    return vf_fail(failure, ENOTSUP, "VIDIOC_EXPBUF", "a converted format");
  if (is_copy(stream, slot))
    return vf_fail(failure, ENOTSUP, "VIDIOC_EXPBUF", "a copy");
  struct v4l2_exportbuffer request = {.type = stream->type,
                                      .index = slot->index,
                                      .plane = plane,
                                      .flags = O_CLOEXEC | O_RDONLY,
                                      .fd = -1};
  int code = 0;
  pthread_mutex_lock(&stream->lock);
  if (!stream->running)
    code = EINVAL;
  else if (vf_ioctl(stream->system, stream->fd, VIDIOC_EXPBUF, &request) != 0)
    code = errno;
  else if (request.fd < 0)
    code = EIO;
  pthread_mutex_unlock(&stream->lock);
  return code ? vf_fail(failure, code, "VIDIOC_EXPBUF", NULL) : request.fd;
}
