#include "simulate/machine/device.h"

#include "simulate/clock.h"

void vf_sim_power_on(vf_sim_device *device) {
  device->plugged = 1;
  vf_sim_controls_reset(&device->controls);
  vf_sim_formats_reset(&device->formats);
}

vf_sim_look vf_sim_device_look(const vf_sim_device *device) {
  return vf_sim_controls_look(&device->controls, vf_sim_formats_interval(&device->formats));
}

void vf_sim_post(vf_sim_device *device, vf_sim_file *file, const struct v4l2_event *event) {
  vf_sim_events_add(&file->events, event, vf_sim_now());
  device->changed = 1;
}

uint32_t vf_sim_highest_priority(const vf_sim_device *device) {
  uint32_t highest = V4L2_PRIORITY_UNSET;
  for (uint32_t i = 0; i < VF_SIM_FILES; i++) {
    const vf_sim_file *file = device->files[i];
    if (file && !file->dead && file->priority > highest)
      highest = file->priority;
  }
  return highest;
}
