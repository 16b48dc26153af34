#include "simulate/machine/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "simulate/clock.h"

// MARK: What happens as time passes

void vf_sim_stop(vf_sim_device *device) {
  device->streaming = 0;
  device->silent = 0;
  device->eio_pending = 0;
  device->eio_persists = 0;
  vf_sim_buffers_dequeue_all(&device->buffers);
  device->changed = 1;
}

static void free_buffers(vf_sim_device *device) {
  vf_sim_buffers_free(&device->buffers);
  device->owner = NULL;
}

void vf_sim_leave(vf_sim_device *device, const vf_sim_file *file) {
  if (device->owner != file)
    return;
  vf_sim_stop(device);
  free_buffers(device);
}

void vf_sim_unplug(vf_sim_device *device, double seconds) {
  if (!device->plugged)
    return;
  device->plugged = 0;
  device->replug_at = seconds < 0 ? VF_SIM_NEVER : vf_sim_now() + (int64_t)(seconds * 1e9);
  vf_sim_stop(device);
  for (uint32_t i = 0; i < VF_SIM_FILES; i++)
    if (device->files[i])
      device->files[i]->dead = 1;
  free_buffers(device);
}

void vf_sim_plug(vf_sim_device *device) {
  if (device->plugged)
    return;
  vf_sim_power_on(device);
  device->changed = 1;
}

static void change_source(vf_sim_device *device) {
  vf_sim_formats_change_source(&device->formats);
  struct v4l2_event event = {.type = V4L2_EVENT_SOURCE_CHANGE};
  event.u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
  for (uint32_t i = 0; i < VF_SIM_FILES; i++)
    if (device->files[i] && device->files[i]->events.source_changes)
      vf_sim_post(device, device->files[i], &event);
  device->silent = 1;
}

// One frame is due: it falls into a queued buffer, gets lost, or something else happens to it.
static void frame(vf_sim_device *device, int64_t now) {
  uint32_t sequence = device->sequence;
  double seconds;
  uint32_t faults = 0;
  if (device->script.count) {
    if (vf_sim_strikes(&device->script, VF_SIM_FAULT_UNPLUG, sequence, &seconds)) {
      vf_sim_unplug(device, seconds);
      return;
    }
    if (vf_sim_strikes(&device->script, VF_SIM_FAULT_STALL, sequence, &seconds)) {
      device->next_due = seconds < 0 ? VF_SIM_NEVER : now + (int64_t)(seconds * 1e9);
      return;
    }
    if (vf_sim_strikes(&device->script, VF_SIM_FAULT_FORMAT, sequence, &seconds)) {
      change_source(device);
      return;
    }
  }
  const vf_sim_source *source = &device->source;
  if (source->calls->ended && source->calls->ended(source->state, sequence)) {
    device->silent = 1;
    return;
  }
  int64_t time = vf_sim_device_look(device).frame_time;
  int64_t stamp = device->full_speed ? device->next_stamp : device->next_due;
  device->sequence++;
  device->next_stamp += time;
  device->next_due = device->full_speed ? now : device->next_due + time;
  if (device->script.count) {
    int lost = vf_sim_strikes(&device->script, VF_SIM_FAULT_DROP, sequence, &seconds);
    if (vf_sim_strikes(&device->script, VF_SIM_FAULT_EIO, sequence, &seconds)) {
      device->eio_pending = 1;
      device->eio_persists = seconds >= 0;
      device->eio_sequence = sequence;
      lost = 1;
    }
    const vf_sim_fault_kind marks[] = {VF_SIM_FAULT_ERROR, VF_SIM_FAULT_TRUNCATE,
                                       VF_SIM_FAULT_CORRUPT, VF_SIM_FAULT_BLACK};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (vf_sim_strikes(&device->script, marks[i], sequence, &seconds))
        faults |= 1u << marks[i];
    vf_sim_age_faults(&device->script, device->sequence, 0);
    if (lost)
      return;
  }
  // Nobody offered a buffer in time: the frame is lost, and counted.
  if (!device->buffers.queued.count)
    return;
  vf_sim_buffers *buffers = &device->buffers;
  uint32_t index = vf_sim_buffers_pop(&buffers->queued);
  vf_sim_buffer *buffer = vf_sim_buffers_push(buffers, &buffers->done, index, VF_SIM_DONE);
  buffer->sequence = sequence;
  buffer->timestamp = stamp;
  buffer->faults = faults;
}

