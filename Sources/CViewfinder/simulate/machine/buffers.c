#include "simulate/machine/buffers.h"

void vf_sim_buffers_make(vf_sim_buffers *buffers, uint32_t wanted, uint32_t length) {
  if (wanted > VF_SIM_BUFFERS)
    wanted = VF_SIM_BUFFERS;
  for (uint32_t i = 0; i < wanted; i++) {
    vf_sim_buffer buffer = {0};
    if (vf_sim_memory_make(&buffer.memory, length) != 0)
      break;
    buffer.frame = (vf_sim_frame){.bytes = buffer.memory.bytes, .length = length};
    buffers->all[buffers->count++] = buffer;
  }
}

void vf_sim_buffers_free(vf_sim_buffers *buffers) {
  for (uint32_t i = 0; i < buffers->count; i++)
    vf_sim_memory_free(&buffers->all[i].memory);
  buffers->count = 0;
  buffers->set++;
}

void vf_sim_buffers_dequeue_all(vf_sim_buffers *buffers) {
  buffers->queued.count = 0;
  buffers->done.count = 0;
  for (uint32_t i = 0; i < buffers->count; i++)
    buffers->all[i].state = VF_SIM_DEQUEUED;
}

vf_sim_buffer *vf_sim_buffers_push(vf_sim_buffers *buffers, vf_sim_ring *ring, uint32_t index,
                                   vf_sim_buffer_state state) {
  ring->slots[(ring->first + ring->count++) % VF_SIM_BUFFERS] = index;
  buffers->all[index].state = state;
  return &buffers->all[index];
}

uint32_t vf_sim_buffers_pop(vf_sim_ring *ring) {
  uint32_t index = ring->slots[ring->first];
  ring->first = (ring->first + 1) % VF_SIM_BUFFERS;
  ring->count--;
  return index;
}

void vf_sim_buffers_show(const vf_sim_buffers *buffers, uint32_t index,
                         struct v4l2_buffer *result) {
  const vf_sim_buffer *buffer = &buffers->all[index];
  uint32_t flags = buffer->flags | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
  if (buffer->mappings)
    flags |= V4L2_BUF_FLAG_MAPPED;
  if (buffer->state == VF_SIM_QUEUED)
    flags |= V4L2_BUF_FLAG_QUEUED;
  if (buffer->state == VF_SIM_DONE)
    flags |= V4L2_BUF_FLAG_DONE;
  *result = (struct v4l2_buffer){.index = index,
                                 .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
                                 .bytesused = buffer->frame.used,
                                 .flags = flags,
                                 .field = V4L2_FIELD_NONE,
                                 .sequence = buffer->sequence,
                                 .memory = V4L2_MEMORY_MMAP,
                                 .length = buffer->memory.length};
  result->timestamp.tv_sec = buffer->timestamp / 1000000000;
  result->timestamp.tv_usec = buffer->timestamp % 1000000000 / 1000;
  result->m.offset = index << VF_SIM_OFFSET_SHIFT;
}
