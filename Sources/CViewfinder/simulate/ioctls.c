#include "simulate/simulator.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int query_capability(struct v4l2_capability *result) {
  *result = (struct v4l2_capability){
      .version = 6 << 16,
      .device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT,
  };
  result->capabilities = result->device_caps | V4L2_CAP_DEVICE_CAPS;
  snprintf((char *)result->driver, sizeof result->driver, "viewfinder-sim");
  snprintf((char *)result->card, sizeof result->card, "Viewfinder Simulated Camera");
  snprintf((char *)result->bus_info, sizeof result->bus_info, "platform:simulated");
  return 0;
}

static int input(unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_ENUMINPUT: {
    struct v4l2_input *row = argument;
    if (row->index != 0)
      return EINVAL;
    *row = (struct v4l2_input){.type = V4L2_INPUT_TYPE_CAMERA};
    snprintf((char *)row->name, sizeof row->name, "Camera 1");
    return 0;
  }
  case VIDIOC_G_INPUT:
    *(int *)argument = 0;
    return 0;
  default:
    return *(int *)argument == 0 ? 0 : EINVAL;
  }
}

static int set_priority(vf_simulator *simulator, vf_sim_handle *handle, uint32_t priority) {
  if (priority < V4L2_PRIORITY_BACKGROUND || priority > V4L2_PRIORITY_RECORD)
    return EINVAL;
  handle->priority = priority;
  (void)simulator;
  return 0;
}

static uint32_t highest_priority(const vf_simulator *simulator) {
  uint32_t highest = V4L2_PRIORITY_UNSET;
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    if (simulator->handles[i] && !simulator->handles[i]->dead &&
        simulator->handles[i]->priority > highest)
      highest = simulator->handles[i]->priority;
  return highest;
}

// Which calls a handle of higher priority forbids to the others.
static int needs_priority(unsigned long request) {
  switch (request) {
  case VIDIOC_S_FMT:
  case VIDIOC_S_PARM:
  case VIDIOC_S_INPUT:
  case VIDIOC_S_CTRL:
  case VIDIOC_S_EXT_CTRLS:
  case VIDIOC_S_PRIORITY:
  case VIDIOC_REQBUFS:
  case VIDIOC_STREAMON:
  case VIDIOC_STREAMOFF:
    return 1;
  default:
    return 0;
  }
}

static int subscribe(vf_simulator *simulator, vf_sim_handle *handle,
                     const struct v4l2_event_subscription *wanted) {
  if (wanted->type == V4L2_EVENT_SOURCE_CHANGE) {
    if (wanted->id != 0)
      return EINVAL;
    handle->source_changes = 1;
    return 0;
  }
  int index = wanted->type == V4L2_EVENT_CTRL ? vf_sim_find_control(wanted->id) : -1;
  if (index < 0)
    return EINVAL;
  uint32_t bit = 1u << index;
  handle->controls |= bit;
  handle->feedback &= ~bit;
  if (wanted->flags & V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK)
    handle->feedback |= bit;
  if (wanted->flags & V4L2_EVENT_SUB_FL_SEND_INITIAL) {
    struct v4l2_event event;
    vf_sim_control_event(simulator, index, V4L2_EVENT_CTRL_CH_VALUE | V4L2_EVENT_CTRL_CH_FLAGS,
                         &event);
    vf_sim_post(simulator, handle, &event);
  }
  return 0;
}

static int unsubscribe(vf_sim_handle *handle, const struct v4l2_event_subscription *unwanted) {
  int all = unwanted->type == V4L2_EVENT_ALL;
  int index = unwanted->type == V4L2_EVENT_CTRL ? vf_sim_find_control(unwanted->id) : -1;
  if (all || unwanted->type == V4L2_EVENT_SOURCE_CHANGE)
    handle->source_changes = 0;
  if (all)
    handle->controls = 0;
  if (index >= 0)
    handle->controls &= ~(1u << index);
  // What waits of it goes too.
  uint32_t kept = 0;
  for (uint32_t i = 0; i < handle->event_count; i++) {
    struct v4l2_event event = handle->events[(handle->event_first + i) % VF_SIM_EVENTS];
    if (all || (event.type == unwanted->type && event.id == unwanted->id))
      continue;
    handle->events[(handle->event_first + kept++) % VF_SIM_EVENTS] = event;
  }
  handle->event_count = kept;
  return 0;
}