void vf_sim_advance(vf_sim_device *device, int64_t now) {
  if (!device->plugged && now >= device->replug_at)
    vf_sim_plug(device);
  if (!device->streaming)
    return;
  if (device->full_speed) {
    // One frame at a time, so that a reader who skips to the newest doesn't skip them all.
    for (int i = 0;
         i < 1000 && device->streaming && !device->silent && !device->buffers.done.count &&
         !device->eio_pending && device->buffers.queued.count && device->next_due <= now;
         i++)
      frame(device, now);
    return;
  }
  while (device->streaming && !device->silent && !device->eio_persists && device->next_due <= now)
    frame(device, now);
}

short vf_sim_poll_state(const vf_sim_device *device, const vf_sim_file *file, short events) {
  if (file->dead)
    return POLLERR | POLLHUP;
  short result = 0;
  if (file->events.count)
    result |= events & POLLPRI;
  if (!(events & (POLLIN | POLLRDNORM)))
    return result;
  if (!device->streaming || device->owner != file || device->eio_persists)
    return result | POLLERR;
  if (device->buffers.done.count || device->eio_pending)
    return (short)(result | (events & (POLLIN | POLLRDNORM)));
  if (!device->buffers.queued.count)
    return result | POLLERR;
  return result;
}

// MARK: Calls

static int request_buffers(vf_sim_device *device, vf_sim_file *file,
                           struct v4l2_requestbuffers *request) {
  request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
  request->flags = 0;
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if ((device->owner && device->owner != file) || device->streaming)
    return EBUSY;
  free_buffers(device);
  vf_sim_buffers_dequeue_all(&device->buffers);
  if (request->count == 0)
    return 0;
  vf_sim_buffers_make(&device->buffers, request->count, device->formats.current.size);
  if (device->buffers.count == 0)
    return ENOMEM;
  device->owner = file;
  request->count = device->buffers.count;
  return 0;
}

static int query_buffer(const vf_sim_device *device, struct v4l2_buffer *buffer) {
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->index >= device->buffers.count)
    return EINVAL;
  vf_sim_buffers_show(&device->buffers, buffer->index, buffer);
  return 0;
}

static int queue(vf_sim_device *device, const vf_sim_file *file, struct v4l2_buffer *buffer) {
  vf_sim_buffers *buffers = &device->buffers;
  if (device->owner && device->owner != file)
    return EBUSY;
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->index >= buffers->count ||
      buffer->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if (device->eio_persists)
    return EIO;
  const vf_sim_buffer *given = &buffers->all[buffer->index];
  if (given->state != VF_SIM_DEQUEUED || given->memory.length < device->formats.current.size)
    return EINVAL;
  int ran_dry = buffers->queued.count == 0;
  vf_sim_buffers_push(buffers, &buffers->queued, buffer->index, VF_SIM_QUEUED)->flags = 0;
  vf_sim_buffers_show(buffers, buffer->index, buffer);
  // Who waits with other buffers queued has a timer that runs; only the first one matters.
  if (ran_dry && device->streaming)
    device->changed = 1;
  return 0;
}

