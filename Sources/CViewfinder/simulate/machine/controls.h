#ifndef VF_SIM_CONTROLS_H
#define VF_SIM_CONTROLS_H

#include <linux/videodev2.h>
#include <stdint.h>

#include "simulate/pictures/source.h"

#pragma clang assume_nonnull begin

/// The controls, in the order of their V4L2 ids, class headings included.
typedef enum vf_sim_control {
  VF_SIM_USER_CLASS,
  VF_SIM_BRIGHTNESS,
  VF_SIM_CONTRAST,
  VF_SIM_SATURATION,
  VF_SIM_WHITE_BALANCE_AUTO,
  VF_SIM_GAIN,
  VF_SIM_HFLIP,
  VF_SIM_VFLIP,
  VF_SIM_POWER_LINE,
  VF_SIM_WHITE_BALANCE,
  VF_SIM_CAMERA_CLASS,
  VF_SIM_EXPOSURE_AUTO,
  VF_SIM_EXPOSURE,
  VF_SIM_EXPOSURE_DYNAMIC,
  VF_SIM_FOCUS,
  VF_SIM_FOCUS_AUTO,
  VF_SIM_ZOOM,
  VF_SIM_FLASH_CLASS,
  VF_SIM_FLASH_LED,
  VF_SIM_CONTROL_COUNT
} vf_sim_control;

/// The controls' values.
typedef struct vf_sim_controls {
  int32_t values[VF_SIM_CONTROL_COUNT];
  /// Counts changes of controls that show in the picture.
  uint32_t revision;
} vf_sim_controls;

void vf_sim_controls_reset(vf_sim_controls *controls);

/// What the controls make of the picture when a frame takes `interval` nanoseconds by its format.
vf_sim_look vf_sim_controls_look(const vf_sim_controls *controls, int64_t interval);

/// The control's index, or -1.
int vf_sim_find_control(uint32_t id);

/// The event that tells a control's state.
void vf_sim_control_event(const vf_sim_controls *controls, int index, uint32_t changes,
                          struct v4l2_event *event);

/// Sets a control. `EACCES` when another one governs it. `*changed` receives whether its value
/// did, and `*governed`, one bit for each control, those whose flags did with it.
int vf_sim_control_apply(vf_sim_controls *controls, int index, int32_t value, int *changed,
                         uint32_t *governed);

/// Answers VIDIOC_QUERYCTRL, VIDIOC_QUERY_EXT_CTRL and VIDIOC_QUERYMENU.
int vf_sim_control_query(const vf_sim_controls *controls, unsigned long request, void *argument);

/// What the control makes of a value: integers are clamped and rounded to a step, as the kernel
/// does; a menu refuses what it doesn't list.
int vf_sim_control_validate(int index, int32_t *value);

/// A control's value, or with `initial` the one it starts with.
int vf_sim_control_get(const vf_sim_controls *controls, int index, int initial, int32_t *value);

#pragma clang assume_nonnull end

#endif
