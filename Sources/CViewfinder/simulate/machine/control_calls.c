#include "simulate/machine/control_calls.h"

#include <errno.h>

// Tells the subscribers of a control, but its setter only when it wants to hear of that.
static void tell(vf_sim_device *device, const vf_sim_file *setter, int index, uint32_t changes) {
  struct v4l2_event event;
  vf_sim_control_event(&device->controls, index, changes, &event);
  for (uint32_t i = 0; i < VF_SIM_FILES; i++) {
    vf_sim_file *file = device->files[i];
    if (!file || !(file->events.controls >> index & 1))
      continue;
    if (file == setter && !(file->events.feedback >> index & 1))
      continue;
    vf_sim_post(device, file, &event);
  }
}

static int set(vf_sim_device *device, const vf_sim_file *setter, int index, int32_t value) {
  int changed;
  uint32_t governed;
  int code = vf_sim_control_apply(&device->controls, index, value, &changed, &governed);
  if (code || !changed)
    return code;
  tell(device, setter, index, V4L2_EVENT_CTRL_CH_VALUE);
  for (int i = 0; i < VF_SIM_CONTROL_COUNT; i++)
    if (governed >> i & 1)
      tell(device, NULL, i, V4L2_EVENT_CTRL_CH_FLAGS);
  device->changed = 1;
  return 0;
}

static int extended(vf_sim_device *device, const vf_sim_file *file, unsigned long request,
                    struct v4l2_ext_controls *list) {
  uint32_t which = list->which;
  int reads = request == VIDIOC_G_EXT_CTRLS;
  int defaults = which == V4L2_CTRL_WHICH_DEF_VAL;
  list->error_idx = list->count;
  if (list->count > 1024 || (defaults && !reads))
    return EINVAL;
  if (list->count && !list->controls)
    return EFAULT;
  // First everything is looked at, so that a mistake changes nothing.
  for (uint32_t i = 0; i < list->count; i++) {
    struct v4l2_ext_control *control = &list->controls[i];
    if (request == VIDIOC_TRY_EXT_CTRLS)
      list->error_idx = i;
    int index = vf_sim_find_control(control->id);
    if (index < 0)
      return EINVAL;
    if (which && !defaults && V4L2_CTRL_ID2WHICH(control->id) != which)
      return EINVAL;
    int32_t value = control->value;
    if (reads) {
      int code = vf_sim_control_get(&device->controls, index, defaults, &value);
      if (code)
        return code;
      continue;
    }
    int code = vf_sim_control_validate(index, &value);
    if (code)
      return code;
    control->value = value;
  }
  for (uint32_t i = 0; i < list->count && request != VIDIOC_TRY_EXT_CTRLS; i++) {
    struct v4l2_ext_control *control = &list->controls[i];
    int index = vf_sim_find_control(control->id);
    if (reads) {
      int32_t value = 0;
      vf_sim_control_get(&device->controls, index, defaults, &value);
      control->value = value;
      continue;
    }
    int code = set(device, file, index, control->value);
    if (!code)
      continue;
    list->error_idx = i;
    return code;
  }
  list->error_idx = list->count;
  return 0;
}

int vf_sim_control_call(vf_sim_device *device, vf_sim_file *file, unsigned long request,
                        void *argument) {
  switch (request) {
  case VIDIOC_QUERYCTRL:
  case VIDIOC_QUERY_EXT_CTRL:
  case VIDIOC_QUERYMENU:
    return vf_sim_control_query(&device->controls, request, argument);
  case VIDIOC_G_CTRL:
  case VIDIOC_S_CTRL: {
    struct v4l2_control *control = argument;
    int index = vf_sim_find_control(control->id);
    if (index < 0)
      return EINVAL;
    if (request == VIDIOC_G_CTRL)
      return vf_sim_control_get(&device->controls, index, 0, &control->value);
    int code = vf_sim_control_validate(index, &control->value);
    return code ? code : set(device, file, index, control->value);
  }
  default:
    return extended(device, file, request, argument);
  }
}

int vf_sim_subscribe(vf_sim_device *device, vf_sim_file *file,
                     const struct v4l2_event_subscription *wanted) {
  vf_sim_events *events = &file->events;
  if (wanted->type == V4L2_EVENT_SOURCE_CHANGE) {
    if (wanted->id != 0)
      return EINVAL;
    events->source_changes = 1;
    return 0;
  }
  int index = wanted->type == V4L2_EVENT_CTRL ? vf_sim_find_control(wanted->id) : -1;
  if (index < 0)
    return EINVAL;
  uint32_t bit = 1u << index;
  events->controls |= bit;
  events->feedback &= ~bit;
  if (wanted->flags & V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK)
    events->feedback |= bit;
  if (wanted->flags & V4L2_EVENT_SUB_FL_SEND_INITIAL) {
    struct v4l2_event event;
    vf_sim_control_event(&device->controls, index,
                         V4L2_EVENT_CTRL_CH_VALUE | V4L2_EVENT_CTRL_CH_FLAGS, &event);
    vf_sim_post(device, file, &event);
  }
  return 0;
}

int vf_sim_unsubscribe(vf_sim_file *file, const struct v4l2_event_subscription *unwanted) {
  vf_sim_events *events = &file->events;
  int all = unwanted->type == V4L2_EVENT_ALL;
  int index = unwanted->type == V4L2_EVENT_CTRL ? vf_sim_find_control(unwanted->id) : -1;
  if (all || unwanted->type == V4L2_EVENT_SOURCE_CHANGE)
    events->source_changes = 0;
  if (all)
    events->controls = 0;
  if (index >= 0)
    events->controls &= ~(1u << index);
  // What waits of it goes too.
  vf_sim_events_forget(events, unwanted->type, unwanted->id);
  return 0;
}