// Makes the picture of a buffer's frame, and damages it.
static void paint(const vf_sim_device *device, vf_sim_buffer *buffer) {
  vf_sim_look look = vf_sim_device_look(device);
  vf_sim_shot shot = {.format = &device->formats.current,
                      .look = &look,
                      .sequence = buffer->sequence,
                      .black = buffer->faults >> VF_SIM_FAULT_BLACK & 1};
  if (device->source.calls->paint(device->source.state, &shot, &buffer->frame) != 0) {
    buffer->frame.used = 0;
    buffer->frame.picture = 0;
    buffer->flags |= V4L2_BUF_FLAG_ERROR;
  }
  if (!buffer->faults)
    return;
  vf_sim_damage(&buffer->frame, buffer->faults, device->seed, buffer->sequence);
  if (buffer->faults & 1u << VF_SIM_FAULT_ERROR)
    buffer->flags |= V4L2_BUF_FLAG_ERROR;
}

static int dequeue(vf_sim_device *device, const vf_sim_file *file, struct v4l2_buffer *buffer) {
  vf_sim_buffers *buffers = &device->buffers;
  if (device->owner && device->owner != file)
    return EBUSY;
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if (!device->streaming)
    return EINVAL;
  if (!file->blocks && device->pauses) {
    device->pauses = 0;
    return EAGAIN;
  }
  vf_sim_advance(device, vf_sim_now());
  if (file->dead)
    return ENODEV;
  uint32_t head = buffers->done.slots[buffers->done.first];
  if (device->eio_pending &&
      (!buffers->done.count ||
       buffers->all[head].sequence - device->eio_sequence < UINT32_MAX / 2)) {
    if (!device->eio_persists)
      device->eio_pending = 0;
    return EIO;
  }
  if (!buffers->done.count)
    return file->blocks ? VF_SIM_WAITS_FOR_FRAME : EAGAIN;
  uint32_t index = vf_sim_buffers_pop(&buffers->done);
  buffers->all[index].state = VF_SIM_DEQUEUED;
  paint(device, &buffers->all[index]);
  device->pauses = device->full_speed;
  vf_sim_buffers_show(buffers, index, buffer);
  return 0;
}

static int export_buffer(const vf_sim_device *device, struct v4l2_exportbuffer *request) {
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->index >= device->buffers.count ||
      request->plane != 0 || request->flags & ~(uint32_t)(O_CLOEXEC | O_ACCMODE))
    return EINVAL;
  int fd = vf_sim_memory_export(&device->buffers.all[request->index].memory,
                                (request->flags & O_CLOEXEC) != 0);
  if (fd < 0)
    return errno;
  request->fd = fd;
  return 0;
}

static int start(vf_sim_device *device, const vf_sim_file *file) {
  if (device->owner && device->owner != file)
    return EBUSY;
  if (device->buffers.count == 0)
    return EINVAL;
  if (device->streaming)
    return 0;
  if (device->buffers.all[0].memory.length < device->formats.current.size)
    return EINVAL;
  device->streaming = 1;
  device->pauses = 0;
  device->sequence = 0;
  int64_t now = vf_sim_now();
  device->next_stamp = now + vf_sim_device_look(device).frame_time;
  device->next_due = device->full_speed ? now : device->next_stamp;
  vf_sim_age_faults(&device->script, 0, 1);
  device->changed = 1;
  return 0;
}

int vf_sim_stream_call(vf_sim_device *device, vf_sim_file *file, unsigned long request,
                       void *argument) {
  switch (request) {
  case VIDIOC_REQBUFS:
    return request_buffers(device, file, argument);
  case VIDIOC_QUERYBUF:
    return query_buffer(device, argument);
  case VIDIOC_QBUF:
    return queue(device, file, argument);
  case VIDIOC_DQBUF:
    return dequeue(device, file, argument);
  case VIDIOC_EXPBUF:
    return export_buffer(device, argument);
  case VIDIOC_STREAMON:
    if (*(int *)argument != V4L2_BUF_TYPE_VIDEO_CAPTURE)
      return EINVAL;
    return start(device, file);
  case VIDIOC_STREAMOFF:
    if (*(int *)argument != V4L2_BUF_TYPE_VIDEO_CAPTURE)
      return EINVAL;
    if (device->owner && device->owner != file)
      return EBUSY;
    vf_sim_stop(device);
    return 0;
  default:
    return ENOTTY;
  }
}
