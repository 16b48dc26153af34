#include "simulate/simulator.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int64_t vf_sim_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void push(uint32_t *ring, uint32_t first, uint32_t *count, uint32_t index) {
  ring[(first + (*count)++) % VF_SIM_BUFFERS] = index;
}

static uint32_t pop(const uint32_t *ring, uint32_t *first, uint32_t *count) {
  uint32_t index = ring[*first];
  *first = (*first + 1) % VF_SIM_BUFFERS;
  --*count;
  return index;
}

void vf_sim_stop(vf_simulator *simulator) {
  simulator->streaming = 0;
  simulator->silent = 0;
  simulator->eio_pending = 0;
  simulator->eio_persists = 0;
  simulator->queued_count = 0;
  simulator->done_count = 0;
  for (uint32_t i = 0; i < simulator->buffer_count; i++)
    simulator->buffers[i].state = VF_SIM_DEQUEUED;
  vf_sim_wake(simulator);
}

void vf_sim_free_buffers(vf_simulator *simulator) {
  for (uint32_t i = 0; i < simulator->buffer_count; i++) {
    // The application's own mappings and descriptors keep the memory as long as it needs it.
    munmap(simulator->buffers[i].bytes, simulator->buffers[i].length);
    close(simulator->buffers[i].memory);
  }
  simulator->buffer_count = 0;
  simulator->buffer_set++;
  simulator->owner = NULL;
}

void vf_sim_unplug(vf_simulator *simulator, double seconds) {
  if (!simulator->plugged)
    return;
  simulator->plugged = 0;
  simulator->replug_at = seconds < 0 ? VF_SIM_NEVER : vf_sim_now() + (int64_t)(seconds * 1e9);
  vf_sim_stop(simulator);
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    if (simulator->handles[i])
      simulator->handles[i]->dead = 1;
  vf_sim_free_buffers(simulator);
  vf_sim_wake(simulator);
}

void vf_sim_plug(vf_simulator *simulator) {
  if (simulator->plugged)
    return;
  simulator->plugged = 1;
  vf_sim_reset_controls(simulator);
  vf_sim_reset_format(simulator);
  vf_sim_wake(simulator);
}

static void change_source(vf_simulator *simulator) {
  vf_sim_change_source(simulator);
  struct v4l2_event event = {.type = V4L2_EVENT_SOURCE_CHANGE};
  event.u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    if (simulator->handles[i] && simulator->handles[i]->source_changes)
      vf_sim_post(simulator, simulator->handles[i], &event);
  simulator->silent = 1;
}

// One frame is due: it falls into a queued buffer, gets lost, or something else happens to it.
static void frame(vf_simulator *simulator, int64_t now) {
  uint32_t sequence = simulator->sequence;
  double seconds;
  uint32_t faults = 0;
  if (simulator->fault_count) {
    if (vf_sim_strikes(simulator, VF_SIM_FAULT_UNPLUG, sequence, &seconds)) {
      vf_sim_unplug(simulator, seconds);
      return;
    }
    if (vf_sim_strikes(simulator, VF_SIM_FAULT_STALL, sequence, &seconds)) {
      simulator->next_due = seconds < 0 ? VF_SIM_NEVER : now + (int64_t)(seconds * 1e9);
      return;
    }
    if (vf_sim_strikes(simulator, VF_SIM_FAULT_FORMAT, sequence, &seconds)) {
      change_source(simulator);
      return;
    }
  }
  if (simulator->replay && vf_sim_replay_ended(simulator->replay, sequence)) {
    simulator->silent = 1;
    return;
  }
  int64_t time = vf_sim_frame_time(simulator);
  int64_t stamp = simulator->full_speed ? simulator->next_stamp : simulator->next_due;
  simulator->sequence++;
  simulator->next_stamp += time;
  simulator->next_due = simulator->full_speed ? now : simulator->next_due + time;
  if (simulator->fault_count) {
    int lost = vf_sim_strikes(simulator, VF_SIM_FAULT_DROP, sequence, &seconds);
    if (vf_sim_strikes(simulator, VF_SIM_FAULT_EIO, sequence, &seconds)) {
      simulator->eio_pending = 1;
      simulator->eio_persists = seconds >= 0;
      simulator->eio_sequence = sequence;
      lost = 1;
    }
    const vf_sim_fault_kind marks[] = {VF_SIM_FAULT_ERROR, VF_SIM_FAULT_TRUNCATE,
                                       VF_SIM_FAULT_CORRUPT, VF_SIM_FAULT_BLACK};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (vf_sim_strikes(simulator, marks[i], sequence, &seconds))
        faults |= 1u << marks[i];
    vf_sim_age_faults(simulator, simulator->sequence, 0);
    if (lost)
      return;
  }
  // Nobody offered a buffer in time: the frame is lost, and counted.
  if (!simulator->queued_count)
    return;
  uint32_t index = pop(simulator->queued, &simulator->queued_first, &simulator->queued_count);
  vf_sim_buffer *buffer = &simulator->buffers[index];
  buffer->state = VF_SIM_DONE;
  buffer->sequence = sequence;
  buffer->timestamp = stamp;
  buffer->faults = faults;
  push(simulator->done, simulator->done_first, &simulator->done_count, index);
}

