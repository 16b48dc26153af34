#include "simulate/machine/calls.h"

#include <errno.h>
#include <stdio.h>

#include "simulate/machine/control_calls.h"
#include "simulate/machine/stream.h"

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

static int set_priority(vf_sim_file *file, uint32_t priority) {
  if (priority < V4L2_PRIORITY_BACKGROUND || priority > V4L2_PRIORITY_RECORD)
    return EINVAL;
  file->priority = priority;
  return 0;
}

// Which calls a file of higher priority forbids to the others.
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

int vf_sim_call(vf_sim_device *device, vf_sim_file *file, unsigned long request, void *argument) {
  if (file->dead)
    return ENODEV;
  // libc passes requests as unsigned long or int; the upper half means nothing.
  request &= 0xFFFFFFFFu;
  if (_IOC_TYPE(request) != 'V')
    return ENOTTY;
  if (!argument)
    return EFAULT;
  if (needs_priority(request) && vf_sim_highest_priority(device) > file->priority)
    return EBUSY;
  switch (request) {
  case VIDIOC_QUERYCAP:
    return query_capability(argument);
  case VIDIOC_ENUMINPUT:
  case VIDIOC_G_INPUT:
  case VIDIOC_S_INPUT:
    return input(request, argument);
  case VIDIOC_G_PRIORITY:
    *(uint32_t *)argument = vf_sim_highest_priority(device);
    return 0;
  case VIDIOC_S_PRIORITY:
    return set_priority(file, *(uint32_t *)argument);
  case VIDIOC_SUBSCRIBE_EVENT:
    return vf_sim_subscribe(device, file, argument);
  case VIDIOC_UNSUBSCRIBE_EVENT:
    return vf_sim_unsubscribe(file, argument);
  case VIDIOC_DQEVENT:
    if (vf_sim_events_take(&file->events, argument))
      return 0;
    return file->blocks ? VF_SIM_WAITS_FOR_EVENT : ENOENT;
  case VIDIOC_REQBUFS:
  case VIDIOC_QUERYBUF:
  case VIDIOC_QBUF:
  case VIDIOC_DQBUF:
  case VIDIOC_EXPBUF:
  case VIDIOC_STREAMON:
  case VIDIOC_STREAMOFF:
    return vf_sim_stream_call(device, file, request, argument);
  case VIDIOC_QUERYCTRL:
  case VIDIOC_QUERY_EXT_CTRL:
  case VIDIOC_QUERYMENU:
  case VIDIOC_G_CTRL:
  case VIDIOC_S_CTRL:
  case VIDIOC_G_EXT_CTRLS:
  case VIDIOC_S_EXT_CTRLS:
  case VIDIOC_TRY_EXT_CTRLS:
    return vf_sim_control_call(device, file, request, argument);
  case VIDIOC_ENUM_FMT:
  case VIDIOC_ENUM_FRAMESIZES:
  case VIDIOC_ENUM_FRAMEINTERVALS:
    return vf_sim_formats_list(&device->formats, request, argument);
  case VIDIOC_G_FMT:
    return vf_sim_formats_get(&device->formats, argument);
  case VIDIOC_S_FMT:
  case VIDIOC_TRY_FMT:
    return vf_sim_formats_set(&device->formats, argument, request == VIDIOC_S_FMT,
                              device->buffers.count != 0);
  case VIDIOC_G_PARM:
  case VIDIOC_S_PARM:
    return vf_sim_formats_rate(&device->formats, argument, request == VIDIOC_S_PARM,
                               device->streaming);
  default:
    return ENOTTY;
  }
}