static int dequeue_event(vf_simulator *simulator, vf_sim_handle *handle,
                         struct v4l2_event *result) {
  while (!handle->event_count) {
    if (!handle->blocks)
      return ENOENT;
    pthread_cond_wait(&simulator->changed, &simulator->mutex);
    if (handle->dead)
      return ENODEV;
  }
  *result = handle->events[handle->event_first];
  handle->event_first = (handle->event_first + 1) % VF_SIM_EVENTS;
  result->pending = --handle->event_count;
  return 0;
}

static int stream(vf_simulator *simulator, vf_sim_handle *handle, unsigned long request,
                  void *argument) {
  switch (request) {
  case VIDIOC_REQBUFS:
    return vf_sim_request_buffers(simulator, handle, argument);
  case VIDIOC_QUERYBUF:
    return vf_sim_query_buffer(simulator, argument);
  case VIDIOC_QBUF:
    return vf_sim_queue(simulator, handle, argument);
  case VIDIOC_DQBUF:
    return vf_sim_dequeue(simulator, handle, argument);
  case VIDIOC_EXPBUF:
    return vf_sim_export(simulator, argument);
  case VIDIOC_STREAMON:
    if (*(int *)argument != V4L2_BUF_TYPE_VIDEO_CAPTURE)
      return EINVAL;
    return vf_sim_start(simulator, handle);
  default:
    if (*(int *)argument != V4L2_BUF_TYPE_VIDEO_CAPTURE)
      return EINVAL;
    if (simulator->owner && simulator->owner != handle)
      return EBUSY;
    vf_sim_stop(simulator);
    return 0;
  }
}

int vf_sim_ioctl(vf_simulator *simulator, vf_sim_handle *handle, unsigned long request,
                 void *argument) {
  if (handle->dead)
    return ENODEV;
  // libc passes requests as unsigned long or int; the upper half means nothing.
  request &= 0xFFFFFFFFu;
  if (_IOC_TYPE(request) != 'V')
    return ENOTTY;
  if (!argument)
    return EFAULT;
  if (needs_priority(request) && highest_priority(simulator) > handle->priority)
    return EBUSY;
  switch (request) {
  case VIDIOC_QUERYCAP:
    return query_capability(argument);
  case VIDIOC_ENUMINPUT:
  case VIDIOC_G_INPUT:
  case VIDIOC_S_INPUT:
    return input(request, argument);
  case VIDIOC_G_PRIORITY:
    *(uint32_t *)argument = highest_priority(simulator);
    return 0;
  case VIDIOC_S_PRIORITY:
    return set_priority(simulator, handle, *(uint32_t *)argument);
  case VIDIOC_SUBSCRIBE_EVENT:
    return subscribe(simulator, handle, argument);
  case VIDIOC_UNSUBSCRIBE_EVENT:
    return unsubscribe(handle, argument);
  case VIDIOC_DQEVENT:
    return dequeue_event(simulator, handle, argument);
  case VIDIOC_REQBUFS:
  case VIDIOC_QUERYBUF:
  case VIDIOC_QBUF:
  case VIDIOC_DQBUF:
  case VIDIOC_EXPBUF:
  case VIDIOC_STREAMON:
  case VIDIOC_STREAMOFF:
    return stream(simulator, handle, request, argument);
  case VIDIOC_QUERYCTRL:
  case VIDIOC_QUERY_EXT_CTRL:
  case VIDIOC_QUERYMENU:
  case VIDIOC_G_CTRL:
  case VIDIOC_S_CTRL:
  case VIDIOC_G_EXT_CTRLS:
  case VIDIOC_S_EXT_CTRLS:
  case VIDIOC_TRY_EXT_CTRLS:
    return vf_sim_control_ioctl(simulator, handle, request, argument);
  default:
    return vf_sim_format_ioctl(simulator, request, argument);
  }
}