void vf_sim_advance(vf_simulator *simulator, int64_t now) {
  if (!simulator->plugged && now >= simulator->replug_at)
    vf_sim_plug(simulator);
  if (!simulator->streaming)
    return;
  if (simulator->full_speed) {
    // One frame at a time, so that a reader who skips to the newest doesn't skip them all.
    for (int i = 0;
         i < 1000 && simulator->streaming && !simulator->silent && !simulator->done_count &&
         !simulator->eio_pending && simulator->queued_count && simulator->next_due <= now;
         i++)
      frame(simulator, now);
    return;
  }
  while (simulator->streaming && !simulator->silent && !simulator->eio_persists &&
         simulator->next_due <= now)
    frame(simulator, now);
}

static uint32_t capabilities(void) {
  return V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
}

int vf_sim_request_buffers(vf_simulator *simulator, vf_sim_handle *handle,
                           struct v4l2_requestbuffers *request) {
  request->capabilities = capabilities();
  request->flags = 0;
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if ((simulator->owner && simulator->owner != handle) || simulator->streaming)
    return EBUSY;
  vf_sim_free_buffers(simulator);
  simulator->queued_count = 0;
  simulator->done_count = 0;
  if (request->count == 0)
    return 0;
  uint32_t wanted = request->count < VF_SIM_BUFFERS ? request->count : VF_SIM_BUFFERS;
  long page = sysconf(_SC_PAGESIZE);
  uint32_t length = simulator->format.size;
  for (uint32_t i = 0; i < wanted; i++) {
    int memory = memfd_create("viewfinder-simulated", MFD_CLOEXEC);
    if (memory < 0)
      break;
    size_t room = (length + (size_t)page - 1) / (size_t)page * (size_t)page;
    uint8_t *bytes = MAP_FAILED;
    if (ftruncate(memory, (off_t)room) == 0)
      bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (bytes == MAP_FAILED) {
      close(memory);
      break;
    }
    simulator->buffers[simulator->buffer_count++] =
        (vf_sim_buffer){.memory = memory, .bytes = bytes, .length = length};
  }
  if (simulator->buffer_count == 0)
    return ENOMEM;
  simulator->owner = handle;
  request->count = simulator->buffer_count;
  return 0;
}

static void show_buffer(const vf_simulator *simulator, uint32_t index, struct v4l2_buffer *result) {
  const vf_sim_buffer *buffer = &simulator->buffers[index];
  uint32_t flags = buffer->flags | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
  if (buffer->mappings)
    flags |= V4L2_BUF_FLAG_MAPPED;
  if (buffer->state == VF_SIM_QUEUED)
    flags |= V4L2_BUF_FLAG_QUEUED;
  if (buffer->state == VF_SIM_DONE)
    flags |= V4L2_BUF_FLAG_DONE;
  *result = (struct v4l2_buffer){.index = index,
                                 .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
                                 .bytesused = buffer->used,
                                 .flags = flags,
                                 .field = V4L2_FIELD_NONE,
                                 .sequence = buffer->sequence,
                                 .memory = V4L2_MEMORY_MMAP,
                                 .length = buffer->length};
  result->timestamp.tv_sec = buffer->timestamp / 1000000000;
  result->timestamp.tv_usec = buffer->timestamp % 1000000000 / 1000;
  result->m.offset = index << VF_SIM_OFFSET_SHIFT;
}

int vf_sim_query_buffer(vf_simulator *simulator, struct v4l2_buffer *buffer) {
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->index >= simulator->buffer_count)
    return EINVAL;
  show_buffer(simulator, buffer->index, buffer);
  return 0;
}

int vf_sim_queue(vf_simulator *simulator, vf_sim_handle *handle, struct v4l2_buffer *buffer) {
  if (simulator->owner && simulator->owner != handle)
    return EBUSY;
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->index >= simulator->buffer_count ||
      buffer->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if (simulator->eio_persists)
    return EIO;
  vf_sim_buffer *queued = &simulator->buffers[buffer->index];
  if (queued->state != VF_SIM_DEQUEUED || queued->length < simulator->format.size)
    return EINVAL;
  int ran_dry = simulator->queued_count == 0;
  queued->state = VF_SIM_QUEUED;
  queued->flags = 0;
  push(simulator->queued, simulator->queued_first, &simulator->queued_count, buffer->index);
  show_buffer(simulator, buffer->index, buffer);
  // Who waits with other buffers queued has a timer that runs; only the first one matters.
  if (ran_dry && simulator->streaming)
    vf_sim_wake(simulator);
  return 0;
}

// Waits until something changes or a frame is due.
static void wait_for_change(vf_simulator *simulator) {
  if (simulator->next_due == VF_SIM_NEVER || simulator->silent || !simulator->queued_count) {
    pthread_cond_wait(&simulator->changed, &simulator->mutex);
    return;
  }
  struct timespec due = {.tv_sec = simulator->next_due / 1000000000,
                         .tv_nsec = simulator->next_due % 1000000000};
  pthread_cond_timedwait(&simulator->changed, &simulator->mutex, &due);
}

int vf_sim_dequeue(vf_simulator *simulator, vf_sim_handle *handle, struct v4l2_buffer *buffer) {
  if (simulator->owner && simulator->owner != handle)
    return EBUSY;
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  for (;;) {
    if (handle->dead)
      return ENODEV;
    if (!simulator->streaming)
      return EINVAL;
    if (!handle->blocks && simulator->pauses) {
      simulator->pauses = 0;
      return EAGAIN;
    }
    vf_sim_advance(simulator, vf_sim_now());
    if (handle->dead)
      return ENODEV;
    uint32_t head = simulator->done[simulator->done_first];
    if (simulator->eio_pending &&
        (!simulator->done_count ||
         simulator->buffers[head].sequence - simulator->eio_sequence < UINT32_MAX / 2)) {
      if (!simulator->eio_persists)
        simulator->eio_pending = 0;
      return EIO;
    }
    if (simulator->done_count)
      break;
    if (!handle->blocks)
      return EAGAIN;
    wait_for_change(simulator);
  }
  uint32_t index = pop(simulator->done, &simulator->done_first, &simulator->done_count);
  vf_sim_buffer *filled = &simulator->buffers[index];
  filled->state = VF_SIM_DEQUEUED;
  int code = vf_sim_paint(simulator, filled);
  if (code) {
    filled->used = 0;
    filled->picture = 0;
    filled->flags |= V4L2_BUF_FLAG_ERROR;
  }
  if (filled->faults)
    vf_sim_damage(simulator, filled);
  simulator->pauses = simulator->full_speed;
  show_buffer(simulator, index, buffer);
  return 0;
}

int vf_sim_export(vf_simulator *simulator, struct v4l2_exportbuffer *request) {
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->index >= simulator->buffer_count ||
      request->plane != 0 || request->flags & ~(uint32_t)(O_CLOEXEC | O_ACCMODE))
    return EINVAL;
  int memory = simulator->buffers[request->index].memory;
  int fd = fcntl(memory, request->flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  if (fd < 0)
    return errno;
  request->fd = fd;
  return 0;
}

int vf_sim_start(vf_simulator *simulator, vf_sim_handle *handle) {
  if (simulator->owner && simulator->owner != handle)
    return EBUSY;
  if (simulator->buffer_count == 0)
    return EINVAL;
  if (simulator->streaming)
    return 0;
  if (simulator->buffers[0].length < simulator->format.size)
    return EINVAL;
  simulator->streaming = 1;
  simulator->pauses = 0;
  simulator->sequence = 0;
  int64_t now = vf_sim_now();
  simulator->next_stamp = now + vf_sim_frame_time(simulator);
  simulator->next_due = simulator->full_speed ? now : simulator->next_stamp;
  vf_sim_age_faults(simulator, 0, 1);
  vf_sim_wake(simulator);
  return 0;
}
